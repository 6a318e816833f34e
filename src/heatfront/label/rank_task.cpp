// SPDX-License-Identifier: MIT
#include "heatfront/label/rank_task.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/ranks.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/decide_rows.h"
#include "heatfront/graph/gather.h"

namespace heatfront {
namespace {

// On the first rank, in the user's order.
Matrix all_temperatures(const RankGraph& graph, ConstMatrixView own, const Cluster& cluster) {
  const std::vector<Real> numbers = ordered_on_first(
      graph.ids, std::vector<Real>(own.data, own.data + own.rows * own.stride), own.stride, cluster);
  Matrix whole(std::ssize(numbers) / own.stride, own.cols, own.stride);
  std::ranges::copy(numbers, whole.view().data);
  return whole;
}

// choose_flow() for the task.
FlowChoice choose_on_ranks(const FlowTask& task, const RankGraph& graph, std::span<const double> prior,
                           const Cluster& cluster, Threads& threads) {
  constexpr NodeId kElsewhere = -1;
  std::vector<NodeId> row_of(at(graph.nodes), kElsewhere);
  for (std::int64_t i = 0; i < graph.rows; ++i) row_of[at(graph.ids[at(i)])] = static_cast<NodeId>(i);
  const SharedProblem problem{.nodes = graph.nodes,
                              .classes = task.dataset.classes(),
                              .known = task.known,
                              .label_scale = task.label_scale,
                              .free = task.free,
                              .has_front = task.front.rows() > 0,
                              .ranks = cluster.ranks(),
                              .row_of = [&](NodeId u) { return row_of[at(u)]; },
                              .curve =
                                  [&](const KnownLabels& known, const FlowOptions& loose,
                                      std::span<const double> times, const VisitTime& visit) {
                                    RankFlow flow(graph, loose, cluster, threads);
                                    flow.hold(known.nodes);
                                    Matrix start = padded_matrix(graph.rows, task.dataset.classes());
                                    for (std::size_t i = 0; i < known.nodes.size(); ++i)
                                      start(known.nodes[i], known.classes[i]) =
                                          static_cast<Real>(task.label_scale);
                                    flow.curve(times, std::move(start), visit);
                                  }};
  return choose_flow(problem, task.options, task.class_prior ? prior : std::span<const double>(),
                     task.masses_allowed);
}

}  // namespace

void check_on_ranks(const FlowTask& task) {
  if (!task.flows()) fail("--energy {}: a graph in parts is solved by the flow alone", task.energy.name);
  if (task.volumes)
    fail(
        "--class-prior: sizes of classes are kept over all nodes at once; a graph in parts takes shares "
        "only");
  check_known(task);
}

RankProblem problem_on_rank(const FlowTask& task, const RankGraph& graph) {
  const ClassId classes = task.dataset.classes();
  std::vector<ClassId> known(at(task.dataset.nodes()), kUnknown);
  for (std::size_t i = 0; i < task.known.nodes.size(); ++i)
    known[at(task.known.nodes[i])] = task.known.classes[i];
  RankProblem problem{.known = {}, .start = padded_matrix(graph.rows, classes)};
  const bool sets_known = task.front.rows() == 0 || !task.free;
  for (std::int64_t i = 0; i < graph.rows; ++i) {
    const NodeId node = graph.ids[at(i)];
    const auto row = problem.start.row(i);
    if (task.front.rows() > 0) std::ranges::copy(task.front.row(node), row.begin());
    if (known[at(node)] == kUnknown) continue;
    problem.known.nodes.push_back(static_cast<NodeId>(i));
    problem.known.classes.push_back(known[at(node)]);
    if (!sets_known) continue;
    std::ranges::fill(row, Real(0));
    row[at(known[at(node)])] = static_cast<Real>(task.label_scale);
  }
  return problem;
}

std::vector<NodeId> heat_sources(const FlowTask& task, const RankProblem& problem, const RankGraph& graph) {
  std::vector<NodeId> sources = problem.known.nodes;
  for (std::int64_t i = 0; i < graph.rows && task.front.rows() > 0; ++i) {
    if (std::ranges::any_of(task.front.row(graph.ids[at(i)]), [](Real x) { return x != 0; }))
      sources.push_back(static_cast<NodeId>(i));
  }
  return sources;
}

std::vector<DecidedNode> gather_on_first(const RankGraph& graph, const Decisions& decisions,
                                         std::span<const ClassId> warmest, const Cluster& cluster) {
  std::vector<DecidedNode> own(at(graph.rows));
  for (std::size_t i = 0; i < own.size(); ++i) {
    own[i] = {.node = graph.ids[i],
              .decided = decisions.classes[i],
              .warmest = warmest[i],
              .status = static_cast<std::int32_t>(decisions.status[i]),
              .confidence = decisions.confidence[i],
              .margin = decisions.margin[i]};
  }
  return all_on_first(std::move(own), 1, cluster);
}

FlowSolution solve_on_ranks(const FlowTask& task, const RankGraph& graph, bool temperatures,
                            const Cluster& cluster, Threads& threads) {
  check_on_ranks(task);
  const ClassId classes = task.dataset.classes();
  const std::vector<double> prior = task.prior();
  const Stopwatch watch;
  RankProblem problem = problem_on_rank(task, graph);
  FlowOptions options = task.options;
  FlowChoice choice{.time = options.time, .masses = task.class_prior.has_value()};
  if (task.chooses_time) {
    choice = choose_on_ranks(task, graph, prior, cluster, threads);
    options.time = choice.time;
  }
  RankFlow flow(graph, options, cluster, threads);
  if (!task.free) flow.hold(problem.known.nodes);
  const std::vector<NodeId> sources = heat_sources(task, problem, graph);
  Temperatures part = flow.solve(std::move(problem.start));
  if (choice.masses) normalise_class_mass(part, problem.known, prior, cluster.ranks());
  const double seconds = watch.seconds();
  const Decisions decisions = decide_rows({.rows = graph.rows,
                                           .classes = classes,
                                           .known = problem.known,
                                           .held = !task.free,
                                           .logits = task.front.rows() > 0},
                                          flow.reached_from(sources), part, prior, threads);
  const std::vector<DecidedNode> nodes =
      gather_on_first(graph, decisions, warmest_classes(part.values), cluster);

  FlowSolution solution{
      .answer = {.temperatures = {.values = {}, .report = part.report, .column_errors = part.column_errors},
                 .decisions = {}},
      .options = options,
      .choice = std::move(choice),
      .volumes = {},
      .train_accuracy = 0,
      .validation_accuracy = 0,
      .test_accuracy = 0,
      .seconds = seconds};
  if (temperatures) solution.answer.temperatures.values = all_temperatures(graph, part.values, cluster);
  if (cluster.ranks().rank() != 0) return solution;
  const std::size_t n = nodes.size();
  Decisions& all = solution.answer.decisions;
  all = {.classes = std::vector<ClassId>(n),
         .confidence = std::vector<Real>(n),
         .margin = std::vector<Real>(n),
         .status = std::vector<NodeStatus>(n),
         .logits = decisions.logits,
         .prior = prior};
  std::vector<ClassId> warmest(n);
  for (const DecidedNode& node : nodes) {
    const std::size_t u = at(node.node);
    all.classes[u] = node.decided;
    all.confidence[u] = node.confidence;
    all.margin[u] = node.margin;
    all.status[u] = static_cast<NodeStatus>(node.status);
    ++all.counts[at(node.status)];
    warmest[u] = node.warmest;
  }
  const Judged judged = task.judged();
  solution.train_accuracy = accuracy(warmest, task.dataset.labels, task.split.train);
  solution.validation_accuracy = accuracy(warmest, task.dataset.labels, judged.split.validation);
  solution.test_accuracy = accuracy(warmest, task.dataset.labels, judged.split.test);
  return solution;
}

}  // namespace heatfront
