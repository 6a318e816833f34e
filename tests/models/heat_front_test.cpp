// SPDX-License-Identifier: MIT
#include "heatfront/models/heat_front.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
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

// Everything that a step can do beyond the paper. Without sharpening the samples' mean is where their distance is least, so that holding it
// constant changes no derivative.
HeatFrontOptions far_heat_front() {
  HeatFrontOptions options = small_heat_front("free");
  options.label_scale = 0.7;
  options.label_unit = "front";
  options.fronts = 2;
  options.held_labels = 0.6;
  options.samples = 2;
  options.front_dropout = 0.4;
  options.consistency = 1.5;
  return options;
}

TEST(HeatFront, HasExactGradientsWithSamplesDroppedRowsHeldLabelsAndSeveralFronts) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  Threads threads(1);
  const Dataset data =
      test::small_data("blocks:blocks=3,size=10,inside=0.4,across=0.05", "per-class 4,3", threads);
  for (const char* laplacian : {"symmetric", "random-walk", "combinatorial"}) {
    HeatFrontOptions options = far_heat_front();
    options.laplacian = laplacian;
    HeatFront model(data, options, threads);
    ParameterBlock parameters = model.layout().zeros(), gradient = model.layout().zeros();
    ParameterBlock ignored = gradient;
    model.initialise(3, parameters);
    model.prepare(parameters);
    model.gradient(parameters, 5, gradient);  // of which nothing must be left
    model.gradient(parameters, 17, gradient);
    test::expect_gradient(
        parameters, gradient,
        [&] {
          model.prepare(parameters);
          return model.gradient(parameters, 17, ignored);
        },
        1e-6, 7);
  }
}

TEST(HeatFront, TakesTheSameStepForAnyNumberOfThreadsWhateverItsSettings) {
  Threads one(1), three(3);
  const Dataset data =
      test::small_data("blocks:blocks=3,size=40,inside=0.2,across=0.02", "per-class 4,3", one);
  const auto gradient = [&](Threads& threads) {
    HeatFront model(data, far_heat_front(), threads);
    ParameterBlock parameters = model.layout().zeros(), result = model.layout().zeros();
    model.initialise(3, parameters);
    model.prepare(parameters);
    model.gradient(parameters, 17, result);
    return result;
  };
  EXPECT_EQ(gradient(one), gradient(three));
}

TEST(HeatFront, AnswersFromTheMeanOfItsFronts) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  const auto front_of = [&](HeatFront& model, std::span<const Real> parameters) {
    model.prepare(parameters);
    model.judge(parameters);
    TrainedModel kept;
    model.keep(parameters, kept);
    return kept.front;
  };
  HeatFrontOptions options = small_heat_front("none");
  HeatFront single(data, options, threads);
  options.fronts = 2;
  HeatFront both(data, options, threads);
  ParameterBlock parameters = both.layout().zeros(), first = single.layout().zeros(), second = first;
  both.initialise(1, parameters);
  std::copy_n(parameters.begin(), first.size(), first.begin());
  const auto begin = both.layout().parameters()[single.layout().parameters().size()].offset;
  std::copy_n(parameters.begin() + begin, second.size(), second.begin());
  const Matrix mean = front_of(both, parameters), one = front_of(single, first),
               other = front_of(single, second);
  for (NodeId u = 0; u < data.nodes(); ++u) {
    EXPECT_NE(one(u, 0), other(u, 0)) << "each has a start of its own";
    for (ClassId c = 0; c < 2; ++c)
      EXPECT_NEAR(static_cast<double>(mean(u, c)), static_cast<double>(one(u, c) + other(u, c)) / 2, 1e-5);
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
            "standardised, products, neighbourhood, l2, tfidf or identity");
  EXPECT_EQ(error({.features = "as-given"}),
            "karate has no features to be as-given; set features=neighbourhood");
  EXPECT_NE(error({.solver = "cg"}), "") << "it is for the steady state";
}

}  // namespace
}  // namespace heatfront
