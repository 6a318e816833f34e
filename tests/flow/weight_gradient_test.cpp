// SPDX-License-Identifier: MIT
// Gradients of the flow, against finite differences: meaningful in double precision only.
#include <gtest/gtest.h>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/solve/chebyshev.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::RandomProblem;

struct Setting {
  LaplacianOptions laplacian;
  bool clamped;
};

// L(f) = Σ g f + ½ Σ f², so that ∂L/∂f = g + f.
struct Loss {
  Matrix g;
  double value(const Matrix& f) const {
    double sum = 0;
    for (std::int64_t u = 0; u < f.rows(); ++u) {
      for (std::int64_t c = 0; c < f.cols(); ++c) {
        const double x = static_cast<double>(f(u, c));
        sum += static_cast<double>(g(u, c)) * x + x * x / 2;
      }
    }
    return sum;
  }
};

Matrix flow(const RandomProblem& problem, std::span<const Real> weights, const Setting& setting,
            const Matrix& front) {
  Threads threads(1);
  Laplacian laplacian(problem.graph, weights, setting.laplacian, 1.3, threads);
  if (setting.clamped) laplacian.clamp(problem.known);
  Matrix state = front;
  laplacian.enter(state);
  Chebyshev({.tolerance = 1e-14}).solve(laplacian, 2, state, nullptr);
  laplacian.leave(state);
  return state;
}

TEST(FlowGradient, IsThatOfFiniteDifferences) {
  if (sizeof(Real) < 8) GTEST_SKIP() << "SKIPPED: needs the double-precision build";
  for (std::uint64_t seed : {1u, 3u, 4u, 5u}) {
    const RandomProblem problem(seed, 10, 2, 4);
    const std::vector<ArcId> reverse = reverse_arcs(problem.graph);
    std::vector<Real> weights = problem.weights;
    weights.resize(static_cast<std::size_t>(problem.graph.arcs()), 1);
    const Loss loss{RandomProblem(seed + 50, 10, 2).front};
    for (LaplacianKind kind :
         {LaplacianKind::symmetric, LaplacianKind::random_walk, LaplacianKind::combinatorial}) {
      for (bool clamped : {false, true}) {
        const Setting setting{{kind, 0.8}, clamped};
        Threads threads(1);
        Laplacian laplacian(problem.graph, weights, setting.laplacian, 1.3, threads);
        if (clamped) laplacian.clamp(problem.known);
        Chebyshev solver({.tolerance = 1e-14});
        Trace trace;
        Matrix end = problem.front;
        laplacian.enter(end);
        solver.solve(laplacian, 2, end, &trace);
        laplacian.leave(end);
        Matrix d_end = loss.g;
        add_scaled(1, end, d_end, threads);
        Matrix d_start = d_end;
        OperatorGradient gradient = laplacian.zero_gradient();
        laplacian.enter_adjoint(d_start);
        solver.backward(laplacian, 2, trace, d_start, &gradient);
        laplacian.leave_adjoint(d_start);
        Laplacian::WeightGradient d_weights;
        laplacian.weight_gradient(gradient, problem.front, d_start, end, d_end, reverse_arcs(problem.graph),
                                  d_weights);

        constexpr double kStep = 1e-6;
        const auto difference = [&](const auto& change) {
          const double above = change(kStep), below = change(-kStep);
          return (above - below) / (2 * kStep);
        };
        for (std::int64_t u = 0; u < 10; ++u) {
          const double expected = difference([&](double by) {
            Matrix front = problem.front;
            front(u, 1) += static_cast<Real>(by);
            return loss.value(flow(problem, weights, setting, front));
          });
          EXPECT_NEAR(static_cast<double>(d_start(u, 1)), expected, 1e-7) << seed << " " << clamped;
        }
        for (std::size_t arc = 0; arc < weights.size(); ++arc) {
          const double expected = difference([&](double by) {
            std::vector<Real> changed = weights;
            changed[arc] += static_cast<Real>(by);
            changed[static_cast<std::size_t>(reverse[arc])] += static_cast<Real>(by);
            return loss.value(flow(problem, changed, setting, problem.front));
          });
          EXPECT_NEAR(static_cast<double>(d_weights.edges[arc]), expected, 1e-7) << seed << " " << clamped;
        }
        const double loop = difference([&](double by) {
          Setting changed = setting;
          changed.laplacian.self_loop += by;
          return loss.value(flow(problem, weights, changed, problem.front));
        });
        EXPECT_NEAR(d_weights.self_loop, loop, 1e-7) << seed << " " << clamped;
      }
    }
  }
}

}  // namespace
}  // namespace heatfront
