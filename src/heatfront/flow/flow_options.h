// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "heatfront/base/options.h"
#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/reorder.h"
#include "heatfront/solve/solver.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {

struct FlowOptions {
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  double time = 5;  // kForever: the steady state
  double lambda = 1;
  std::string solver;  // empty: chebyshev, and cg for the steady state
  SolveOptions solve;
  LaplacianOptions laplacian;
  Reordering reorder = Reordering::none;  // the nodes meanwhile; the answer is in the user's order
  std::int64_t memory_limit = 0;          // bytes for states; 0: none. Classes are solved in blocks that fit
                                          // (along a curve: times in groups).
};

inline constexpr double kLongestTime = 1e30;  // what is slower than numbers can tell moves nothing by then
inline constexpr double kSlowestFlow = 1e-6, kFastestFlow = 1e6;  // λ; beyond that, change the time
inline constexpr double kLargestLoop = 1e6;                       // the least weights have to count beside it

// Those that are numbers.
OptionFields fields(FlowOptions& options);
void check(const FlowOptions& options);  // Error unless they are within their ranges

bool is_forever(const FlowOptions& options);

// The one that is named, or the default; Error lists the right ones.
const SolverEntry& solver_of(const FlowOptions& options);

}  // namespace heatfront
