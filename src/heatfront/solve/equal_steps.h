// SPDX-License-Identifier: MIT
// Equal steps from 0 to t for a one-step method: as long as the options say, refused outside the stability
// region; or as few as are stable and err by no more than the tolerance (stability.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "heatfront/solve/solver.h"
#include "heatfront/solve/stability.h"

namespace heatfront {

constexpr std::int64_t kMostSteps = 1'000'000;

struct OneStepMethod {
  std::string_view name;
  StabilityFunction r;
};

struct EqualSteps {
  std::int64_t count = 0;
  double step = 0;
  double error_bound = 0;
};

EqualSteps plan_equal_steps(const OneStepMethod& method, const SolveOptions& options, const Operator& a,
                            double time);

}  // namespace heatfront
