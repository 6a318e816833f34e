// SPDX-License-Identifier: MIT
#include "heatfront/flow/decide.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/softmax.h"
#include "heatfront/flow/decide_rows.h"
#include "heatfront/flow/labelled_flow.h"
#include "heatfront/flow/row_leads.h"
#include "heatfront/graph/components.h"

namespace heatfront {
namespace {

// Heat of both signs may leave of a class's mass nothing but rounding.
constexpr double kRoundingOfMass = 4 * static_cast<double>(std::numeric_limits<Real>::epsilon());

constexpr std::int64_t kDecidedRows = 1024;  // rows that a thread takes at once

// The share of the warmest class, as find_shares() has it.
double share_of_first(const RowLeads& leads, std::size_t i, bool logits, std::span<const double> prior) {
  const auto first = at(leads.first_class[i]);
  if (logits) return 1 / leads.sum[i];
  const double heat = std::max(0.0, static_cast<double>(leads.first[i]));
  return leads.sum[i] > 0 ? heat / leads.sum[i] : prior[first];
}

void check_shape(const Temperatures& temperatures, std::int64_t nodes, std::int64_t classes) {
  const Matrix& values = temperatures.values;
  if (values.rows() != nodes || values.cols() != classes || classes < 1)
    fail("temperatures of {} nodes and {} classes: there must be {} nodes and {} classes, at least one",
         values.rows(), values.cols(), nodes, classes);
  require_count("errors of the classes", std::ssize(temperatures.column_errors), classes, "one per class");
}

// Over the unknown nodes of all ranks, by column.
struct ColumnMasses {
  std::vector<bool> is_known;
  std::vector<double> mass, size, warmest;  // Σ x, Σ |x|, max |x|

  bool counts(std::size_t c) const { return mass[c] > kRoundingOfMass * size[c]; }
};

ColumnMasses masses_of(ConstMatrixView values, const KnownLabels& known, std::span<const double> prior,
                       const Ranks& ranks) {
  require_count("prior", std::ssize(prior), values.cols, "one per class");
  require_ids("nodes of known labels", known.nodes, 0, values.rows);
  ColumnMasses result{.is_known = std::vector<bool>(at(values.rows)),
                      .mass = std::vector<double>(prior.size()),
                      .size = std::vector<double>(prior.size()),
                      .warmest = std::vector<double>(prior.size())};
  for (NodeId u : known.nodes) result.is_known[at(u)] = true;
  for (std::int64_t u = 0; u < values.rows; ++u) {
    if (result.is_known[at(u)]) continue;
    const auto row = values.row(u);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto x = static_cast<double>(row[c]);
      result.mass[c] += x;
      result.size[c] += std::abs(x);
      result.warmest[c] = std::max(result.warmest[c], std::abs(x));
    }
  }
  ranks.sum(result.mass);
  ranks.sum(result.size);
  ranks.largest(result.warmest);
  return result;
}

std::vector<double> factors_of(const ColumnMasses& masses, double nodes, std::span<const double> prior) {
  std::vector<double> factors(prior.size(), 1.0);
  for (std::size_t c = 0; c < factors.size(); ++c) {
    if (masses.counts(c)) factors[c] = prior[c] * nodes / masses.mass[c];
  }
  return factors;
}

}  // namespace

// Temperatures below zero can only be rounding where no front was given.
void find_shares(std::span<const Real> row, bool logits, std::span<const double> prior,
                 std::span<double> shares) {
  if (std::ranges::all_of(row, [](Real x) { return x == 0; })) {
    std::ranges::copy(prior, shares.begin());
  } else if (logits) {
    softmax(row, shares);
  } else {
    double sum = 0;
    for (Real x : row) sum += std::max(0.0, static_cast<double>(x));
    for (std::size_t c = 0; c < row.size(); ++c)
      shares[c] = sum > 0 ? std::max(0.0, static_cast<double>(row[c])) / sum : prior[c];
  }
}

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

std::vector<double> class_mass_factors(ConstMatrixView temperatures, const KnownLabels& known,
                                       std::span<const double> prior, const Ranks& ranks) {
  const ColumnMasses masses = masses_of(temperatures, known, prior, ranks);
  return factors_of(masses, ranks.sum(static_cast<double>(temperatures.rows)), prior);
}

void normalise_class_mass(Temperatures& temperatures, const KnownLabels& known, std::span<const double> prior,
                          const Ranks& ranks) {
  Matrix& values = temperatures.values;
  check_shape(temperatures, values.rows(), values.cols());
  const ColumnMasses masses = masses_of(values, known, prior, ranks);
  const std::vector<double> factors =
      factors_of(masses, ranks.sum(static_cast<double>(values.rows())), prior);
  for (std::int64_t u = 0; u < values.rows(); ++u) {
    if (masses.is_known[at(u)]) continue;
    for (std::size_t c = 0; c < factors.size(); ++c) {
      Real& x = values.row(u)[c];
      if (masses.counts(c)) x = static_cast<Real>(static_cast<double>(x) * factors[c]);
    }
  }
  for (std::size_t c = 0; c < factors.size(); ++c) {
    if (!masses.counts(c)) continue;
    double& error = temperatures.column_errors[c];
    error = factors[c] * (error + masses.warmest[c] * kRoundingOfMass * masses.size[c] / masses.mass[c]);
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
                 const Temperatures& temperatures, std::span<const double> prior, Threads& threads) {
  return decide_rows({.rows = problem.graph.nodes(),
                      .classes = problem.classes,
                      .known = problem.known,
                      .held = !problem.free,
                      .logits = problem.front.rows > 0},
                     reached, temperatures, prior, threads);
}

Decisions decide_rows(const DecidedRows& of, const std::vector<bool>& reached,
                      const Temperatures& temperatures, std::span<const double> prior, Threads& threads) {
  check(of.known, static_cast<NodeId>(of.rows), of.classes);
  check_shape(temperatures, of.rows, of.classes);
  require_count("prior", std::ssize(prior), of.classes, "one per class");
  require_count("reached nodes", std::ssize(reached), of.rows, "one per node");
  const auto likeliest = static_cast<ClassId>(std::ranges::max_element(prior) - prior.begin());
  const std::size_t n = at(of.rows);

  Decisions result{.classes = std::vector<ClassId>(n),
                   .confidence = std::vector<Real>(n),
                   .margin = std::vector<Real>(n),
                   .status = std::vector<NodeStatus>(n),
                   .logits = of.logits,
                   .prior = std::vector<double>(prior.begin(), prior.end())};
  const auto decide_rows = [&](std::int64_t begin, std::int64_t end) {
    RowLeads leads;
    find_leads(temperatures.values.view().rows_between(begin, end), result.logits, leads);
    for (std::size_t u = at(begin); u < at(end); ++u) {
      const std::size_t i = u - at(begin);
      const std::size_t first = at(leads.first_class[i]), second = at(leads.second_class[i]);
      const bool cold = leads.warm[i] == 0;
      const Real margin = first == second
                              ? leads.first[i]
                              : std::min(leads.first[i] - leads.second[i], std::numeric_limits<Real>::max());
      const double error = temperatures.column_errors[first] + temperatures.column_errors[second];
      const double share = cold ? prior[at(likeliest)] : share_of_first(leads, i, result.logits, prior);
      result.classes[u] = cold ? likeliest : leads.first_class[i];
      result.margin[u] = margin;
      result.confidence[u] = static_cast<Real>(std::min(1.0, share));  // but for rounding
      result.status[u] = !reached[u]                           ? NodeStatus::unreached
                         : static_cast<double>(margin) > error ? NodeStatus::decided
                                                               : NodeStatus::undecided;
    }
  };
  threads.for_blocks(of.rows, kDecidedRows, [&](std::int64_t begin, std::int64_t end) {
    constexpr auto kAtOnce = static_cast<std::int64_t>(RowLeads::kRows);
    for (std::int64_t u = begin; u < end; u += kAtOnce) decide_rows(u, std::min(u + kAtOnce, end));
  });
  for (std::size_t i = 0; i < of.known.nodes.size() && of.held; ++i) {
    const std::size_t u = at(of.known.nodes[i]);
    result.classes[u] = of.known.classes[i];
    result.confidence[u] = 1;
    result.status[u] = NodeStatus::known;
  }
  for (std::size_t status = 0; status < result.counts.size(); ++status)
    result.counts[status] = std::ranges::count(result.status, static_cast<NodeStatus>(status));
  return result;
}

Answer solve_and_decide(const DirichletProblem& problem, const FlowOptions& options, Threads& threads) {
  return LabelledFlow(problem, options, threads).solve(problem.known);
}

Answer decide_by(const DirichletProblem& problem, Matrix scores, const SolveReport& report,
                 const std::vector<bool>& reached, Threads& threads) {
  for (std::int64_t u = 0; u < scores.rows(); ++u) require_numbers("scores", scores.row(u), kLargestScore);
  Answer result{.temperatures = {.values = std::move(scores),
                                 .report = report,
                                 .column_errors = std::vector<double>(at(problem.classes))},
                .decisions = {}};
  result.decisions =
      decide(problem, reached, result.temperatures, labelled_prior(problem.known, problem.classes), threads);
  return result;
}

std::vector<bool> all_nodes(const Graph& graph) { return std::vector<bool>(at(graph.nodes()), true); }

std::vector<double> plain_shares(const Answer& answer, NodeId u) {
  const Matrix& values = answer.temperatures.values;
  if (u < 0 || u >= values.rows()) fail("there is no node {}; nodes are 0 to {}", u, values.rows() - 1);
  require_count("prior of an answer", std::ssize(answer.decisions.prior), values.cols(), "one per class");
  std::vector<double> shares(answer.decisions.prior.size());
  find_shares(values.row(u), answer.decisions.logits, answer.decisions.prior, shares);
  return shares;
}

std::vector<double> class_shares(const Answer& answer, NodeId u) {
  std::vector<double> shares = plain_shares(answer, u);
  const Decisions& decisions = answer.decisions;
  if (decisions.softening != 1 && decisions.status[at(u)] != NodeStatus::unreached)
    scale_shares(decisions.softening, shares);
  return shares;
}

void scale_shares(double softening, std::span<double> shares) {
  if (shares.empty() || !(softening > 0))
    fail("shares of {} classes at softening {}: there must be a class, and it must be above 0", shares.size(),
         softening);
  const double highest = std::ranges::max(shares);
  double sum = 0;
  for (double& share : shares) sum += share = std::pow(share / highest, 1 / softening);
  for (double& share : shares) share /= sum;
}

void soften(double softening, Answer& answer, Threads& threads) {
  Decisions& decisions = answer.decisions;
  if (softening == decisions.softening) return;
  decisions.softening = softening;
  threads.for_blocks(std::ssize(decisions.classes), kDecidedRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      const NodeStatus status = decisions.status[at(u)];
      if (status == NodeStatus::known || status == NodeStatus::unreached) continue;
      const std::vector<double> shares = class_shares(answer, static_cast<NodeId>(u));
      decisions.confidence[at(u)] = static_cast<Real>(std::min(1.0, shares[at(decisions.classes[at(u)])]));
    }
  });
}

double share_of_class(const Answer& answer, NodeId u, ClassId label) {
  const std::vector<double> shares = class_shares(answer, u);
  require_ids("class", std::span(&label, 1), 0, std::ssize(shares));
  if (answer.decisions.status[at(u)] != NodeStatus::known) return shares[at(label)];
  return answer.decisions.classes[at(u)] == label ? 1 : 0;
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
