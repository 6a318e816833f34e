// SPDX-License-Identifier: MIT
#include "heatfront/diffusion/harmonic_extension.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/random.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/diffusion/elimination.h"
#include "heatfront/graph/walks.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

constexpr double kSafety = 4;        // times the error that is seen, for those that are not
constexpr double kUnknownError = 2;  // from one end of the labels' range to the other
constexpr auto kRounding = static_cast<double>(std::numeric_limits<Real>::epsilon());
constexpr Real kWitness = Real(0.6180339887);

// Rounding moves the operator's diagonal by the epsilon of single precision, and what the usual tolerance leaves in any precision is
// no less. A walk of so many steps sees that so many times: where the drift is more than this, the witness is no longer
// believed. A small graph has few numbers that it could see, and its elimination costs nothing.
constexpr auto kDriftOfStep = static_cast<double>(std::numeric_limits<float>::epsilon());
constexpr double kMostDrift = 0.005, kMostDriftOfSmall = 1e-5;
constexpr std::int64_t kSmallGraph = 100;  // nodes
constexpr double kCoarseTolerance = 1e-5;

constexpr auto kLeastFlowing = static_cast<double>(std::numeric_limits<float>::min());  // as in the Laplacian

std::unique_ptr<SteadySolver> with_witness(const FlowOptions& options) {
  SolveOptions solve = options.solve;
  solve.witnesses = 1;
  return steady_solver(solver_of(options).name, solve);
}

// With the loop.
double sum_of_weights(const DirichletProblem& problem, double self_loop, NodeId u) {
  if (problem.weights.empty()) return self_loop + problem.graph.degree(u);
  double sum = self_loop;
  for (ArcId arc = problem.graph.begin_of(u); arc < problem.graph.begin_of(u + 1); ++arc)
    sum += static_cast<double>(problem.weights[at(arc)]);
  return sum;
}

bool has_edges(const DirichletProblem& problem, double self_loop, NodeId u) {
  return problem.graph.degree(u) > 0 && sum_of_weights(problem, self_loop, u) >= kLeastFlowing;
}

// The longest walk that is left to single precision.
double longest_in_single(std::int64_t nodes) {
  return (nodes <= kSmallGraph ? kMostDriftOfSmall : kMostDrift) / kDriftOfStep;
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
  longest_walk_ = walks_to(trunk_.graph, trunk_.weights, known, longest_in_single(laplacian_.rows())).longest;
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
      options_(options),
      solver_(with_witness(options)),
      system_{.graph = problem.graph, .weights = problem.weights, .roles = {}} {
  std::vector<Twig> twigs = find_twigs(problem.graph, problem.weights, problem.known.nodes);
  if (is_worth_cutting(problem.graph, twigs))
    trunk_.emplace(problem, std::move(twigs), options, laplacian.threads());
  const double longest = longest_in_single(problem.graph.nodes());
  const Walks walks =
      trunk_ ? Walks{.reached = reached_from(problem.graph, problem.weights, problem.known.nodes),
                     .longest = trunk_->longest_walk()}
             : walks_to(problem.graph, problem.weights, problem.known.nodes, longest);
  fits_single_ = walks.longest <= longest;
  for (NodeId u = 0; u < problem.graph.nodes(); ++u) {
    const bool flows = walks.reached[at(u)] && has_edges(problem, options.laplacian.self_loop, u);
    system_.roles.push_back(laplacian.clamped(u) ? NodeRole::known
                            : flows              ? NodeRole::free
                                                 : NodeRole::absent);
  }
  if (problem.front.rows > 0) components_ = connected_components(problem.graph, problem.weights);
}

// All rows but the known ones begin at zero: their state at rest knows nothing of the front. Returns the largest known
// number, of which the witness, the last column, has a part at all known nodes: at a round number it would not be rounded, and at
// the end of the range it could not leave it. Begun at zero it would rise evenly and meet its truth more exactly than classes do
// theirs; so it begins anywhere.
double HarmonicExtension::begin(MatrixView state) const {
  Real most = 0;
  for (NodeId u : problem_.known.nodes) {
    for (Real x : state.row(u)) most = std::max(most, std::abs(x));
  }
  if (most == 0) most = 1;
  const Random random(0);
  for (std::int64_t u = 0; u < state.rows; ++u) {
    if (laplacian_.clamped(u)) {
      state(u, state.cols - 1) = kWitness * most;
    } else {
      std::ranges::fill(state.row(u), Real(0));
      if (system_.is_free(u))
        state(u, state.cols - 1) = most * static_cast<Real>(random.uniform(static_cast<std::uint64_t>(u)));
    }
  }
  return static_cast<double>(most);
}

// Of the last column from its truth, relative to it.
double HarmonicExtension::deviation(ConstMatrixView state, double truth) const {
  const auto witness = static_cast<double>(kWitness * static_cast<Real>(truth));
  double worst = 0;
  for (std::int64_t u = 0; u < state.rows; ++u) {
    if (!system_.is_free(u)) continue;
    const double off = std::abs(static_cast<double>(state(u, state.cols - 1)) - witness);
    worst = off <= worst ? worst : off;  // what is no number stays
  }
  return std::isnan(worst) ? std::numeric_limits<double>::infinity() : worst / witness;
}

SolveReport HarmonicExtension::solve_in_single(double truth, MatrixView witnessed) const {
  SolveReport report = trunk_ ? trunk_->solve(*solver_, witnessed) : solver_->solve(laplacian_, witnessed);
  double off = kSafety * (deviation(witnessed, truth) + report.largest_move / truth + kRounding);
  off *= std::max(1.0,
                  report.residual / tolerance());  // classes can be further from rest than the column beside
  report.error_estimate = off;
  report.reached = is_at_rest(off);
  return report;
}

SolveReport HarmonicExtension::solve_by_elimination(MatrixView state) {
  const Stopwatch watch;
  fills_up_ = fills_up_ || !extend_by_elimination(system_, state);
  const double added = std::numeric_limits<double>::epsilon() * static_cast<double>(state.rows);
  SolveReport report{.error_estimate = kSafety * (kRounding + added), .residual = 0, .largest_move = 0};
  report.reached = !fills_up_;
  report.seconds = watch.seconds();
  return report;
}

SolveReport HarmonicExtension::solve_in_double(double truth, MatrixView state) {
  const Stopwatch watch;
  const DoubleExtension::Report found = in_double().solve(tolerance() * truth, state);
  SolveReport report{.products = found.products,
                     .error_estimate = found.error / truth + kSafety * kRounding,
                     .residual = found.move / truth,
                     .largest_move = found.move};
  report.reached = is_at_rest(report.error_estimate);
  report.seconds = watch.seconds();
  return report;
}

// The residual may be of rounding alone, which no tolerance can go below; the error says what that does.
bool HarmonicExtension::is_at_rest(double off) const {
  return off <= std::max(std::sqrt(tolerance()), 2 * kSafety * kRounding);
}

const DoubleExtension& HarmonicExtension::in_double() {
  if (!in_double_) in_double_.emplace(system_, laplacian_.threads());
  return *in_double_;
}

// No state at rest leaves the range of what is known.
void HarmonicExtension::keep_in_range(MatrixView state) const {
  for (std::int64_t c = 0; c < state.cols; ++c) {
    Real least = std::numeric_limits<Real>::max(), most = std::numeric_limits<Real>::lowest();
    for (NodeId u : problem_.known.nodes) {
      least = std::min(least, state(u, c));
      most = std::max(most, state(u, c));
    }
    for (std::int64_t u = 0; u < state.rows; ++u) {
      if (!system_.is_free(u)) continue;
      state(u, c) = std::isnan(state(u, c)) ? least : std::clamp(state(u, c), least, most);
    }
  }
}

// Where no row is clamped, heat comes to rest at the mean of the start, component by component:
//
//     x = Σ m f / Σ d    with m = √d, d = degree (symmetric);  m = d = degree (random-walk);  m = d = 1 (combinatorial)
//
// from the front as it was given and from degrees in double precision, so that what cancels in the sum leaves no more than the rounding of
// its result. Adds to the errors of the columns what that is.
void HarmonicExtension::set_means(std::int64_t first, MatrixView state, std::span<double> errors) const {
  const LaplacianKind kind = options_.laplacian.kind;
  std::vector<double> degrees(at(state.rows), 1.0), masses(at(components_.count()));
  for (NodeId u = 0; u < state.rows; ++u) {
    const double degree = sum_of_weights(problem_, options_.laplacian.self_loop, u);
    if (kind != LaplacianKind::combinatorial && degree >= kLeastFlowing) degrees[at(u)] = degree;
    masses[component(u)] += degrees[at(u)];
  }
  std::vector<double> sums(masses.size()), sizes(masses.size());
  for (std::int64_t c = 0; c < state.cols; ++c) {
    std::ranges::fill(sums, 0.0);
    std::ranges::fill(sizes, 0.0);
    for (std::int64_t u = 0; u < state.rows; ++u) {
      const double m = kind == LaplacianKind::symmetric ? std::sqrt(degrees[at(u)]) : degrees[at(u)];
      const double heat = m * static_cast<double>(problem_.front(u, first + c));
      sums[component(u)] += heat;
      sizes[component(u)] += std::abs(heat);
    }
    for (std::int64_t u = 0; u < state.rows; ++u) {
      if (system_.role(u) != NodeRole::absent) continue;
      const std::size_t i = component(u);
      const double root = kind == LaplacianKind::symmetric ? std::sqrt(degrees[at(u)]) : 1;
      state(u, c) = static_cast<Real>(sums[i] / masses[i]);
      const double added = static_cast<double>(components_.sizes[i]) * std::numeric_limits<double>::epsilon();
      errors[at(c)] = std::max(
          errors[at(c)], root * (kSafety * kRounding * std::abs(sums[i]) + added * sizes[i]) / masses[i]);
    }
  }
}

// By what is cheapest, as far as it gets to rest. A coarse tolerance asks for no more than single precision gives.
SolveReport HarmonicExtension::settle(double truth, MatrixView witnessed) {
  const MatrixView state{witnessed.data, witnessed.rows, witnessed.cols - 1, witnessed.stride};
  SolveReport report;
  if (fits_single_) {
    report = solve_in_single(truth, witnessed);
    if (report.reached || tolerance() > kCoarseTolerance) return report;
  }
  report = solve_by_elimination(state);
  if (report.reached) return report;
  if (!fits_single_ && kDriftOfStep * in_double().amplification() <= kMostDrift) {
    report = solve_in_single(truth, witnessed);  // the bound on walks was too cautious
    if (report.reached) return report;
  }
  report = solve_in_double(truth, state);
  if (!report.reached) keep_in_range(state);
  return report;
}

HarmonicExtension::Answer HarmonicExtension::solve(std::int64_t first, MatrixView state) {
  assert(state.stride > state.cols);
  const MatrixView witnessed{state.data, state.rows, state.cols + 1, state.stride};
  const double truth = begin(witnessed);
  SolveReport report = settle(truth, witnessed);
  for (std::int64_t u = 0; u < state.rows; ++u) witnessed(u, state.cols) = 0;
  if (!report.reached) report.error_estimate = kUnknownError;
  double seen = 1;
  for (Real scale : laplacian_.row_scale()) seen = std::max(seen, static_cast<double>(scale));
  std::vector<double> errors(at(state.cols), report.error_estimate * truth * seen);
  if (problem_.front.rows > 0) set_means(first, state, errors);
  report.error_estimate = std::ranges::max(errors);
  return {report, errors};
}

}  // namespace heatfront
