// SPDX-License-Identifier: MIT
#include "heatfront/models/cgnn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "heatfront/train/fit.h"
#include "support/error_text.h"
#include "support/gradient_check.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

CgnnOptions small_cgnn(bool source_gradient) {
  return {.width = 5,
          .dropout = 0.3,
          .time = 4,
          .mixing = true,
          .source_gradient = source_gradient,
          .tolerance = 1e-13};
}

std::span<Real> numbers(const Cgnn& model, const std::string& name, ParameterBlock& block) {
  const auto all = model.layout().parameters();
  const Parameter& found = *std::ranges::find(all, name, &Parameter::name);
  return std::span(block).subspan(static_cast<std::size_t>(found.offset),
                                  static_cast<std::size_t>(found.rows * found.stride));
}

// Away from where training begins, which is a corner of the clamp.
ParameterBlock some_parameters(const Cgnn& model) {
  ParameterBlock parameters = model.layout().zeros();
  model.initialise(3, parameters);
  for (Real& value : numbers(model, "mixing.values", parameters)) value *= Real(0.7);
  numbers(model, "mixing.vectors", parameters)[1] = Real(0.2);
  numbers(model, "alpha", parameters)[4] = Real(-1.5);
  return parameters;
}

double gradient_at(Cgnn& model, const ParameterBlock& parameters, ParameterBlock& gradient) {
  model.prepare(parameters);
  return model.gradient(parameters, 17, gradient);
}

TEST(Cgnn, HasExactGradientsWithMixingAndDropout) {
  if (!test::kDouble) GTEST_SKIP() << "SKIPPED: differences are too coarse in single precision";
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=10,inside=0.4", "per-class 4,3", threads);
  Cgnn model(data, small_cgnn(true), threads);
  ParameterBlock parameters = some_parameters(model), gradient = model.layout().zeros(), ignored = gradient;
  gradient_at(model, parameters, gradient);
  for (const char* name :
       {"encoder.weight", "encoder.bias", "decoder.weight", "alpha", "mixing.vectors", "mixing.values"}) {
    SCOPED_TRACE(name);
    const std::span<Real> here = numbers(model, name, gradient);
    test::expect_gradient(numbers(model, name, parameters), here,
                          [&] { return gradient_at(model, parameters, ignored); });
  }
}

TEST(Cgnn, TakesTheSourceForAConstantWhereOnlyTheEncoderCanTell) {
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=10,inside=0.4", "per-class 4,3", threads);
  Cgnn through(data, small_cgnn(true), threads), apart(data, small_cgnn(false), threads);
  ParameterBlock by_through = through.layout().zeros(), by_apart = by_through;
  const ParameterBlock parameters = some_parameters(through);
  EXPECT_EQ(gradient_at(through, parameters, by_through), gradient_at(apart, parameters, by_apart));
  for (const char* name : {"decoder.weight", "decoder.bias", "alpha", "mixing.vectors", "mixing.values"})
    EXPECT_TRUE(std::ranges::equal(numbers(through, name, by_through), numbers(apart, name, by_apart)))
        << name;
  EXPECT_FALSE(std::ranges::equal(numbers(through, "encoder.weight", by_through),
                                  numbers(apart, "encoder.weight", by_apart)));
}

TEST(Cgnn, LearnsHowColumnsMixByAMatrixThatStaysOrthogonal) {
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=60", "per-class 5,10", threads);
  const Fit result = fit(data, {.model = "cgnn", .settings = {"mixing=true", "epochs=60"}}, threads);
  EXPECT_GT(result.training.best.test_accuracy, 0.6);
  const auto& network = result.model.network;
  const Matrix& w = std::ranges::find(network, "mixing.vectors", &NamedMatrix::name)->values;
  double off_identity = 0;
  for (std::int64_t i = 0; i < w.rows(); ++i) {
    for (std::int64_t j = 0; j < w.cols(); ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < w.rows(); ++k)
        sum += static_cast<double>(w(k, i)) * static_cast<double>(w(k, j));
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-2);
      if (i != j) off_identity = std::max(off_identity, std::abs(static_cast<double>(w(i, j))));
    }
  }
  EXPECT_GT(off_identity, 1e-3) << "it has moved";
}

TEST(Cgnn, RefusesWhatItCannotTrainOn) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  const auto error = [&](const CgnnOptions& options) {
    return test::error_text([&] { Cgnn(data, options, threads); });
  };
  EXPECT_EQ(error({.width = 0}), "cgnn: width is '0', but must be a whole number from 1 to 1000000");
  EXPECT_EQ(error({.time = -1}), "cgnn: time is '-1', but must be a number, 0 or more");
  EXPECT_EQ(error({.self_loop = -0.5}), "cgnn: self_loop is '-0.5', but must be a number, 0 or more");
  EXPECT_EQ(error({.alpha = std::numeric_limits<double>::quiet_NaN()}),
            "cgnn: alpha is 'nan', but must be a finite number");
  EXPECT_EQ(error({.tolerance = 0}), "cgnn: tolerance is '0', but must be a number above 0");
}

}  // namespace
}  // namespace heatfront
