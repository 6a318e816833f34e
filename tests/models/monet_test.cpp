// SPDX-License-Identifier: MIT
#include "heatfront/models/monet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/error_text.h"
#include "support/gradient_check.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

std::vector<MonetOptions> monet_networks() {
  return {{.hidden = {5}},
          {.hidden = {8}, .kernels = 2, .aggregate = "sum", .dropout = 0, .input_dropout = 0},
          {.hidden = {4, 6}, .kernels = 1},
          {.hidden = {}}};
}

struct MonetStep {
  MonetStep(const Dataset& data, const MonetOptions& options, Threads& threads)
      : model(data, options, threads), parameters(model.layout().zeros()), gradient(parameters) {
    model.initialise(3, parameters);
    for (const Parameter& parameter : model.layout().parameters()) {  // off zero, where activations bend
      if (parameter.name.ends_with("bias"))
        std::ranges::fill(parameter.in(std::span<Real>(parameters)).row(0), Real(0.1));
    }
    run(gradient);
  }
  double run(ParameterBlock& into) {
    model.prepare(parameters);
    return model.gradient(parameters, 17, into);
  }

  Monet model;
  ParameterBlock parameters, gradient;
};

TEST(Monet, HasExactGradientsFromEndToEnd) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Threads threads(1);
  Dataset data = test::small_blocks(threads);
  data.split->train.resize(3);  // so that layers have fewer and fewer rows
  for (const MonetOptions& options : monet_networks()) {
    MonetStep step(data, options, threads);
    ParameterBlock ignored = step.gradient;
    test::expect_gradient(step.parameters, step.gradient, [&] { return step.run(ignored); });
  }
}

TEST(Monet, RefusesWhatItCannotBe) {
  Threads threads(1);
  const Dataset data = test::small_blocks(threads);
  const auto error = [&](const MonetOptions& options) {
    return test::error_text([&] { Monet(data, options, threads); });
  };
  EXPECT_EQ(error({.hidden = {0}}), "monet: hidden is '0', but must be whole numbers from 1 to 1000000");
  EXPECT_EQ(error({.kernels = 0}), "monet: kernels is '0', but must be a whole number from 1 to 1000");
  EXPECT_EQ(error({.aggregate = "max"}), "monet: aggregate is 'max', but must be sum or mean");
}

}  // namespace
}  // namespace heatfront
