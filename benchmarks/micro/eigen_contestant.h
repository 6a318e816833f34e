// SPDX-License-Identifier: MIT
// The same product and step with Eigen, as one writes them there: a sparse matrix in rows times dense rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "heatfront/graph/build.h"

namespace heatfront::micro {

class EigenContestant {
 public:
  static std::string version();

  EigenContestant(const WeightedGraph& graph, std::int64_t columns);
  ~EigenContestant();

  void product();
  void step();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heatfront::micro
