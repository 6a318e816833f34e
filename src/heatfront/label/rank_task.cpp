// SPDX-License-Identifier: MIT
#include "heatfront/label/rank_task.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/decide_rows.h"

namespace heatfront {
namespace {

static_assert(sizeof(DecidedNode) % 4 == 0);

// Own rows, then those of the other ranks, on the first rank; elsewhere nothing.
template <class Row>
std::vector<Row> all_on_first(std::vector<Row> own, std::int64_t numbers_a_row, const Cluster& cluster) {
  const Ranks& ranks = cluster.ranks();
  const std::int64_t rows = std::ssize(own) / numbers_a_row;
  std::vector<double> counts(at(ranks.count()));
  counts[at(ranks.rank())] = static_cast<double>(rows);
  ranks.sum(counts);
  std::vector<RemoteRow> others;
  for (int rank = 1; rank < ranks.count() && ranks.rank() == 0; ++rank) {
    for (std::int64_t row = 0; row < static_cast<std::int64_t>(counts[at(rank)]); ++row)
      others.push_back({rank, row});
  }
  if (ranks.count() == 1) return own;
  std::vector<Row> theirs(others.size() * at(numbers_a_row));
  fetch_rows<Row>(*cluster.halo(rows, others), own, theirs, numbers_a_row);
  if (ranks.rank() != 0) return {};
  own.insert(own.end(), theirs.begin(), theirs.end());
  return own;
}

// On the first rank, in the user's order.
Matrix all_temperatures(const RankGraph& graph, ConstMatrixView own, const Cluster& cluster) {
  const std::vector<NodeId> nodes = all_on_first(graph.ids, 1, cluster);
  const std::vector<Real> numbers =
      all_on_first(std::vector<Real>(own.data, own.data + own.rows * own.stride), own.stride, cluster);
  Matrix whole(std::ssize(nodes), own.cols, own.stride);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    std::copy_n(numbers.begin() + static_cast<std::int64_t>(i) * own.stride, own.cols,
                whole.row(nodes[i]).begin());
  return whole;
}

}  // namespace

void check_on_ranks(const FlowTask& task) {
  if (!task.flows()) fail("--energy {}: a graph in parts is solved by the flow alone", task.energy.name);
  if (task.class_prior || task.volumes)
    fail("--class-prior asks for the heat of all nodes at once; a graph in parts is solved without");
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
  const std::vector<double> prior = labelled_prior(task.known, classes);
  const Stopwatch watch;
  RankProblem problem = problem_on_rank(task, graph);
  RankFlow flow(graph, task.options, cluster, threads);
  if (!task.free) flow.hold(problem.known.nodes);
  const std::vector<NodeId> sources = heat_sources(task, problem, graph);
  Temperatures part = flow.solve(std::move(problem.start));
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
      .options = task.options,
      .choice = {.reason = task.chooses_time ? FlowReason::unsuited : FlowReason::given,
                 .time = task.options.time},
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
