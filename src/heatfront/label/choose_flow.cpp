// SPDX-License-Identifier: MIT
#include "heatfront/label/choose_flow.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "heatfront/flow/decide.h"

namespace heatfront {
namespace {

constexpr std::size_t kLeftOutTurns = 5;
constexpr std::array<double, 3> kTriedTimes = {kUsualTime, 20, 80};  // the last stands for kSettledTime
constexpr double kClearLead = 0.25;       // times √labels: half a standard deviation or so
constexpr double kLooseTolerance = 1e-3;  // only classes are asked for

std::vector<TriedFlow> flows_to_try(bool without_masses) {
  std::vector<TriedFlow> flows;
  if (without_masses) flows.push_back({.time = kUsualTime});
  for (double time : kTriedTimes) flows.push_back({.time = time, .masses = true});
  return flows;
}

// The longest, unless another is right of clearly more; of equals the later one.
std::size_t most_right(const FlowChoice& choice) {
  const std::size_t longest = choice.tried.size() - 1;
  std::size_t best = 0;
  for (std::size_t i = 1; i < choice.tried.size(); ++i) {
    if (choice.tried[i].right >= choice.tried[best].right) best = i;
  }
  const auto lead = static_cast<double>(choice.tried[best].right - choice.tried[longest].right);
  return lead > kClearLead * std::sqrt(static_cast<double>(choice.left_out)) ? best : longest;
}

ClassId warmest(std::span<const Real> row, std::span<const double> factors) {
  std::size_t best = 0;
  for (std::size_t c = 1; c < row.size(); ++c) {
    if (static_cast<double>(row[c]) * factors[c] > static_cast<double>(row[best]) * factors[best]) best = c;
  }
  return static_cast<ClassId>(best);
}

KnownLabels own_rows(const SharedProblem& problem, const KnownLabels& known) {
  KnownLabels own;
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    const NodeId row = problem.row_of(known.nodes[i]);
    if (row < 0) continue;
    own.nodes.push_back(row);
    own.classes.push_back(known.classes[i]);
  }
  return own;
}

void judge_by_left_out(const SharedProblem& problem, FlowOptions options, std::span<const double> prior,
                       std::vector<TriedFlow>& tried) {
  options.solve = {.tolerance = kLooseTolerance, .certify = false};
  std::vector<double> times;
  for (double time : kTriedTimes) times.push_back(time / options.lambda);
  const std::vector<double> alike(at(problem.classes), 1.0);
  const std::vector<std::size_t> folds = folds_of(problem.known.classes, problem.classes, kLeftOutTurns);
  for (std::size_t fold = 0; fold < kLeftOutTurns; ++fold) {
    const FoldOfLabels part = fold_of(problem.known, folds, fold);
    if (part.places.empty() || part.others.nodes.empty()) continue;
    const std::vector<double> shares = prior.empty() ? labelled_prior(part.others, problem.classes)
                                                     : std::vector<double>(prior.begin(), prior.end());
    KnownLabels left_out;
    for (std::size_t i : part.places) {
      left_out.nodes.push_back(problem.known.nodes[i]);
      left_out.classes.push_back(problem.known.classes[i]);
    }
    left_out = own_rows(problem, left_out);
    const KnownLabels others = own_rows(problem, part.others);
    std::size_t step = 0;
    problem.curve(others, options, times, [&](double, const Temperatures& then) {
      const std::vector<double> factors = class_mass_factors(then.values, others, shares, problem.ranks);
      for (TriedFlow& flow : tried) {
        if (flow.time != kTriedTimes[step]) continue;
        for (std::size_t i = 0; i < left_out.nodes.size(); ++i)
          flow.right += warmest(then.values.row(left_out.nodes[i]), flow.masses ? factors : alike) ==
                        left_out.classes[i];
      }
      ++step;
      return true;
    });
  }
  for (TriedFlow& flow : tried)
    flow.right = static_cast<std::int64_t>(problem.ranks.sum(static_cast<double>(flow.right)));
}

}  // namespace

std::string_view name_of(FlowReason reason) {
  static constexpr std::array<std::string_view, 5> kNames = {"given", "few-labels", "left-out-labels",
                                                             "many-labels", "unsuited"};
  return kNames[static_cast<std::size_t>(reason)];
}

FlowChoice choose_flow(const SharedProblem& problem, const FlowOptions& options,
                       std::span<const double> prior, bool masses_allowed) {
  FlowChoice choice{.time = kUsualTime,
                    .masses = !prior.empty(),
                    .labels_per_class = labels_per_class(problem.known, problem.classes)};
  const bool all_known = std::ssize(problem.known.nodes) == problem.nodes;
  if (problem.free || problem.has_front || !(problem.label_scale > 0) || !options.solver.empty() ||
      !masses_allowed || all_known || problem.known.nodes.empty()) {
    choice.reason = FlowReason::unsuited;
    return choice;
  }
  if (choice.labels_per_class > kManyLabels) {
    choice.reason = FlowReason::many_labels;
    return choice;
  }
  choice.masses = true;
  choice.time = kLongTime / options.lambda;
  choice.reason = FlowReason::few_labels;
  if (choice.labels_per_class < kFewLabels) return choice;
  choice.reason = FlowReason::left_out;
  choice.left_out = std::ssize(problem.known.nodes);
  choice.tried = flows_to_try(prior.empty());
  judge_by_left_out(problem, options, prior, choice.tried);
  choice.taken = most_right(choice);
  const TriedFlow& taken = choice.tried[choice.taken];
  choice.masses = taken.masses;
  choice.time = (choice.taken + 1 == choice.tried.size() ? kSettledTime : taken.time) / options.lambda;
  return choice;
}

FlowChoice choose_flow(const DirichletProblem& problem, const FlowOptions& options,
                       std::span<const double> prior, bool masses_allowed, Threads& threads) {
  check(problem);
  const SharedProblem alone{.nodes = problem.graph.nodes(),
                            .classes = problem.classes,
                            .known = problem.known,
                            .label_scale = problem.label_scale,
                            .free = problem.free,
                            .has_front = problem.front.rows > 0,
                            .ranks = Ranks::alone(),
                            .row_of = [](NodeId u) { return u; },
                            .curve =
                                [&](const KnownLabels& known, const FlowOptions& loose,
                                    std::span<const double> times, const VisitTime& visit) {
                                  flow_curve({.graph = problem.graph,
                                              .weights = problem.weights,
                                              .classes = problem.classes,
                                              .known = known,
                                              .label_scale = problem.label_scale},
                                             loose, times, threads, visit);
                                }};
  return choose_flow(alone, options, prior, masses_allowed);
}

}  // namespace heatfront
