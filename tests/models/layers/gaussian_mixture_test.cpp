// SPDX-License-Identifier: MIT
#include "heatfront/models/layers/gaussian_mixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "support/error_text.h"
#include "support/gradient_check.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;
using test::RandomProblem;

// Blocks that are whole words and such as are not, sums and means.
std::vector<GaussianMixtureOptions> shapes() {
  return {{.kernels = 3, .width = 16},
          {.kernels = 3, .width = 7},
          {.kernels = 2, .width = 3, .mean = true},
          {.kernels = 1, .width = 5},
          {.kernels = 2, .width = 8, .mean = true},
          {.kernels = 4, .width = 12}};
}

// A layer on a random graph, and the loss Σ out ∘ target.
struct MixtureLayer {
  MixtureLayer(const Graph& on, const GaussianMixtureOptions& options, int thread_count = 1)
      : threads(thread_count),
        graph(on),
        pairs(graph),
        mixture(pairs, options, "mixture", layout),
        parameters(layout.zeros()),
        gradient(layout.zeros()),
        z(RandomProblem(3, graph.nodes(), options.kernels * options.width).front),
        d_z(padded_matrix(z.rows(), z.cols())),
        target(RandomProblem(99, graph.nodes(), options.width).front),
        out(padded_matrix(z.rows(), options.width)),
        weights(mixture.weights()),
        judging(mixture.judge_workspace(z.rows())),
        step(mixture.step_workspace(pairs, z.rows())) {
    mixture.initialise(Random(5), parameters);
  }

  Real& parameter(std::size_t which, std::int64_t i, std::int64_t j) {
    return layout.parameters()[which].in(std::span<Real>(parameters))(i, j);
  }
  double loss() {
    mixture.weigh(parameters, weights, threads);
    mixture.forward({graph, pairs}, z, weights, step, out, threads);
    double sum = 0;
    for (std::int64_t u = 0; u < out.rows(); ++u) {
      for (std::int64_t c = 0; c < out.cols(); ++c)
        sum += static_cast<double>(out(u, c)) * static_cast<double>(target(u, c));
    }
    return sum;
  }
  void backward() {
    mixture.backward({graph, pairs}, z, weights, parameters, target, step, d_z, gradient, threads);
  }

  Threads threads;
  Graph graph;
  DegreePairs pairs;
  ParameterLayout layout;
  GaussianMixture mixture;
  ParameterBlock parameters, gradient;
  Matrix z, d_z, target, out;
  GaussianMixture::Weights weights;
  GaussianMixture::JudgeWorkspace judging;
  GaussianMixture::StepWorkspace step;
};

// By definition: all pairs of nodes, in double precision.
Dense reference(MixtureLayer& layer, const GaussianMixtureOptions& options) {
  const NodeId n = layer.graph.nodes();
  Dense out(static_cast<std::size_t>(n), static_cast<std::size_t>(options.width));
  const auto degree = [&](NodeId u) { return layer.graph.degree(u) + 1.0; };
  const auto number = [&](std::size_t which, std::int64_t i, std::int64_t j) {
    return static_cast<double>(layer.parameter(which, i, j));
  };
  for (NodeId u = 0; u < n; ++u) {
    for (NodeId v = 0; v < n; ++v) {
      if (u != v && !std::ranges::count(layer.graph.neighbours(u), v)) continue;
      for (std::int64_t k = 0; k < options.kernels; ++k) {
        double exponent = 0;
        for (std::int64_t j = 0; j < 2; ++j) {
          const double q = std::tanh(number(0, 0, j) / std::sqrt(degree(u)) +
                                     number(0, 1, j) / std::sqrt(degree(v)) + number(1, 0, j));
          exponent -= 0.5 * std::pow(number(3, k, j) * (q - number(2, k, j)), 2);
        }
        for (std::int64_t c = 0; c < options.width; ++c) {
          out(static_cast<std::size_t>(u), static_cast<std::size_t>(c)) +=
              std::exp(exponent) * static_cast<double>(layer.z(v, k * options.width + c)) /
              (options.mean ? degree(u) : 1);
        }
      }
    }
  }
  return out;
}

TEST(GaussianMixture, IsTheSumOfItsDefinition) {
  for (const GaussianMixtureOptions& options : shapes()) {
    MixtureLayer layer(RandomProblem(6, 40, 1).graph, options);
    for (std::int64_t k = 0; k < options.kernels; ++k) layer.parameter(3, k, 1) = Real(0.5 + 0.3 * double(k));
    layer.loss();
    const Dense expected = reference(layer, options);
    EXPECT_LT(test::largest_difference(test::dense_of(layer.out), expected), test::kDouble ? 1e-13 : 5e-6);
    layer.mixture.judge({layer.graph, layer.pairs}, layer.z, layer.weights, layer.judging, layer.out,
                        layer.threads);
    EXPECT_LT(test::largest_difference(test::dense_of(layer.out), expected), test::kDouble ? 1e-13 : 5e-6);
  }
}

TEST(GaussianMixture, HasExactGradients) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  for (const GaussianMixtureOptions& options : shapes()) {
    MixtureLayer layer(RandomProblem(8, 13, 1).graph, options);
    for (std::int64_t k = 0; k < options.kernels; ++k) layer.parameter(3, k, 0) = Real(0.7 + 0.4 * double(k));
    layer.loss();
    layer.backward();
    test::expect_gradient(layer.parameters, layer.gradient, [&] { return layer.loss(); });
    test::expect_gradient(test::numbers(layer.z), test::numbers(layer.d_z), [&] { return layer.loss(); });
  }
}

TEST(GaussianMixture, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const GaussianMixtureOptions& options : {shapes()[0], shapes()[1]}) {
    const Graph graph = RandomProblem(4, 2000, 1, 20).graph;
    MixtureLayer one(graph, options);
    one.loss();
    one.backward();
    for (int count : {2, 3, 8}) {
      MixtureLayer many(graph, options, count);
      EXPECT_EQ(many.loss(), one.loss());
      many.backward();
      EXPECT_TRUE(std::ranges::equal(test::numbers(many.d_z), test::numbers(one.d_z)));
      EXPECT_EQ(many.gradient, one.gradient);
    }
  }
}

// Nodes 0 – 1, and 2 alone; one kernel of one unit. With P = 0 and b = (tanh⁻¹ ½, 0) q is (½, 0) everywhere; μ = (0, 1)
// and τ = (2, 3) make g = exp(−½ (1 + 9)).
TEST(GaussianMixture, IsRightByHandOnThreeNodes) {
  for (bool mean : {false, true}) {
    MixtureLayer layer(Graph({0, 1, 2, 2}, {1, 0}), {.kernels = 1, .width = 1, .mean = mean});
    std::ranges::fill(layer.parameters, Real(0));
    layer.parameter(1, 0, 0) = static_cast<Real>(std::atanh(0.5));
    layer.parameter(2, 0, 1) = 1;
    layer.parameter(3, 0, 0) = 2;
    layer.parameter(3, 0, 1) = 3;
    for (NodeId u = 0; u < 3; ++u) layer.z(u, 0) = static_cast<Real>(1 + 2 * u);
    layer.loss();
    const double g = std::exp(-5.0), share = mean ? 0.5 : 1;
    EXPECT_NEAR(layer.out(0, 0), share * 4 * g, 1e-7);
    EXPECT_NEAR(layer.out(1, 0), share * 4 * g, 1e-7);
    EXPECT_NEAR(layer.out(2, 0), 5 * g, 1e-7);
  }
}

TEST(GaussianMixture, RefusesShapesThatCannotBe) {
  const Graph graph = Graph::without_edges(2);
  const DegreePairs pairs(graph);
  ParameterLayout layout;
  const auto error = [&](const GaussianMixtureOptions& options) {
    return test::error_text([&] { GaussianMixture(pairs, options, "m", layout); });
  };
  EXPECT_EQ(error({.kernels = 0}), "mixture: kernels is '0', but must be a whole number, 1 or more");
  EXPECT_EQ(error({.width = 0}), "mixture: width is '0', but must be a whole number, 1 or more");
}

}  // namespace
}  // namespace heatfront
