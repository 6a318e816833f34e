// SPDX-License-Identifier: MIT
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_io/formats/readers.h"

namespace heatfront {

void take_graph(Dataset& dataset, WeightedGraph built, const ReadOptions& options, const std::string& where) {
  if (options.refuse_one_way && built.report.one_way > 0) {
    fail("{}: {} given in one direction only; give both, or let them be completed", where,
         counted(built.report.one_way, "edge", built.report.one_way == 1 ? " is" : " are"));
  }
  dataset.graph = std::move(built.graph);
  dataset.weights = std::move(built.weights);
  dataset.changes = built.report;
}

}  // namespace heatfront
