// SPDX-License-Identifier: MIT
#include "heatfront/diffusion/harmonic_extension.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/graph/components.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

constexpr double kSafety = 4;  // times the error that is seen, for those that are not

// Weights that add up to less than the least normal number count as none.
bool has_edges(const DirichletProblem& problem, double self_loop, NodeId u) {
  if (problem.weights.empty()) return problem.graph.degree(u) > 0;
  double sum = self_loop;
  for (ArcId arc = problem.graph.begin_of(u); arc < problem.graph.begin_of(u + 1); ++arc)
    sum += static_cast<double>(problem.weights[at(arc)]);
  return sum >= static_cast<double>(std::numeric_limits<Real>::min());
}

}  // namespace

bool is_worth_cutting(const Graph& graph, const std::vector<Twig>& twigs) {
  constexpr NodeId kOneOf = 10;  // nodes
  return std::ssize(twigs) > graph.nodes() / kOneOf;
}

TrunkProblem::TrunkProblem(const DirichletProblem& problem, std::vector<Twig> twigs,
                           const FlowOptions& options, Threads& threads)
    : trunk_(problem.graph, problem.weights, std::move(twigs)),
      laplacian_(trunk_.graph, trunk_.weights, options.laplacian, options.lambda, threads, trunk_.loops) {
  std::vector<NodeId> known;
  for (NodeId u : problem.known.nodes) {
    const auto place = std::ranges::lower_bound(trunk_.nodes, u) - trunk_.nodes.begin();
    known.push_back(static_cast<NodeId>(place));
  }
  laplacian_.clamp(known);
}

SolveReport TrunkProblem::solve(SteadySolver& solver, MatrixView state) const {
  Matrix part(std::ssize(trunk_.nodes), state.cols, state.stride);
  for (std::int64_t i = 0; i < part.rows(); ++i) std::ranges::copy(state.row(node(i)), part.row(i).begin());
  const SolveReport report = solver.solve(laplacian_, part);
  for (std::int64_t i = 0; i < part.rows(); ++i) std::ranges::copy(part.row(i), state.row(node(i)).begin());
  for (auto twig = trunk_.twigs.rbegin(); twig != trunk_.twigs.rend(); ++twig)  // joints first
    std::ranges::copy(state.row(twig->joint), state.row(twig->node).begin());
  return report;
}

HarmonicExtension::HarmonicExtension(const DirichletProblem& problem, const Laplacian& laplacian,
                                     const FlowOptions& options)
    : problem_(problem),
      laplacian_(laplacian),
      tolerance_(options.solve.tolerance),
      solver_(steady_solver(solver_of(options).name, options.solve)),
      reached_(reached_from(problem.graph, problem.weights, problem.known.nodes)) {
  for (NodeId u = 0; u < problem.graph.nodes(); ++u) {
    if (reached_[at(u)] && !has_edges(problem, options.laplacian.self_loop, u))
      reached_[at(u)] = laplacian.clamped(u);
  }
  std::vector<Twig> twigs = find_twigs(problem.graph, problem.weights, problem.known.nodes);
  if (is_worth_cutting(problem.graph, twigs))
    trunk_.emplace(problem, std::move(twigs), options, laplacian.threads());
}

// Where no row is clamped, heat comes to rest at the mean of the start (in the operator's coordinates and
// metric). Without a front that is zero, as it is already.
void HarmonicExtension::settle_free_components(MatrixView state) const {
  if (problem_.front.rows == 0) return;
  const Components components = connected_components(problem_.graph);
  const auto component = [&](std::int64_t u) { return at(components.of[at(u)]); };
  std::vector<double> mass(at(components.count())), sums(mass.size());
  for (std::int64_t u = 0; u < state.rows; ++u) mass[component(u)] += laplacian_.metric_at(u);
  for (std::int64_t c = 0; c < state.cols; ++c) {
    std::ranges::fill(sums, 0.0);
    for (std::int64_t u = 0; u < state.rows; ++u)
      sums[component(u)] += laplacian_.metric_at(u) * static_cast<double>(state(u, c));
    for (std::int64_t u = 0; u < state.rows; ++u) {
      if (!reached_[at(u)]) state(u, c) = static_cast<Real>(sums[component(u)] / mass[component(u)]);
    }
  }
}

// Rows that known nodes reach forget the front, of which their state at rest knows nothing. Returns the largest known
// number, which the last column, the one beside the classes, has at all known nodes.
double HarmonicExtension::begin(MatrixView state) const {
  Real most = 0;
  for (NodeId u : problem_.known.nodes) {
    for (Real x : state.row(u)) most = std::max(most, std::abs(x));
  }
  for (std::int64_t u = 0; u < state.rows; ++u) {
    if (reached_[at(u)] && !laplacian_.clamped(u)) std::ranges::fill(state.row(u), Real(0));
  }
  if (most == 0) most = 1;
  for (NodeId u : problem_.known.nodes) state(u, state.cols - 1) = most;
  return static_cast<double>(most);
}

// Of the column from its truth, relative to it.
double HarmonicExtension::deviation(ConstMatrixView state, std::int64_t column, double truth) const {
  double worst = 0;
  for (std::int64_t u = 0; u < state.rows; ++u) {
    if (!reached_[at(u)] || laplacian_.clamped(u)) continue;
    const double off = std::abs(static_cast<double>(state(u, column)) - truth);
    worst = off <= worst ? worst : off;  // what is no number stays
  }
  return std::isnan(worst) ? std::numeric_limits<double>::infinity() : worst / truth;
}

SolveReport HarmonicExtension::solve(MatrixView state) {
  assert(state.stride > state.cols);
  settle_free_components(state);
  const MatrixView probed{state.data, state.rows, state.cols + 1, state.stride};
  const double truth = begin(probed);
  SolveReport report = trunk_ ? trunk_->solve(*solver_, probed) : solver_->solve(laplacian_, probed);
  const double off = kSafety * (deviation(state, state.cols, truth) +
                                static_cast<double>(std::numeric_limits<Real>::epsilon()));
  for (std::int64_t u = 0; u < state.rows; ++u) probed(u, state.cols) = 0;
  report.reached = report.reached && off <= std::sqrt(tolerance_);
  double seen = 1;
  for (Real scale : laplacian_.row_scale()) seen = std::max(seen, static_cast<double>(scale));
  report.error_estimate = off * truth * seen;
  return report;
}

}  // namespace heatfront
