// SPDX-License-Identifier: MIT
#include "heatfront/flow/harmonic_extension.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/random.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/flow/elimination.h"
#include "heatfront/graph/walks.h"
#include "heatfront/graph/weighted_degree.h"
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

std::unique_ptr<SteadySolver> with_witness(const FlowOptions& options) {
  SolveOptions solve = options.solve;
  solve.witnesses = 1;
  return steady_solver(solver_of(options).name, solve);
}

bool has_edges(const Laplacian& laplacian, double self_loop, NodeId u) {
  return laplacian.graph().degree(u) > 0 &&
         weighted_degree(laplacian.graph(), laplacian.weights(), self_loop, u) >= kLeastDegree;
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

TrunkProblem::TrunkProblem(const Laplacian& laplacian, std::span<const NodeId> known, std::vector<Twig> twigs,
                           const FlowOptions& options)
    : trunk_(laplacian.graph(), laplacian.weights(), std::move(twigs)),
      laplacian_(trunk_.graph, trunk_.weights, options.laplacian, 1, laplacian.threads(), trunk_.loops) {
  std::vector<NodeId> places;
  for (NodeId u : known) {
    const auto place = std::ranges::lower_bound(trunk_.nodes, u) - trunk_.nodes.begin();
    places.push_back(static_cast<NodeId>(place));
  }
  laplacian_.clamp(places);
  longest_walk_ =
      walks_to(trunk_.graph, trunk_.weights, places, longest_in_single(laplacian_.rows())).longest;
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

HarmonicExtension::HarmonicExtension(const Laplacian& laplacian, std::span<const NodeId> known,
                                     const FlowOptions& options)
    : laplacian_(laplacian),
      known_(known.begin(), known.end()),
      options_(options),
      solver_(with_witness(options)),
      system_{.graph = laplacian.graph(), .weights = laplacian.weights(), .roles = {}} {
  const Graph& graph = laplacian.graph();
  std::vector<Twig> twigs = find_twigs(graph, laplacian.weights(), known);
  if (is_worth_cutting(graph, twigs)) trunk_.emplace(laplacian, known, std::move(twigs), options);
  const double longest = longest_in_single(graph.nodes());
  const Walks walks = trunk_ ? Walks{.reached = reached_from(graph, laplacian.weights(), known_),
                                     .longest = trunk_->longest_walk()}
                             : walks_to(graph, laplacian.weights(), known_, longest);
  fits_single_ = walks.longest <= longest;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const bool flows = walks.reached[at(u)] && has_edges(laplacian, options.laplacian.self_loop, u);
    system_.roles.push_back(flows ? NodeRole::free : NodeRole::absent);
  }
  for (NodeId u : known_) system_.roles[at(u)] = NodeRole::known;
  const bool all_flow = std::ranges::find(system_.roles, NodeRole::absent) == system_.roles.end();
  if (!all_flow) components_ = connected_components(graph, laplacian.weights());
}

// All rows but the known ones begin at zero: their state at rest knows nothing of the front. Returns the largest known
// number, of which the witness, the last column, has a part at all known nodes: at a round number it would not be rounded, and at
// the end of the range it could not leave it. Begun at zero it would rise evenly and meet its truth more exactly than classes do
// theirs; so it begins anywhere.
double HarmonicExtension::begin(MatrixView state) const {
  Real most = 0;
  for (NodeId u : known_) {
    for (Real x : state.row(u)) most = std::max(most, std::abs(x));
  }
  if (most == 0) most = 1;
  const Random random(0);
  for (std::int64_t u = 0; u < state.rows; ++u) {
    if (system_.role(u) == NodeRole::known) {
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
    for (NodeId u : known_) {
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
//     x = Σ share f / Σ mass    with what each kind of Laplacian says they are
//
// from the start as it was given and from degrees in double precision, so that what cancels in the sum leaves no more than the rounding of
// its result. The error is that of the warmest row.
std::vector<HarmonicExtension::Mean> HarmonicExtension::means_of_components(ConstMatrixView start) const {
  const LaplacianEntry& kind = entry_of(options_.laplacian.kind);
  const std::size_t count = at(components_.count());
  std::vector<double> masses(count), sums(count * at(start.cols)), sizes(sums.size());
  std::vector<double> largest_root(count, 1.0);
  for (NodeId u = 0; u < start.rows && count > 0; ++u) {
    if (system_.role(u) != NodeRole::absent) continue;
    const double found =
        weighted_degree(laplacian_.graph(), laplacian_.weights(), options_.laplacian.self_loop, u);
    const auto [mass, share] = kind.at_rest(found >= kLeastDegree ? found : 1);
    const std::size_t i = component(u);
    masses[i] += mass;
    if (kind.root_coordinates) largest_root[i] = std::max(largest_root[i], share);
    for (std::int64_t c = 0; c < start.cols; ++c) {
      const double heat = share * static_cast<double>(start(u, c));
      sums[at(c) * count + i] += heat;
      sizes[at(c) * count + i] += std::abs(heat);
    }
  }
  std::vector<Mean> means(sums.size());
  for (std::size_t k = 0; k < means.size(); ++k) {
    const std::size_t i = k % count;
    if (masses[i] == 0) continue;  // known nodes warm it
    const double added = static_cast<double>(components_.sizes[i]) * std::numeric_limits<double>::epsilon();
    means[k] = {
        .value = sums[k] / masses[i],
        .error = largest_root[i] * (kSafety * kRounding * std::abs(sums[k]) + added * sizes[k]) / masses[i]};
  }
  return means;
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

HarmonicExtension::Answer HarmonicExtension::solve(MatrixView state) {
  assert(state.stride > state.cols);
  const std::vector<Mean> means = means_of_components(state);
  laplacian_.enter(state);
  require_representable(laplacian_, state);
  const MatrixView witnessed{state.data, state.rows, state.cols + 1, state.stride};
  const double truth = begin(witnessed);
  SolveReport report = settle(truth, witnessed);
  for (std::int64_t u = 0; u < state.rows; ++u) {
    witnessed(u, state.cols) = 0;
    for (std::int64_t c = 0; c < state.cols && system_.role(u) == NodeRole::absent; ++c)
      state(u, c) = static_cast<Real>(means[at(c * components_.count()) + component(u)].value);
  }
  laplacian_.leave(state);
  if (!report.reached) report.error_estimate = kUnknownError;
  double seen = 1;
  for (Real scale : laplacian_.row_scale()) seen = std::max(seen, static_cast<double>(scale));
  std::vector<double> errors(at(state.cols), report.error_estimate * truth * seen);
  for (std::size_t k = 0; k < means.size(); ++k) {
    double& error = errors[k / at(components_.count())];
    error = std::max(error, means[k].error);
  }
  if (!errors.empty()) report.error_estimate = std::ranges::max(errors);
  return {report, errors};
}

}  // namespace heatfront
