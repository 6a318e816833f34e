// SPDX-License-Identifier: MIT
#include "heatfront/flow/decide.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/graph/components.h"

namespace heatfront {
namespace {

// Heat of both signs may leave of a class's mass nothing but rounding.
constexpr double kRoundingOfMass = 4 * static_cast<double>(std::numeric_limits<Real>::epsilon());

struct Lead {
  std::size_t first, second;
};

Lead lead(std::span<const Real> row) {
  Lead result{0, row.size() > 1 ? std::size_t{1} : std::size_t{0}};
  if (row.size() > 1 && row[1] > row[0]) std::swap(result.first, result.second);
  for (std::size_t c = 2; c < row.size(); ++c) {
    if (row[c] > row[result.first]) {
      result.second = result.first;
      result.first = c;
    } else if (row[c] > row[result.second]) {
      result.second = c;
    }
  }
  return result;
}

// Softmax, or parts of the heat: temperatures below zero can only be rounding where no front was given.
void find_shares(std::span<const Real> row, bool logits, std::span<const double> prior,
                 std::span<double> shares) {
  const Real highest = std::ranges::max(row);
  double sum = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    shares[c] =
        logits ? std::exp(static_cast<double>(row[c] - highest)) : std::max(0.0, static_cast<double>(row[c]));
    sum += shares[c];
  }
  const bool cold = std::ranges::all_of(row, [](Real x) { return x == 0; });
  if (cold || !(sum > 0)) {
    std::ranges::copy(prior, shares.begin());
  } else {
    for (double& share : shares) share /= sum;
  }
}

void check_shape(const Temperatures& temperatures, std::int64_t nodes, std::int64_t classes) {
  const Matrix& values = temperatures.values;
  if (values.rows() != nodes || values.cols() != classes || classes < 1)
    fail("temperatures of {} nodes and {} classes: there must be {} nodes and {} classes, at least one",
         values.rows(), values.cols(), nodes, classes);
  require_count("errors of the classes", std::ssize(temperatures.column_errors), classes, "one per class");
}

}  // namespace

std::string_view name_of(NodeStatus status) {
  static constexpr std::array<std::string_view, 4> kNames = {"known", "decided", "undecided", "unreached"};
  return kNames[static_cast<std::size_t>(status)];
}

void check(const Answer& answer, NodeId nodes, ClassId classes) {
  const Decisions& decisions = answer.decisions;
  check_shape(answer.temperatures, nodes, classes);
  require_count("classes of an answer", std::ssize(decisions.classes), nodes, "one per node");
  require_ids("classes of an answer", decisions.classes, 0, classes);
  require_count("confidences of an answer", std::ssize(decisions.confidence), nodes, "one per node");
  require_count("margins of an answer", std::ssize(decisions.margin), nodes, "one per node");
  require_count("statuses of an answer", std::ssize(decisions.status), nodes, "one per node");
  require_count("prior of an answer", std::ssize(decisions.prior), classes, "one per class");
}

std::vector<double> labelled_prior(const KnownLabels& known, ClassId classes) {
  require_ids("classes of known labels", known.classes, 0, classes);
  std::vector<double> prior(at(classes));
  for (ClassId c : known.classes) prior[at(c)] += 1.0 / static_cast<double>(known.classes.size());
  if (known.classes.empty()) std::ranges::fill(prior, 1.0 / classes);
  return prior;
}

void normalise_class_mass(Temperatures& temperatures, const KnownLabels& known,
                          std::span<const double> prior) {
  Matrix& values = temperatures.values;
  check_shape(temperatures, values.rows(), values.cols());
  require_count("prior", std::ssize(prior), values.cols(), "one per class");
  require_ids("nodes of known labels", known.nodes, 0, values.rows());
  std::vector<bool> is_known(at(values.rows()));
  for (NodeId u : known.nodes) is_known[at(u)] = true;
  for (std::int64_t c = 0; c < values.cols(); ++c) {
    double mass = 0, size = 0, warmest = 0;
    for (std::int64_t u = 0; u < values.rows(); ++u) {
      if (is_known[at(u)]) continue;
      mass += static_cast<double>(values(u, c));
      size += std::abs(static_cast<double>(values(u, c)));
      warmest = std::max(warmest, std::abs(static_cast<double>(values(u, c))));
    }
    if (!(mass > kRoundingOfMass * size)) continue;
    const double factor = prior[at(c)] * static_cast<double>(values.rows()) / mass;
    for (std::int64_t u = 0; u < values.rows(); ++u) {
      if (!is_known[at(u)]) values(u, c) = static_cast<Real>(static_cast<double>(values(u, c)) * factor);
    }
    double& error = temperatures.column_errors[at(c)];
    error = factor * (error + warmest * kRoundingOfMass * size / mass);
  }
}

std::vector<NodeId> heat_sources(const DirichletProblem& problem) {
  std::vector<NodeId> sources = problem.known.nodes;
  for (std::int64_t u = 0; u < problem.front.rows; ++u) {
    if (std::ranges::any_of(problem.front.row(u), [](Real x) { return x != 0; }))
      sources.push_back(static_cast<NodeId>(u));
  }
  return sources;
}

std::vector<bool> reached_nodes(const DirichletProblem& problem) {
  return reached_from(problem.graph, problem.weights, heat_sources(problem));
}

Decisions decide(const DirichletProblem& problem, const std::vector<bool>& reached,
                 const Temperatures& temperatures, std::span<const double> prior) {
  check(problem.known, problem.graph.nodes(), problem.classes);
  check_shape(temperatures, problem.graph.nodes(), problem.classes);
  require_count("prior", std::ssize(prior), problem.classes, "one per class");
  require_count("reached nodes", std::ssize(reached), problem.graph.nodes(), "one per node");
  const auto likeliest = static_cast<ClassId>(std::ranges::max_element(prior) - prior.begin());
  const std::size_t n = at(problem.graph.nodes());

  Decisions result{.classes = std::vector<ClassId>(n),
                   .confidence = std::vector<Real>(n),
                   .margin = std::vector<Real>(n),
                   .status = std::vector<NodeStatus>(n),
                   .logits = problem.front.rows > 0,
                   .prior = std::vector<double>(prior.begin(), prior.end())};
  std::vector<double> shares(at(problem.classes));
  for (std::size_t u = 0; u < n; ++u) {
    const auto row = temperatures.values.row(static_cast<std::int64_t>(u));
    const auto [first, second] = lead(row);
    const Real margin =
        first == second ? row[first] : std::min(row[first] - row[second], std::numeric_limits<Real>::max());
    const double error = temperatures.column_errors[first] + temperatures.column_errors[second];
    const bool cold = std::ranges::all_of(row, [](Real x) { return x == 0; });
    result.classes[u] = cold ? likeliest : static_cast<ClassId>(first);
    result.margin[u] = margin;
    find_shares(row, result.logits, prior, shares);
    result.confidence[u] =
        static_cast<Real>(std::min(1.0, shares[at(result.classes[u])]));  // but for rounding
    result.status[u] = !reached[u]                           ? NodeStatus::unreached
                       : static_cast<double>(margin) > error ? NodeStatus::decided
                                                             : NodeStatus::undecided;
  }
  for (std::size_t i = 0; i < problem.known.nodes.size() && !problem.free; ++i) {
    const std::size_t u = at(problem.known.nodes[i]);
    result.classes[u] = problem.known.classes[i];
    result.confidence[u] = 1;
    result.status[u] = NodeStatus::known;
  }
  for (NodeStatus status : result.status) ++result.counts[static_cast<std::size_t>(status)];
  return result;
}

Answer solve_and_decide(const DirichletProblem& problem, Flow& flow) {
  Answer result{.temperatures = solve_dirichlet(problem, flow), .decisions = {}};
  result.decisions = decide(problem, flow.reached_from(heat_sources(problem)), result.temperatures,
                            labelled_prior(problem.known, problem.classes));
  return result;
}

Answer solve_and_decide(const DirichletProblem& problem, const FlowOptions& options, Threads& threads) {
  Flow flow(problem.graph, problem.weights, options, threads);
  return solve_and_decide(problem, flow);
}

Answer decide_by(const DirichletProblem& problem, Matrix scores, const SolveReport& report,
                 const std::vector<bool>& reached) {
  for (std::int64_t u = 0; u < scores.rows(); ++u) require_numbers("scores", scores.row(u), kLargestScore);
  Answer result{.temperatures = {.values = std::move(scores),
                                 .report = report,
                                 .column_errors = std::vector<double>(at(problem.classes))},
                .decisions = {}};
  result.decisions =
      decide(problem, reached, result.temperatures, labelled_prior(problem.known, problem.classes));
  return result;
}

std::vector<bool> all_nodes(const Graph& graph) { return std::vector<bool>(at(graph.nodes()), true); }

std::vector<double> class_shares(const Answer& answer, NodeId u) {
  const Matrix& values = answer.temperatures.values;
  if (u < 0 || u >= values.rows()) fail("there is no node {}; nodes are 0 to {}", u, values.rows() - 1);
  require_count("prior of an answer", std::ssize(answer.decisions.prior), values.cols(), "one per class");
  std::vector<double> shares(answer.decisions.prior.size());
  find_shares(values.row(u), answer.decisions.logits, answer.decisions.prior, shares);
  return shares;
}

double softmax_share(std::span<const Real> row, ClassId c) {
  if (c < 0 || c >= std::ssize(row))
    fail("there is no class {}; classes are 0 to {}", c, std::ssize(row) - 1);
  double sum = 0;
  for (Real x : row) sum += std::exp(static_cast<double>(x - row[at(c)]));
  return 1 / sum;
}

std::vector<ClassId> ranked_classes(std::span<const Real> row, std::size_t count) {
  std::vector<ClassId> classes(row.size());
  std::iota(classes.begin(), classes.end(), 0);
  std::ranges::stable_sort(classes, std::greater(), [&](ClassId c) { return row[at(c)]; });
  classes.resize(std::min(count, classes.size()));
  return classes;
}

std::vector<ClassId> warmest_classes(ConstMatrixView temperatures) {
  std::vector<ClassId> classes(at(temperatures.rows));
  for (std::size_t u = 0; u < classes.size(); ++u) {
    const auto row = temperatures.row(static_cast<std::int64_t>(u));
    classes[u] = static_cast<ClassId>(std::ranges::max_element(row) - row.begin());
  }
  return classes;
}

}  // namespace heatfront
