// SPDX-License-Identifier: MIT
#include "heatfront/label/rank_task.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/ranks.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/evaluate/calibration.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/decide_rows.h"
#include "heatfront/graph/gather.h"
#include "heatfront/models/label_scale.h"
#include "heatfront/models/models.h"

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
                            const Cluster& cluster, Threads& threads, std::span<const Real> weights) {
  check_on_ranks(task);
  const ClassId classes = task.dataset.classes();
  const std::vector<double> prior = labelled_prior(task.known, classes);
  const Stopwatch watch;
  RankProblem problem = problem_on_rank(task, graph);
  RankFlow flow(graph, task.options, cluster, threads);
  if (!weights.empty()) flow.set_weights(weights);
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

namespace {

// The model's weights of this rank's arcs. Error unless these are those of the model's graph.
std::vector<Real> own_weights(const TrainedModel& model, const RankGraph& graph) {
  const Graph& whole = model.data.graph;
  const auto fail_other = [&] {
    fail("{}: the graph in parts is not the one that the model was trained on", model.data.name);
  };
  if (graph.nodes != whole.nodes()) fail_other();
  std::vector<Real> weights;
  const auto add_block = [&](const RowBlock& block, std::int64_t first_row) {
    for (std::int64_t i = 0; i < block.rows(); ++i) {
      const NodeId u = graph.ids[at(first_row + i)];
      if (block.offsets[at(i) + 1] - block.offsets[at(i)] != whole.degree(u)) fail_other();
      for (ArcId arc = whole.begin_of(u); arc < whole.begin_of(u + 1); ++arc)
        weights.push_back(model.weights.empty() ? Real(1) : model.weights[at(arc)]);
    }
  };
  for (const RowBlock& block : graph.inside) add_block(block, block.first);
  add_block(graph.boundary, graph.inside_rows);
  return weights;
}

}  // namespace

Answer answer_on_ranks(const TrainedModel& model, const RankGraph& graph, const Cluster& cluster,
                       Threads& threads) {
  FlowTask task;
  std::vector<Real> weights;
  agreed(cluster.ranks(), [&] {
    if (model.model != kHeatFront)
      fail("{}: its model is {}; of a graph in parts, {} can answer", model.data.name, model.model,
           kHeatFront);
    weights = own_weights(model, graph);
    const HeatFrontOptions options = model.heat_front_options();
    task.dataset = model.data;
    task.split = model.split();
    task.known = model.known;
    task.front = model.front;
    task.label_scale = label_temperature(options, model.front, threads);
    task.options = options.clamped_flow();
  });
  Answer answer = solve_on_ranks(task, graph, true, cluster, threads, weights).answer;
  if (cluster.ranks().rank() == 0) soften(model.softening, answer, threads);
  return answer;
}

}  // namespace heatfront
