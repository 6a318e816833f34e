// SPDX-License-Identifier: MIT
#include "heatfront/models/layers/graph_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/graph/edge_weights.h"
#include "support/error_text.h"
#include "support/gradient_check.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;
using test::RandomProblem;

// The shapes that have loops of their own, and such as have none.
std::vector<GraphAttentionOptions> shapes(double dropout) {
  std::vector<GraphAttentionOptions> all;
  for (const auto& [heads, width] : {std::pair(8, 8), {8, 3}, {1, 7}, {1, 4}, {3, 5}, {2, 1}})
    all.push_back(
        {.heads = heads, .width = width, .attention_dropout = dropout, .feature_dropout = dropout / 2});
  return all;
}

// A layer on a random graph, and the loss Σ out ∘ target.
struct AttentionLayer {
  AttentionLayer(const RandomProblem& problem, const GraphAttentionOptions& options, int thread_count = 1)
      : threads(thread_count),
        graph(problem.graph),
        reverse(reverse_arcs(graph)),
        attention(options, "attention", layout),
        parameters(layout.zeros()),
        gradient(layout.zeros()),
        z(problem.front),
        target(RandomProblem(99, graph.nodes(), z.cols()).front),
        out(padded_matrix(z.rows(), z.cols())),
        d_z(padded_matrix(z.rows(), z.cols())),
        judging(attention.judge_workspace(z.rows())),
        step(attention.step_workspace(graph, z.rows(), out.rows())) {
    attention.initialise(Random(5), parameters);
  }

  double loss(std::uint64_t seed) {
    attention.forward(graph, z, parameters, seed, step, out, threads);
    double sum = 0;
    for (std::int64_t u = 0; u < out.rows(); ++u) {
      for (std::int64_t c = 0; c < out.cols(); ++c)
        sum += static_cast<double>(out(u, c)) * static_cast<double>(target(u, c));
    }
    return sum;
  }
  void backward() {
    attention.backward(graph, reverse, z, out, parameters, target, step, d_z, gradient, threads);
  }

  Threads threads;
  Graph graph;
  std::vector<ArcId> reverse;
  ParameterLayout layout;
  GraphAttention attention;
  ParameterBlock parameters, gradient;
  Matrix z, target, out, d_z;
  GraphAttention::JudgeWorkspace judging;
  GraphAttention::StepWorkspace step;
};

RandomProblem problem_for(const GraphAttentionOptions& options, NodeId nodes, double arcs_a_node = 3) {
  return RandomProblem(4, nodes, options.heads * options.width, arcs_a_node);
}

// By definition: all pairs, in double precision, without dropout.
Dense reference(const Graph& graph, const GraphAttentionOptions& options, const Dense& z,
                const std::vector<double>& receiver, const std::vector<double>& sender) {
  const auto n = static_cast<std::size_t>(graph.nodes()), width = static_cast<std::size_t>(options.width);
  Dense out(n, z.cols);
  for (std::size_t h = 0; h < static_cast<std::size_t>(options.heads); ++h) {
    Dense e(n, n);
    for (std::size_t u = 0; u < n; ++u) {
      const auto neighbours = graph.neighbours(static_cast<NodeId>(u));
      double sum = 0;
      for (std::size_t v = 0; v < n; ++v) {
        if (u != v && !std::ranges::count(neighbours, static_cast<NodeId>(v))) continue;
        double score = 0;
        for (std::size_t c = h * width; c < (h + 1) * width; ++c)
          score += receiver[c] * z(u, c) + sender[c] * z(v, c);
        e(u, v) = std::exp(score > 0 ? score : options.slope * score);
        sum += e(u, v);
      }
      for (std::size_t v = 0; v < n; ++v) {
        for (std::size_t c = h * width; c < (h + 1) * width; ++c) out(u, c) += e(u, v) / sum * z(v, c);
      }
    }
  }
  return out;
}

TEST(GraphAttention, IsTheAverageOfItsDefinitionWhenItJudges) {
  for (const GraphAttentionOptions& options : shapes(0.6)) {
    const RandomProblem problem = problem_for(options, 40);
    AttentionLayer layer(problem, options);
    layer.attention.judge(layer.graph, layer.z, layer.parameters, layer.judging, layer.out, layer.threads);
    const auto vector = [&](std::size_t k) {
      const auto row = layer.layout.parameters()[k].in(std::span<Real>(layer.parameters)).row(0);
      return std::vector<double>(row.begin(), row.end());
    };
    const Dense expected = reference(problem.graph, options, test::dense_of(layer.z), vector(0), vector(1));
    EXPECT_LT(test::largest_difference(test::dense_of(layer.out), expected), test::kDouble ? 1e-13 : 2e-6)
        << options.heads << " heads of " << options.width;
  }
}

TEST(GraphAttention, TrainsAsItJudgesWhereNothingIsDropped) {
  for (const GraphAttentionOptions& options : shapes(0)) {
    AttentionLayer layer(problem_for(options, 40), options);
    layer.loss(3);
    const Dense trained = test::dense_of(layer.out);
    layer.attention.judge(layer.graph, layer.z, layer.parameters, layer.judging, layer.out, layer.threads);
    EXPECT_LT(test::largest_difference(trained, test::dense_of(layer.out)), 1e-6);
  }
}

TEST(GraphAttention, HasExactGradients) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  for (double dropout : {0.0, 0.6}) {
    for (const GraphAttentionOptions& options : shapes(dropout)) {
      AttentionLayer layer(problem_for(options, 11), options);
      layer.loss(8);
      layer.backward();
      test::expect_gradient(layer.parameters, layer.gradient, [&] { return layer.loss(8); });
      test::expect_gradient(test::numbers(layer.z), test::numbers(layer.d_z), [&] { return layer.loss(8); });
    }
  }
}

TEST(GraphAttention, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const GraphAttentionOptions& options : {shapes(0.5)[0], shapes(0.5)[2], shapes(0.5)[4]}) {
    const RandomProblem problem = problem_for(options, 2000, 20);
    AttentionLayer one(problem, options);
    one.loss(2);
    one.backward();
    for (int count : {2, 3, 8}) {
      AttentionLayer many(problem, options, count);
      EXPECT_EQ(many.loss(2), one.loss(2));
      many.backward();
      EXPECT_TRUE(std::ranges::equal(test::numbers(many.d_z), test::numbers(one.d_z)));
      EXPECT_EQ(many.gradient, one.gradient);
    }
  }
}

// Nodes 0 – 1, and 2 alone. One head of one unit, a = 2, a' = −1, z = (1, 3, 5): s_u + r_v is 2 − 1 and 2 − 3 for
// node 0, 6 − 1 and 6 − 3 for node 1.
TEST(GraphAttention, IsRightByHandOnThreeNodes) {
  RandomProblem problem(0, 3, 1);
  problem.graph = Graph({0, 1, 2, 2}, {1, 0});
  AttentionLayer layer(problem, {.heads = 1, .width = 1, .attention_dropout = 0, .feature_dropout = 0});
  layer.parameters[0] = 2;
  layer.parameters[static_cast<std::size_t>(layer.layout.parameters()[1].offset)] = -1;
  layer.z(0, 0) = 1;
  layer.z(1, 0) = 3;
  layer.z(2, 0) = 5;
  layer.loss(1);
  const double own = 1 / (1 + std::exp(-0.2 - 1.0)), other = 1 / (1 + std::exp(3.0 - 5.0));
  EXPECT_NEAR(layer.out(0, 0), own * 1 + (1 - own) * 3, 1e-6);
  EXPECT_NEAR(layer.out(1, 0), other * 1 + (1 - other) * 3, 1e-6);
  EXPECT_EQ(layer.out(2, 0), 5);
}

TEST(GraphAttention, StaysFiniteWhereScoresAreLarge) {
  const GraphAttentionOptions options{.heads = 8, .width = 8};
  AttentionLayer layer(problem_for(options, 30), options);
  for (Real& x : layer.parameters) x *= 500;
  EXPECT_TRUE(std::isfinite(layer.loss(1)));
  layer.backward();
  for (Real x : layer.gradient) EXPECT_TRUE(std::isfinite(x));
}

TEST(GraphAttention, DropsTheSharesItIsTold) {
  const GraphAttentionOptions options{
      .heads = 8, .width = 8, .attention_dropout = 0.6, .feature_dropout = 0.25};
  const RandomProblem problem = problem_for(options, 2000, 8);
  AttentionLayer layer(problem, options);
  layer.loss(6);
  const auto slots = static_cast<std::size_t>((problem.graph.arcs() + problem.graph.nodes()) * options.heads);
  const auto dropped =
      std::ranges::count_if(std::span(layer.step.attention).first(slots), [](Real x) { return x < 0; });
  EXPECT_NEAR(static_cast<double>(dropped) / static_cast<double>(slots), 0.6, 0.01);
  const auto zeros = std::ranges::count(test::numbers(layer.step.z), Real(0));
  EXPECT_NEAR(static_cast<double>(zeros) / (2000 * 64), 0.25, 0.01);
}

TEST(GraphAttention, RefusesShapesAndSharesThatCannotBe) {
  const Graph graph = Graph::without_edges(2);
  const auto error = [&](const GraphAttentionOptions& options) {
    ParameterLayout layout;
    return test::error_text([&] { GraphAttention(options, "a", layout); });
  };
  EXPECT_EQ(error({.heads = 0}), "attention: heads is '0', but must be a whole number from 1 to 64");
  EXPECT_EQ(error({.heads = 65}), "attention: heads is '65', but must be a whole number from 1 to 64");
  EXPECT_EQ(error({.width = 0}), "attention: width is '0', but must be a whole number, 1 or more");
  EXPECT_EQ(error({.slope = 1}), "attention: slope is '1', but must be a number from 0 to below 1");
  EXPECT_EQ(error({.attention_dropout = 1}),
            "attention: attention_dropout is '1', but must be a number from 0 to below 1");
}

}  // namespace
}  // namespace heatfront
