// SPDX-License-Identifier: MIT
#include "heatfront/nn/mlp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "support/error_text.h"
#include "support/gradient_check.h"

namespace heatfront {
namespace {

constexpr std::int64_t kNodes = 9, kIn = 11, kOut = 3;

SparseMatrix random_sparse(std::uint64_t seed) {
  const Random random(seed);
  SparseMatrix matrix{.rows = kNodes, .cols = kIn, .offsets = {0}};
  for (std::int64_t u = 0; u < kNodes; ++u) {
    for (std::int64_t j = 0; j < kIn; ++j) {
      const auto index = static_cast<std::uint64_t>(u * kIn + j);
      if (random.uniform(index) > 0.4) continue;
      matrix.columns.push_back(static_cast<std::int32_t>(j));
      matrix.values.push_back(static_cast<Real>(random.normal(index)));
    }
    matrix.offsets.push_back(std::ssize(matrix.columns));
  }
  return matrix;
}

Matrix dense_of(const SparseMatrix& sparse) {
  Matrix matrix(sparse.rows, sparse.cols);
  for (std::int64_t u = 0; u < sparse.rows; ++u) {
    const auto columns = sparse.row_columns(u);
    for (std::size_t k = 0; k < columns.size(); ++k) matrix(u, columns[k]) = sparse.row_values(u)[k];
  }
  return matrix;
}

struct Net {
  Net(const MlpOptions& options, const NetworkInput& input)
      : mlp(input.cols(), kOut, options, layout),
        parameters(layout.zeros()),
        gradient(layout.zeros()),
        entry(spread_matrix(kNodes, mlp.entry_width())),
        out(padded_matrix(kNodes, kOut)),
        step(mlp.step_workspace(kNodes)),
        judging(mlp.judge_workspace(kNodes)) {
    mlp.initialise(Random(7), parameters);
  }

  // Σ (out ∘ target).
  double loss(const NetworkInput& input, ConstMatrixView target, std::uint64_t seed) {
    mlp.enter(input, parameters, entry, threads);
    mlp.forward(entry, parameters, seed, step, out, threads);
    double sum = 0;
    for (std::int64_t u = 0; u < kNodes; ++u) {
      for (std::int64_t c = 0; c < kOut; ++c)
        sum += static_cast<double>(out(u, c)) * static_cast<double>(target(u, c));
    }
    return sum;
  }

  Threads threads{1};
  ParameterLayout layout;
  Mlp mlp;
  ParameterBlock parameters, gradient;
  Matrix entry, out;
  Mlp::StepWorkspace step;
  Mlp::JudgeWorkspace judging;
};

Matrix random_target() {
  Matrix target = padded_matrix(kNodes, kOut);
  for (std::int64_t u = 0; u < kNodes; ++u) {
    for (std::int64_t c = 0; c < kOut; ++c)
      target(u, c) = static_cast<Real>(Random(3).normal(static_cast<std::uint64_t>(u * kOut + c)));
  }
  return target;
}

// Dense layers, lists in the first layer, in the second, and wherever they can be.
std::vector<MlpOptions> mlp_networks() {
  return {{.hidden = {}, .dropout = {}},
          {.hidden = {6}, .dropout = {0.3}},
          {.hidden = {40}, .dropout = {0.9}},
          {.hidden = {40, 7}, .dropout = {0.9, 0.2}},
          {.hidden = {10, 50}, .dropout = {0.4, 0.92}},
          {.hidden = {40, 60, 5}, .dropout = {0.9, 0.9, 0}},
          {.hidden = {64, 5}, .dropout = {0.5, 0.5}, .activation = "elu"},
          {.hidden = {50, 30}, .dropout = {0.9, 0.3}, .activation = "elu", .initialiser = "glorot"}};
}

TEST(Mlp, HasExactGradientsForEveryKindOfLayerAndInput) {
  if (!test::kDouble) GTEST_SKIP() << "differences are too coarse in single precision";
  const SparseMatrix sparse = random_sparse(5);
  const Matrix target = random_target();
  for (const MlpOptions& options : mlp_networks()) {
    for (const NetworkInput& input : {NetworkInput(sparse), NetworkInput(dense_of(sparse).view())}) {
      Net net(options, input);
      net.loss(input, target, 21);
      net.mlp.backward(input, net.parameters, net.step, target, net.gradient, net.threads);
      test::expect_gradient(net.parameters, net.gradient, [&] { return net.loss(input, target, 21); });
    }
  }
}

TEST(Mlp, GivesTheSameForSparseAndDenseInput) {
  const SparseMatrix sparse = random_sparse(6);
  const NetworkInput as_sparse(sparse), as_dense(dense_of(sparse).view());
  for (const MlpOptions& options : mlp_networks()) {
    Net one(options, as_sparse), other(options, as_dense);
    const Matrix target = random_target();
    EXPECT_NEAR(one.loss(as_sparse, target, 4), other.loss(as_dense, target, 4), 1e-4);
    one.mlp.backward(as_sparse, one.parameters, one.step, target, one.gradient, one.threads);
    other.mlp.backward(as_dense, other.parameters, other.step, target, other.gradient, other.threads);
    for (std::size_t i = 0; i < one.gradient.size(); ++i)
      EXPECT_NEAR(static_cast<double>(one.gradient[i]), static_cast<double>(other.gradient[i]), 1e-4);
  }
}

TEST(Mlp, JudgesAsItTrainsWhereNothingIsDropped) {
  const NetworkInput input(random_sparse(8));
  Net net({.hidden = {12, 5}, .dropout = {0, 0}}, input);
  net.loss(input, random_target(), 1);
  Matrix judged = padded_matrix(kNodes, kOut);
  net.mlp.judge(net.entry, net.parameters, net.judging, judged, net.threads);
  for (std::int64_t u = 0; u < kNodes; ++u) {
    for (std::int64_t c = 0; c < kOut; ++c) EXPECT_NEAR(judged(u, c), net.out(u, c), 1e-5);
  }
}

TEST(Mlp, BeginsWithinItsInitialisersBounds) {
  const NetworkInput input(random_sparse(9));
  for (const auto& [name, bound] :
       {std::pair("kaiming", 1 / std::sqrt(11.0)), {"glorot", std::sqrt(6 / (11.0 + 40))}}) {
    Net net({.hidden = {40}, .dropout = {0.5}, .initialiser = name}, input);
    const Parameter& weight = net.layout.parameters()[0];
    ASSERT_EQ(weight.name, "layer1.weight");
    double largest = 0;
    for (std::int64_t i = 0; i < weight.rows; ++i) {
      for (Real w : weight.in(std::span<Real>(net.parameters)).row(i))
        largest = std::max(largest, std::abs(double(w)));
    }
    EXPECT_LT(largest, bound);
    EXPECT_GT(largest, 0.95 * bound);
  }
}

TEST(Mlp, RefusesOptionsThatDoNotFitEachOther) {
  ParameterLayout layout;
  const auto make = [&](const MlpOptions& options) {
    return test::error_text([&] { Mlp(4, 2, options, layout); });
  };
  EXPECT_EQ(make({.hidden = {8}, .dropout = {0.5, 0.5}}),
            "dropout has 2 shares, but there are 1 hidden layers; give one for each, or one for all");
  EXPECT_EQ(make({.hidden = {8}, .dropout = {1}}),
            "network: dropout is '1', but must be numbers from 0 to below 1");
  EXPECT_EQ(make({.activation = "tanh"}), "network: activation is 'tanh', but must be relu or elu");
  EXPECT_EQ(make({.initialiser = "zero"}), "network: initialiser is 'zero', but must be kaiming or glorot");
}

}  // namespace
}  // namespace heatfront
