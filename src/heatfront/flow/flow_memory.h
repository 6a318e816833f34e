// SPDX-License-Identifier: MIT
// What flows take of the memory, and how many classes at once fit into what they may.
#pragma once

#include <cstdint>

#include "heatfront/flow/dirichlet.h"

namespace heatfront {

// Bytes that solve_dirichlet() takes beside the problem, at its peak. For the steady state it looks for the graph's
// branches, as the solution does.
struct MemoryEstimate {
  std::int64_t answer = 0;        // the temperatures
  std::int64_t states = 0;        // that the solver works with; memory_limit bounds these
  std::int64_t others = 0;        // of the operator, and copies of the graph (other order, without branches)
  std::int64_t least_states = 0;  // the least memory_limit: a few classes at once
  std::int64_t total() const { return answer + states + others; }
};
MemoryEstimate estimate_memory(const DirichletProblem& problem, const FlowOptions& options);

// Of the operator, and of what reordering copies.
std::int64_t operator_memory(const DirichletProblem& problem, const FlowOptions& options);

// Bytes that the flow at so many times takes beside the problem and what its visitor does, at its peak; the answer is among
// the states. The least memory_limit holds all classes of one time.
MemoryEstimate estimate_curve_memory(const DirichletProblem& problem, const FlowOptions& options,
                                     std::int64_t times);

// Times whose states are held at once. Error where not even one fits.
std::int64_t times_at_once(std::int64_t rows, std::int64_t classes, const FlowOptions& options);

// Classes that are solved for at once. Error where not even a few fit.
std::int64_t columns_at_once(std::int64_t rows, std::int64_t classes, const FlowOptions& options);

}  // namespace heatfront
