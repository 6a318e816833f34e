// SPDX-License-Identifier: MIT
#include "heatfront/flow/flow_options.h"

#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

constexpr double kLargestLoop = 1e6;   // the least weights have to count beside it
constexpr double kLongestTime = 1e30;  // what is slower than numbers can tell moves nothing by then
constexpr double kSlowestFlow = 1e-6, kFastestFlow = 1e6;  // λ, likewise

}  // namespace

bool is_forever(const FlowOptions& options) { return options.time == FlowOptions::kForever; }

const SolverEntry& solver_of(const FlowOptions& options) {
  if (is_forever(options))
    return find_solver(options.solver.empty() ? "cg" : options.solver, SolverPurpose::steady_state);
  return find_solver(options.solver.empty() ? "chebyshev" : options.solver, SolverPurpose::time);
}

void check(const FlowOptions& options) {
  if (!(options.time >= 0 && (options.time <= kLongestTime || is_forever(options))))
    fail("time {}: it must be from 0 to {:.0e}, or inf for the steady state", options.time, kLongestTime);
  if (!(options.lambda >= kSlowestFlow && options.lambda <= kFastestFlow))
    fail("lambda {}: it must be from {:.0e} to {:.0e}; beyond that, change the time", options.lambda,
         kSlowestFlow, kFastestFlow);
  if (!(options.laplacian.self_loop >= 0 && options.laplacian.self_loop <= kLargestLoop))
    fail("loops of weight {}: it must be from 0 to {:.0e}", options.laplacian.self_loop, kLargestLoop);
  if (!(options.solve.tolerance > 0)) fail("tolerance {}: it must be above 0", options.solve.tolerance);
}

}  // namespace heatfront
