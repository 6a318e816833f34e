// SPDX-License-Identifier: MIT
#include "heatfront/flow/flow_options.h"

namespace heatfront {

OptionFields fields(FlowOptions& options) {
  OptionRange times = from_to(0, kLongestTime);
  times.or_infinite = true;
  return joined({{"time", &options.time, "How long heat flows; inf: to the steady state", times},
                 {"lambda", &options.lambda, "Speed of the flow", from_to(kSlowestFlow, kFastestFlow)},
                 {"self_loop", &options.laplacian.self_loop, "Weight of the loop on every node",
                  from_to(0, kLargestLoop)},
                 {"memory_limit", &options.memory_limit, "Bytes for states; 0: no limit", at_least(0)}},
                fields(options.solve));
}

void check(const FlowOptions& options) { checked(options, "flow"); }

bool is_forever(const FlowOptions& options) { return options.time == FlowOptions::kForever; }

const SolverEntry& solver_of(const FlowOptions& options) {
  if (is_forever(options))
    return find_solver(options.solver.empty() ? "cg" : options.solver, SolverPurpose::steady_state);
  return find_solver(options.solver.empty() ? "chebyshev" : options.solver, SolverPurpose::time);
}

}  // namespace heatfront
