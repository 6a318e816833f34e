// SPDX-License-Identifier: MIT
#include "heatfront/models/gat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/error_text.h"
#include "support/gradient_check.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

std::vector<GatOptions> gat_networks() {
  return {{.hidden = {4}, .heads = 2},
          {.hidden = {8}, .heads = 8, .output_heads = 8, .dropout = 0.3},
          {.hidden = {3, 5}, .heads = 2, .output_heads = 2, .attention_dropout = 0},
          {.hidden = {}, .dropout = 0}};
}

struct GatStep {
  GatStep(const Dataset& data, const GatOptions& options, Threads& threads)
      : model(data, options, threads), parameters(model.layout().zeros()), gradient(parameters) {
    model.initialise(3, parameters);
    for (const Parameter& parameter : model.layout().parameters()) {  // off zero, where scores have a kink
      if (parameter.name.ends_with("bias"))
        std::ranges::fill(parameter.in(std::span<Real>(parameters)).row(0), Real(0.1));
    }
    run(gradient);
  }
  double run(ParameterBlock& into) {
    model.prepare(parameters);
    return model.gradient(parameters, 17, into);
  }

  Gat model;
  ParameterBlock parameters, gradient;
};

TEST(Gat, HasExactGradientsFromEndToEnd) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Threads threads(1);
  Dataset data = test::small_blocks(threads);
  data.split->train.resize(3);  // so that layers have fewer and fewer rows
  for (const GatOptions& options : gat_networks()) {
    GatStep step(data, options, threads);
    ParameterBlock ignored = step.gradient;
    test::expect_gradient(
        step.parameters, step.gradient, [&] { return step.run(ignored); }, 1e-6, 7);
  }
}

TEST(Gat, RefusesWhatItCannotBe) {
  Threads threads(1);
  const Dataset data = test::small_blocks(threads);
  const auto error = [&](const GatOptions& options) {
    return test::error_text([&] { Gat(data, options, threads); });
  };
  EXPECT_EQ(error({.hidden = {0}}), "gat: hidden is '0', but must be whole numbers from 1 to 1000000");
  EXPECT_EQ(error({.heads = 0}), "gat: heads is '0', but must be a whole number from 1 to 64");
  EXPECT_EQ(error({.output_heads = 70}),
            "gat: output_heads is '70', but must be a whole number from 1 to 64");
  EXPECT_EQ(error({.dropout = 1}), "gat: dropout is '1', but must be a number from 0 to below 1");
}

}  // namespace
}  // namespace heatfront
