// SPDX-License-Identifier: MIT
#include "heatfront/solve/equal_steps.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

double error_bound(const OneStepMethod& method, const Operator& a, double time, std::int64_t steps) {
  Amplification amplification(method.r, a.lowest(), time);
  amplification.take(time / static_cast<double>(steps), steps);
  return amplification.error_bound(a.clamps());
}

// The number x, a little smaller, to three digits.
double rounded_down(double x) {
  const double unit = std::pow(10, std::floor(std::log10(x)) - 2);
  return std::floor(x / unit) * unit;
}

std::int64_t steps_of_length(const OneStepMethod& method, double step, const Operator& a, double time) {
  const double longest = stable_interval(method.r) / -a.lowest();
  if (step > longest) {
    fail("{}: step {} is outside its stability region for this graph; at most {:.3g} is inside", method.name,
         step, rounded_down(longest));
  }
  const double count = std::ceil(time / step * (1 - 1e-12));  // 5/0.1 is 50 steps, not 51
  if (count > static_cast<double>(kMostSteps)) {
    fail("{}: step {} makes {:.0f} steps to time {}; at most {} are allowed", method.name, step, count, time,
         kMostSteps);
  }
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(count));
}

std::int64_t steps_for_tolerance(const OneStepMethod& method, double tolerance, const Operator& a,
                                 double time) {
  const double stable = std::ceil(-a.lowest() * time / stable_interval(method.r));
  std::int64_t many = 1;
  if (stable > 1) many = static_cast<std::int64_t>(std::min(stable, static_cast<double>(kMostSteps)));
  std::int64_t few = many - 1;
  while (error_bound(method, a, time, many) > tolerance) {
    if (many >= kMostSteps) {
      fail("{}: tolerance {} at time {} needs more than {} steps; choose a larger tolerance, or chebyshev",
           method.name, tolerance, time, kMostSteps);
    }
    few = many;
    many = std::min(2 * many, kMostSteps);
  }
  while (many - few > 1) {
    const std::int64_t middle = few + (many - few) / 2;
    (error_bound(method, a, time, middle) > tolerance ? few : many) = middle;
  }
  return many;
}

}  // namespace

EqualSteps plan_equal_steps(const OneStepMethod& method, const SolveOptions& options, const Operator& a,
                            double time) {
  const std::int64_t count = options.step > 0 ? steps_of_length(method, options.step, a, time)
                                              : steps_for_tolerance(method, options.tolerance, a, time);
  return {count, time / static_cast<double>(count), error_bound(method, a, time, count)};
}

}  // namespace heatfront
