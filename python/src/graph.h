// SPDX-License-Identifier: MIT
// A graph with its weights, shared by all who hold it and never changed.
#pragma once

#include <memory>
#include <vector>

#include "heatfront/graph/build.h"
#include "heatfront/graph/graph.h"

namespace heatfront::python {

struct PythonGraph {
  std::shared_ptr<const WeightedGraph> built;
};

}  // namespace heatfront::python
