// SPDX-License-Identifier: MIT
// heatfront's own product and a step of the Chebyshev recurrence, as the solvers call them:
//
//     product   y ← Δ x              step   y ← 2 X x − y,  sum ← sum + c y
#pragma once

#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/build.h"

namespace heatfront::micro {

class FlowContestant {
 public:
  FlowContestant(const WeightedGraph& graph, std::int64_t columns, Threads& threads);

  void product();
  void step();

  // What has to be moved if every number is moved once: 4 bytes per arc (8 with weights), the offsets and
  // factors of the rows, and the padded rows themselves: x and y, or x, y twice and sum twice.
  double product_bytes() const { return bytes(2); }
  double step_bytes() const { return bytes(5); }

 private:
  double bytes(int rows_moved) const;

  const WeightedGraph& graph_;
  Laplacian laplacian_;
  Matrix x_, y_, sum_;
};

}  // namespace heatfront::micro
