// SPDX-License-Identifier: MIT
#include "heatfront/label/target_flow.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"

namespace heatfront {
namespace {

constexpr std::size_t kSolveFolds = 10;

// The state to begin with, and the flow that holds the labels.
Matrix beginning(const TargetFlowTask& task, const TargetUnits& units, const Targets& known, Flow& flow) {
  flow.hold(known.nodes);
  return held_state(task.dataset.nodes(), known, front_targets(known, units).values);
}

TargetScores judged_at(const TargetFlowTask& task, const TargetUnits& units, const TargetAnswer& answer,
                       std::span<const double> thresholds, std::span<const NodeId> nodes) {
  const Targets truth = targets_at(task.dataset.targets, nodes);
  const std::vector<double> said = answer.at_nodes(truth.nodes);
  return thresholds.empty() ? value_scores(truth, said, units) : class_scores(truth, said, thresholds, units);
}

std::vector<double> thresholds_by_folds(const TargetFlowTask& task, const TargetUnits& units, Flow& flow) {
  if (task.known.kind != LabelKind::many) return {};
  std::vector<double> said(task.known.values.size());
  for (std::size_t fold = 0; fold < kSolveFolds; ++fold) {
    std::vector<bool> left_out(task.known.size());
    for (std::size_t i = fold; i < task.known.size(); i += kSolveFolds) left_out[i] = true;
    const Targets others = without(task.known, left_out);
    if (others.size() == 0 || others.size() == task.known.size()) continue;
    const Temperatures heat = flow.solve(beginning(task, units, others, flow));
    const TargetAnswer answer = target_answer(task.dataset, others, units, heat.values, true, heat.report);
    for (std::size_t i = fold; i < task.known.size(); i += kSolveFolds)
      std::ranges::copy(answer.row(task.known.nodes[i]),
                        said.begin() + static_cast<std::ptrdiff_t>(i * task.known.columns()));
  }
  return best_thresholds(task.known, said);
}

}  // namespace

void check(const TargetFlowTask& task) {
  check(task.dataset, task.dataset.name);
  check(task.known, task.dataset.nodes(), task.dataset.name);
  if (!task.dataset.targets.present()) fail("{}: its labels are classes", task.dataset.name);
  if (task.known.kind != task.dataset.targets.kind || task.known.names != task.dataset.targets.names)
    fail("{}: the known labels are of another kind than those of the data", task.dataset.name);
  if (task.known.size() == 0)
    fail("{}: no label is known, so there is nothing to spread; give labels, or another --known",
         task.dataset.name);
  if (task.dataset.graph.arcs() == 0)
    fail("{} has no edges, and heat needs them; `heatfront graph` joins points to their neighbours",
         task.dataset.name);
  check_split(task.split, task.dataset.nodes(), "split '" + task.split.name + "'");
}

TargetFlowSolution solve_targets(const TargetFlowTask& task, Threads& threads) {
  check(task);
  const Stopwatch watch;
  const TargetUnits units = units_of(task.known);
  Flow flow(task.dataset.graph, task.dataset.weights, task.options, threads);
  TargetFlowSolution result;
  result.thresholds = thresholds_by_folds(task, units, flow);
  Temperatures heat = flow.solve(beginning(task, units, task.known, flow));
  heat.report.seconds = watch.seconds();
  result.answer = target_answer(task.dataset, task.known, units, heat.values, false, heat.report);
  const Split judges = task.judged().split;
  const auto judged = [&](std::span<const NodeId> nodes) {
    return judged_at(task, units, result.answer, result.thresholds, nodes);
  };
  result.validation = judged(judges.validation);
  result.test = judged(judges.test);
  const Targets truth = targets_at(task.dataset.targets, judges.test);
  const auto beside = [&](const std::vector<double>& said) {
    return task.known.kind == LabelKind::many ? class_scores_by_folds(truth, said, units)
                                              : value_scores(truth, said, units);
  };
  result.mean = beside(always_the_mean(task.known, truth.nodes));
  result.neighbours =
      beside(neighbours_mean(task.dataset.graph, task.dataset.weights, task.known, truth.nodes));
  return result;
}

TargetSweep sweep_targets(const TargetFlowTask& task, std::span<const double> times, Threads& threads,
                          const ProgressCallback& progress) {
  check(task);
  const Split judges = task.judged().split;
  if (judges.validation.empty())
    fail("{}: no validation labels to choose a time by; say --split \"percent 40,40\" and --known train",
         task.dataset.name);
  const TargetUnits units = units_of(task.known);
  const bool many = task.known.kind == LabelKind::many;
  const Targets validation = targets_at(task.dataset.targets, judges.validation);
  Flow flow(task.dataset.graph, task.dataset.weights, task.options, threads);
  TargetSweep sweep;
  sweep.report =
      flow.curve(times, beginning(task, units, task.known, flow), [&](double time, const Temperatures& then) {
        const TargetAnswer answer =
            target_answer(task.dataset, task.known, units, then.values, true, then.report);
        // Classes by thresholds that are best on validation: what they score there flatters a little, the test nodes do not.
        const std::vector<double> thresholds =
            many ? best_thresholds(validation, answer.at_nodes(validation.nodes)) : std::vector<double>();
        sweep.points.push_back({.time = time,
                                .validation = judged_at(task, units, answer, thresholds, judges.validation),
                                .test = judged_at(task, units, answer, thresholds, judges.test)});
        report(progress, {"times", std::ssize(sweep.points), std::ssize(times), "times"});
        return true;
      });
  for (std::size_t i = 1; i < sweep.points.size(); ++i)
    if (sweep.points[i].validation.mean_square < sweep.points[sweep.best].validation.mean_square)
      sweep.best = i;
  return sweep;
}

}  // namespace heatfront
