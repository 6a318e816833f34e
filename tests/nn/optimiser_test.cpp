// SPDX-License-Identifier: MIT
#include "heatfront/nn/optimiser.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "support/error_text.h"

namespace heatfront {
namespace {

constexpr double kTolerance = 1e-5;

// The formulas for one number, in double precision.
double expected(const std::string& name, double w, std::span<const double> gradients, double rate,
                double decay) {
  double m = 0, v = 0;
  for (std::size_t k = 0; k < gradients.size(); ++k) {
    const double g = gradients[k] + decay * w;
    const auto n = static_cast<double>(k + 1);
    if (name == "adam") {
      m = 0.9 * m + 0.1 * g;
      v = 0.999 * v + 0.001 * g * g;
      w -= rate * (m / (1 - std::pow(0.9, n))) / (std::sqrt(v / (1 - std::pow(0.999, n))) + 1e-8);
    } else if (name == "rmsprop") {
      v = 0.99 * v + 0.01 * g * g;
      w -= rate * g / (std::sqrt(v) + 1e-8);
    } else {
      w -= rate * g;
    }
  }
  return w;
}

TEST(EveryOptimiser, FollowsItsFormula) {
  Threads threads(2);
  constexpr std::array kGradients = {0.3, -1.5, 0.02, 4.0, 0.0};
  for (const OptimiserEntry& entry : optimisers()) {
    const OptimiserOptions options{
        .optimiser = std::string(entry.name), .learning_rate = 0.05, .weight_decay = 0.1};
    const auto optimiser = make_optimiser(options, 3);
    std::vector<Real> parameters = {1, -2, 5};
    for (double g : kGradients) {
      const std::vector<Real> gradient = {static_cast<Real>(g), static_cast<Real>(-2 * g),
                                          static_cast<Real>(g)};
      const std::vector<DecayRange> ranges = {{.begin = 0, .end = 1, .decay = 0.1},
                                              {.begin = 1, .end = 2, .decay = 0}};
      optimiser->step(ranges, gradient, parameters, threads);
    }
    std::array<double, kGradients.size()> doubled;
    for (std::size_t k = 0; k < doubled.size(); ++k) doubled[k] = -2 * kGradients[k];
    EXPECT_NEAR(static_cast<double>(parameters[0]), expected(options.optimiser, 1, kGradients, 0.05, 0.1),
                kTolerance);
    EXPECT_NEAR(static_cast<double>(parameters[1]), expected(options.optimiser, -2, doubled, 0.05, 0),
                kTolerance);
    EXPECT_EQ(parameters[2], 5) << "no range covers it";
  }
}

TEST(EveryOptimiser, IsRefusedByAWrongNameOrRate) {
  EXPECT_EQ(test::error_text([] { make_optimiser({.optimiser = "adams"}, 1); }),
            "optimiser: optimiser is 'adams', but must be adam, rmsprop or sgd");
  EXPECT_EQ(test::error_text([] { make_optimiser({.learning_rate = 0}, 1); }),
            "optimiser: learning_rate is '0', but must be a number above 0");
}

}  // namespace
}  // namespace heatfront
