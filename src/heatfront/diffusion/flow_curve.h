// SPDX-License-Identifier: MIT
// The Dirichlet flow at many times from one recurrence: the Chebyshev polynomials of a start do not depend on
// t. Times are taken in groups whose states fit the memory; a group goes on from the last state of the one
// before (the flow is a semigroup), and so does one whose series would be very long.
#pragma once

#include <functional>
#include <span>

#include "heatfront/diffusion/flow_memory.h"

namespace heatfront {

// Called once for each time, in ascending order, with the temperatures then; false stops the curve.
using VisitTime = std::function<bool(double time, const Temperatures& temperatures)>;

// `times` ascend. options.time and options.solver are not used. Returns the report of the whole curve.
SolveReport flow_curve(const DirichletProblem& problem, const FlowOptions& options,
                       std::span<const double> times, Threads& threads, const VisitTime& visit);

// Bytes that it takes beside the problem and what `visit` does, at its peak, for so many times; the answer is among
// the states. The least memory_limit holds all classes of one time.
MemoryEstimate estimate_curve_memory(const DirichletProblem& problem, const FlowOptions& options,
                                     std::int64_t times);

}  // namespace heatfront
