// SPDX-License-Identifier: MIT
// Gradients of every time solver with respect to the front and the edge weights: meaningful in double
// precision only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heatfront/graph/edge_weights.h"
#include "heatfront/solve/solvers.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::RandomProblem;

constexpr double kTime = 1.5;

// L(f) = Σ g f of the flow from the front, for one solver and one kind of flow.
struct Setting {
  const RandomProblem& problem;
  LaplacianOptions laplacian;
  bool clamped;
  std::string solver;
  SolveOptions options;
};

struct Gradients {
  Matrix front;
  std::vector<Real> edges;
};

double inner_product(const Matrix& x, const Matrix& y) {
  double sum = 0;
  for (std::int64_t u = 0; u < x.rows(); ++u) {
    for (std::int64_t c = 0; c < x.cols(); ++c) sum += static_cast<double>(x(u, c) * y(u, c));
  }
  return sum;
}

// With gradients only where they are asked for.
double run(const Setting& setting, std::span<const Real> weights, const Matrix& front, const Matrix& g,
           Gradients* gradients = nullptr) {
  Threads threads(1);
  Laplacian laplacian(setting.problem.graph, weights, setting.laplacian, 1.2, threads);
  if (setting.clamped) laplacian.clamp(setting.problem.known);
  const auto solver = time_solver(setting.solver, setting.options);
  Trace trace;
  Matrix end = front;
  laplacian.enter(end);
  solver->solve(laplacian, kTime, end, gradients != nullptr ? &trace : nullptr);
  laplacian.leave(end);
  if (gradients != nullptr) {
    gradients->front = g;
    OperatorGradient by_operator = laplacian.zero_gradient();
    laplacian.enter_adjoint(gradients->front);
    solver->backward(laplacian, kTime, trace, gradients->front, &by_operator);
    laplacian.leave_adjoint(gradients->front);
    Laplacian::WeightGradient by_weight;
    laplacian.weight_gradient(by_operator, front, gradients->front, end, g, reverse_arcs(laplacian.graph()),
                              by_weight);
    gradients->edges = by_weight.edges;
  }
  return inner_product(g, end);
}

double largest(std::span<const Real> values) {
  double most = 0;
  for (Real value : values) most = std::max(most, static_cast<double>(std::abs(value)));
  return most;
}

class GradientsOfEverySolver : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (sizeof(Real) < 8) GTEST_SKIP() << "SKIPPED: needs the double-precision build";
  }
};

std::vector<std::string> time_solvers() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : solvers()) {
    if (entry.for_time != nullptr) names.emplace_back(entry.name);
  }
  return names;
}
std::string solver_name(const testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Table, GradientsOfEverySolver, testing::ValuesIn(time_solvers()), solver_name);

template <class Check>
void for_each_flow(const std::string& solver, const SolveOptions& options, const Check& check) {
  for (std::uint64_t seed : {1u, 4u}) {
    const RandomProblem problem(seed, 12, 2, 4);
    for (LaplacianKind kind :
         {LaplacianKind::symmetric, LaplacianKind::random_walk, LaplacianKind::combinatorial}) {
      for (bool clamped : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << "seed " << seed << ", " << name_of(kind) << ", clamped " << clamped);
        std::vector<Real> weights = problem.weights;
        weights.resize(static_cast<std::size_t>(problem.graph.arcs()), 1);
        check(Setting{problem, {kind, 0.8}, clamped, solver, options}, weights,
              RandomProblem(seed + 50, 12, 2).front);
      }
    }
  }
}

// Equal steps of a given length stay the same under small changes, so this is the derivative of what was
// computed also where the steps are coarse.
TEST_P(GradientsOfEverySolver, AreThoseOfFiniteDifferences) {
  const bool adaptive = GetParam() == "dopri5" || GetParam() == "bosh3";
  for_each_flow(GetParam(), {.tolerance = adaptive ? 1e-8 : 1e-13, .step = 0.1},
                [](const Setting& setting, const std::vector<Real>& weights, const Matrix& g) {
                  const Matrix& front = setting.problem.front;
                  Gradients gradients;
                  run(setting, weights, front, g, &gradients);
                  constexpr double kStep = 1e-3;
                  for (std::int64_t u = 0; u < front.rows(); ++u) {
                    Matrix above = front, below = front;
                    above(u, 1) += static_cast<Real>(kStep);
                    below(u, 1) -= static_cast<Real>(kStep);
                    const double expected =
                        (run(setting, weights, above, g) - run(setting, weights, below, g)) / (2 * kStep);
                    EXPECT_NEAR(static_cast<double>(gradients.front(u, 1)), expected, 1e-7) << "node " << u;
                  }
                  const std::vector<ArcId> reverse = reverse_arcs(setting.problem.graph);
                  for (std::size_t arc = 0; arc < weights.size(); arc += 3) {
                    const auto loss = [&](double by) {
                      std::vector<Real> changed = weights;
                      changed[arc] += static_cast<Real>(by);
                      changed[static_cast<std::size_t>(reverse[arc])] += static_cast<Real>(by);
                      return run(setting, changed, front, g);
                    };
                    const double near = (loss(kStep) - loss(-kStep)) / (2 * kStep);
                    const double far = (loss(2 * kStep) - loss(-2 * kStep)) / (4 * kStep);
                    EXPECT_NEAR(static_cast<double>(gradients.edges[arc]), (4 * near - far) / 3, 1e-7)
                        << "arc " << arc;
                  }
                });
}

// Those of an order that allows it.
class GradientsOfAccurateSolvers : public GradientsOfEverySolver {};
INSTANTIATE_TEST_SUITE_P(Table, GradientsOfAccurateSolvers,
                         testing::Values("krylov", "dopri5", "bosh3", "rk4"), solver_name);

TEST_P(GradientsOfAccurateSolvers, AreChebyshevs) {
  for_each_flow(GetParam(), {.tolerance = 1e-11},
                [](const Setting& setting, const std::vector<Real>& weights, const Matrix& g) {
                  Setting chebyshev = setting;
                  chebyshev.solver = "chebyshev";
                  Gradients own, truth;
                  run(setting, weights, setting.problem.front, g, &own);
                  run(chebyshev, weights, setting.problem.front, g, &truth);
                  for (std::size_t arc = 0; arc < weights.size(); ++arc) {
                    EXPECT_NEAR(static_cast<double>(own.edges[arc]), static_cast<double>(truth.edges[arc]),
                                1e-8 * largest(truth.edges));
                  }
                  for (std::int64_t u = 0; u < g.rows(); ++u) {
                    EXPECT_NEAR(static_cast<double>(own.front(u, 1)), static_cast<double>(truth.front(u, 1)),
                                1e-8);
                  }
                });
}

}  // namespace
}  // namespace heatfront
