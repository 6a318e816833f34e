// SPDX-License-Identifier: MIT
#include "heatfront/models/heat_front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "heatfront/models/features.h"
#include "support/error_text.h"
#include "support/gradient_check.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

HeatFrontOptions small_heat_front(const std::string& edge_weights) {
  return {.network = {.hidden = {12, 30}, .dropout = {0.3, 0.9}},
          .time = 2.5,
          .lambda = 1.2,
          .tolerance = 1e-13,
          .edge_weights = edge_weights};
}

TEST(HeatFront, HasExactGradientsFromEndToEnd) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Threads threads(1);
  Dataset data = test::small_data("blocks:blocks=3,size=10,inside=0.4,across=0.05", "per-class 4,3", threads);
  for (const char* laplacian : {"symmetric", "random-walk", "combinatorial"}) {
    for (bool weighted : {false, true}) {
      data.weights.clear();
      for (ArcId arc = 0; weighted && arc < data.graph.arcs(); ++arc) data.weights.push_back(Real(0.7));
      HeatFrontOptions options = small_heat_front("free");
      options.laplacian = laplacian;
      HeatFront model(data, options, threads);
      ParameterBlock parameters = model.layout().zeros(), gradient = model.layout().zeros();
      ParameterBlock ignored = gradient;
      model.initialise(3, parameters);
      model.prepare(parameters);
      model.gradient(parameters, 17, gradient);
      test::expect_gradient(
          parameters, gradient,
          [&] {
            model.prepare(parameters);
            return model.gradient(parameters, 17, ignored);
          },
          1e-6, 3);
    }
  }
}

TEST(HeatFront, HoldsTheTrainingLabelsFixedWhenItJudges) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  HeatFront model(data, small_heat_front("none"), threads);
  ParameterBlock parameters = model.layout().zeros();
  model.initialise(1, parameters);
  model.prepare(parameters);
  const ConstMatrixView temperatures = model.judge(parameters);
  for (NodeId u : data.split->train) {
    const ClassId label = data.labels[static_cast<std::size_t>(u)];
    for (ClassId c = 0; c < 2; ++c) EXPECT_EQ(temperatures(u, c), c == label ? 1 : 0);
  }
}

TEST(HeatFront, BeginsWithTheDataOwnWeightsUnderTheSigmoid) {
  Threads threads(1);
  Dataset data = test::small_data("karate", "per-class 2,3", threads);
  data.weights.assign(data.graph.targets().size(), Real(0.25));
  HeatFrontOptions options = small_heat_front("free");
  options.weight_spread = 0;
  HeatFront model(data, options, threads);
  ParameterBlock parameters = model.layout().zeros();
  model.initialise(1, parameters);
  model.prepare(parameters);
  model.judge(parameters);
  TrainedModel kept;
  model.keep(parameters, kept);
  for (Real weight : kept.weights) EXPECT_EQ(weight, Real(0.125));
}

TEST(HeatFront, RefusesWhatItCannotTrainOn) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  const auto error = [&](const HeatFrontOptions& options) {
    return test::error_text([&] { HeatFront(data, options, threads); });
  };
  EXPECT_EQ(error({.time = -1}), "heat-front: time is '-1', but must be a number from 0 to 1e+30");
  EXPECT_EQ(error({.features = "pixels"}),
            "heat-front: features is 'pixels', but must be auto, as-given, binarised, row-sums, row-lengths, "
            "standardised, neighbourhood, l2, tfidf or identity");
  EXPECT_EQ(error({.features = "as-given"}),
            "karate: has no features to be as-given; set features=neighbourhood");
  EXPECT_NE(error({.solver = "cg"}), "") << "it is for the steady state";
}

}  // namespace
}  // namespace heatfront
