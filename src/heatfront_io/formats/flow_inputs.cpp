// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/flow_inputs.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/fail.h"
#include "heatfront/flow/decide.h"
#include "heatfront/label/flow_task.h"
#include "heatfront_io/arrays/npy.h"
#include "heatfront_io/tables/label_file.h"
#include "heatfront_io/tables/target_table.h"

namespace heatfront {

KnownLabels read_known_labels(const std::string& which, const Dataset& dataset, const Split& split) {
  if (const KnownSource* source = find_known_source(which)) return known_labels(dataset, split, *source);
  if (!std::filesystem::exists(which)) {
    fail("--known {}: no such file; choose from: train, train+validation, all, or a CSV file of node,label",
         which);
  }
  KnownLabels known;
  for (const NodeLabel& entry : read_label_file(which, dataset).labels) {
    known.nodes.push_back(entry.node);
    known.classes.push_back(entry.label);
  }
  return known;
}

Targets read_known_targets(const std::string& which, const Dataset& dataset, const Split& split) {
  const KnownSource* const source = find_known_source(which);
  if (source == nullptr) {
    if (!std::filesystem::exists(which))
      fail("--known {}: no such file; choose from: train, train+validation, all, or a CSV file of labels",
           which);
    return read_target_file(which, dataset);
  }
  if (!source->train && !source->validation) return dataset.targets;
  std::vector<NodeId> nodes;
  if (source->train) nodes = split.train;
  if (source->validation) nodes.insert(nodes.end(), split.validation.begin(), split.validation.end());
  return targets_at(dataset.targets, nodes);
}

Matrix read_front(const std::filesystem::path& path, const Dataset& dataset) {
  Matrix front = to_matrix(read_npy(path));
  if (front.rows() != dataset.nodes() || front.cols() != dataset.classes()) {
    fail("{} has shape ({}, {}); a front of {} has one row per node and one column per class, ({}, {})",
         path.string(), front.rows(), front.cols(), dataset.name, dataset.nodes(), dataset.classes());
  }
  for (std::int64_t u = 0; u < front.rows(); ++u) {
    if (!std::ranges::all_of(front.row(u), [](Real x) { return std::isfinite(x); })) {
      fail("{}: row {} is not finite", path.string(), u);
    }
  }
  return front;
}

ClassPrior read_class_prior(const std::string& which, const KnownLabels& known, const Dataset& dataset) {
  if (which == "none") return {};
  if (which == "labelled") return {.shares = labelled_prior(known, dataset.classes())};
  if (!std::filesystem::exists(which)) {
    fail(
        "--class-prior {}: no such file; choose from: none, labelled, or a CSV file of class,share, "
        "class,size "
        "or class,least,most",
        which);
  }
  return read_prior_file(which, dataset);
}

}  // namespace heatfront
