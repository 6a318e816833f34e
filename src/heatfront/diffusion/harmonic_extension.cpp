// SPDX-License-Identifier: MIT
#include "heatfront/diffusion/harmonic_extension.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/random.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

constexpr double kSafety = 4;        // times the error that is seen, for those that are not
constexpr double kUnknownError = 2;  // from one end of the labels' range to the other

std::unique_ptr<SteadySolver> with_witness(const FlowOptions& options) {
  SolveOptions solve = options.solve;
  solve.witnesses = 1;
  return steady_solver(solver_of(options).name, solve);
}

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
      laplacian_(trunk_.graph, trunk_.weights, options.laplacian, 1, threads, trunk_.loops) {
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
      solver_(with_witness(options)),
      reached_(reached_from(problem.graph, problem.weights, problem.known.nodes)) {
  for (NodeId u = 0; u < problem.graph.nodes(); ++u) {
    if (reached_[at(u)] && !has_edges(problem, options.laplacian.self_loop, u))
      reached_[at(u)] = laplacian.clamped(u);
  }
  if (problem.front.rows > 0) components_ = connected_components(problem.graph);
  std::vector<Twig> twigs = find_twigs(problem.graph, problem.weights, problem.known.nodes);
  if (is_worth_cutting(problem.graph, twigs))
    trunk_.emplace(problem, std::move(twigs), options, laplacian.threads());
}

// Component by component: Σ m x / Σ m of every column.
std::vector<Real> HarmonicExtension::means_of_components(ConstMatrixView state) const {
  std::vector<double> mass(at(components_.count())), sums(mass.size());
  for (std::int64_t u = 0; u < state.rows; ++u) mass[component(u)] += laplacian_.metric_at(u);
  std::vector<Real> means;
  for (std::int64_t c = 0; c < state.cols; ++c) {
    std::ranges::fill(sums, 0.0);
    for (std::int64_t u = 0; u < state.rows; ++u)
      sums[component(u)] += laplacian_.metric_at(u) * static_cast<double>(state(u, c));
    for (std::size_t i = 0; i < sums.size(); ++i) means.push_back(static_cast<Real>(sums[i] / mass[i]));
  }
  return means;
}

// All rows but the known ones begin at zero: their state at rest knows nothing of the front. Returns the largest known
// number, which the witness, the last column, has at all known nodes. Begun at zero it would rise evenly and meet its truth
// more exactly than classes do theirs; so it begins anywhere.
double HarmonicExtension::begin(MatrixView state) const {
  Real most = 0;
  for (NodeId u : problem_.known.nodes) {
    for (Real x : state.row(u)) most = std::max(most, std::abs(x));
  }
  if (most == 0) most = 1;
  const Random random(0);
  for (std::int64_t u = 0; u < state.rows; ++u) {
    if (laplacian_.clamped(u)) {
      state(u, state.cols - 1) = most;
    } else {
      std::ranges::fill(state.row(u), Real(0));
      if (reached_[at(u)])
        state(u, state.cols - 1) = most * static_cast<Real>(random.uniform(static_cast<std::uint64_t>(u)));
    }
  }
  return static_cast<double>(most);
}

// Of the last column from its truth, relative to it.
double HarmonicExtension::deviation(ConstMatrixView state, double truth) const {
  double worst = 0;
  for (std::int64_t u = 0; u < state.rows; ++u) {
    if (!reached_[at(u)] || laplacian_.clamped(u)) continue;
    const double off = std::abs(static_cast<double>(state(u, state.cols - 1)) - truth);
    worst = off <= worst ? worst : off;  // what is no number stays
  }
  return std::isnan(worst) ? std::numeric_limits<double>::infinity() : worst / truth;
}

SolveReport HarmonicExtension::solve(MatrixView state) {
  assert(state.stride > state.cols);
  std::vector<Real> means;
  if (problem_.front.rows > 0) means = means_of_components(state);
  const MatrixView witnessed{state.data, state.rows, state.cols + 1, state.stride};
  const double truth = begin(witnessed);
  SolveReport report = trunk_ ? trunk_->solve(*solver_, witnessed) : solver_->solve(laplacian_, witnessed);
  constexpr auto kRounding = static_cast<double>(std::numeric_limits<Real>::epsilon());
  double off = kSafety * (deviation(witnessed, truth) + report.largest_move / truth + kRounding);
  off *=
      std::max(1.0, report.residual / tolerance_);  // classes can be further from rest than the column beside
  if (!std::isfinite(off)) off = kUnknownError;
  for (std::int64_t u = 0; u < state.rows; ++u) {
    witnessed(u, state.cols) = 0;
    // Where no row is clamped, heat comes to rest at the mean of the start.
    for (std::int64_t c = 0; c < state.cols && !means.empty() && !reached_[at(u)]; ++c)
      state(u, c) = means[at(c * components_.count()) + component(u)];
  }
  if (off > std::sqrt(tolerance_)) {  // rounding rules there, which is not the same in all columns
    report.reached = false;
    off *= kSafety * kSafety;
  }
  double seen = 1;
  for (Real scale : laplacian_.row_scale()) seen = std::max(seen, static_cast<double>(scale));
  report.error_estimate = off * truth * seen;
  return report;
}

}  // namespace heatfront
