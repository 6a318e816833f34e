// SPDX-License-Identifier: MIT
#include "heatfront_explore/cold_start.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/label/flow_task.h"
#include "heatfront/models/flow_alone.h"
#include "heatfront/models/models.h"
#include "heatfront/train/auto_fit.h"
#include "heatfront_neighbours/join_points.h"

namespace heatfront::explore {

ColdStart cold_start(Dataset dataset, const std::vector<std::string>& classes, Threads& threads) {
  if (dataset.targets.size() > 0)
    fail("{}: its labels are values or several per node; the explorer is for one class per node",
         dataset.name);
  ColdStart result;
  result.notes = join_lone_points(dataset, threads);
  for (const std::string& name : classes) {
    if (std::ranges::count(dataset.class_names, name) == 0) dataset.class_names.push_back(name);
  }
  if (dataset.class_names.empty()) {
    dataset.class_names = {"1", "2"};
    result.notes.push_back(
        "no class is named; they are called 1 and 2 until --class NAME or the page names them");
  }
  if (!dataset.split) dataset.split = all_labels(dataset);
  TrainedModel& model = result.model;
  model.model = kFlowAlone;
  model.options = find_model(kFlowAlone).options()->lines();
  model.set_option(kChosenOption, fmt::format("{}", kColdTime));
  model.known = known_labels(dataset, *dataset.split, default_known_source(true));
  model.front = Matrix(dataset.nodes(), dataset.classes());
  model.weights = dataset.weights;
  model.fingerprint = fingerprint(dataset);
  model.data = std::move(dataset);
  return result;
}

}  // namespace heatfront::explore
