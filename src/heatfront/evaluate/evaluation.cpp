// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/evaluation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/graph/components.h"

namespace heatfront {
namespace {

constexpr NodeId kFar = 4;  // so many edges from a label, or more

struct GroupKey {
  int order;
  std::string name;
  bool operator<(const GroupKey& other) const { return order < other.order; }
};

// 0, 1, 2–3, 4–7, …
GroupKey degree_group(NodeId degree) {
  const auto width = static_cast<int>(std::bit_width(static_cast<std::uint32_t>(degree)));
  if (width < 2) return {width, fmt::format("{}", degree)};
  const std::int64_t first = std::int64_t{1} << (width - 1);
  return {width, fmt::format("{}–{}", first, 2 * first - 1)};
}

GroupKey distance_group(NodeId distance) {
  if (distance == kNoPath) return {kFar + 1, "no path"};
  if (distance < kFar) return {distance, fmt::format("{}", distance)};
  return {kFar, fmt::format("{} or more", kFar)};
}

GroupKey status_group(NodeStatus status) { return {static_cast<int>(status), std::string(name_of(status))}; }

// Means over the test nodes for which `key` is the same.
template <class Key>
std::vector<NodeGroup> grouped_by(const Evaluation& evaluation, const JudgedShares& judged,
                                  const std::vector<std::vector<ClassId>>& sets, const Key& key) {
  const double calibrated = evaluation.sets.calibrated_on > 0 ? 1 : std::numeric_limits<double>::quiet_NaN();
  std::map<GroupKey, NodeGroup> groups;
  for (std::size_t i = 0; i < judged.nodes(); ++i) {
    NodeGroup& group = groups[key(evaluation.nodes[i])];
    ++group.nodes;
    group.accuracy += judged.right(i) ? 1 : 0;
    group.confidence += judged.confidence(i);
    group.coverage += calibrated * static_cast<double>(std::ranges::count(sets[i], judged.labels[i]));
    group.set_size += calibrated * static_cast<double>(sets[i].size());
  }
  std::vector<NodeGroup> result;
  for (auto& [name, group] : groups) {
    const auto n = static_cast<double>(group.nodes);
    result.push_back({name.name, group.nodes, group.accuracy / n, group.confidence / n, group.coverage / n,
                      group.set_size / n});
  }
  return result;
}

void check_judges(const TrainedModel& model, const Split& judges) {
  if (!judges.test.empty() || !model.left_out.nodes.empty()) return;
  if (model.split().test.empty())
    fail(
        "{}: its split '{}' has no test nodes to judge by; train without --split, which judges by labels "
        "left "
        "out, or with one that keeps test nodes, as --split \"per-class 1,1\"",
        model.data.name, model.split().name);
  fail(
      "{}: all {} test labels are held fixed, so none is left to judge by; evaluate the model as it was "
      "before, or take "
      "labels back with `heatfront label --undo` or --unset",
      model.data.name, model.split().test.size());
}

JudgedShares softened(const Evaluation& evaluation, const Answer& answer, JudgedShares judged) {
  judged.shares.clear();
  for (NodeId u : evaluation.nodes) {
    const std::vector<double> row = calibrated_shares(evaluation, answer, u);
    judged.shares.insert(judged.shares.end(), row.begin(), row.end());
  }
  return judged;
}

// Every other node of each class, so that both halves are alike.
std::array<std::vector<std::size_t>, 2> halves(const JudgedShares& judged) {
  std::array<std::vector<std::size_t>, 2> result;
  const std::vector<std::size_t> halves = folds_of(judged.labels, judged.classes, result.size());
  for (std::size_t i = 0; i < halves.size(); ++i) result[halves[i]].push_back(i);
  return result;
}

ClassRetrieval retrieval_of(const JudgedShares& judged, ClassId label) {
  if (label == kUnknown) return {};
  require_ids("evaluate: class", std::span(&label, 1), 0, judged.classes);
  std::vector<double> scores;
  for (std::size_t i = 0; i < judged.nodes(); ++i) scores.push_back(judged.row(i)[at(label)]);
  return class_retrieval(scores, judged.labels, label);
}

// All that needs nothing fitted.
void judge(const JudgedShares& judged, const KnownLabels& known, const EvaluationOptions& options,
           Evaluation& result) {
  double right = 0;
  for (std::size_t i = 0; i < judged.nodes(); ++i) right += judged.right(i);
  result.accuracy = right / static_cast<double>(judged.nodes());
  const auto interval = result.by_left_out ? left_out_interval : share_interval;
  result.accuracy_interval = interval(result.accuracy, static_cast<std::int64_t>(judged.nodes()));
  result.confusion = confusion(judged.given, judged.labels, judged.classes);
  ClassReport by_class = class_report(judged.given, judged.labels, known.classes, judged.classes);
  result.classes = std::move(by_class.scores);
  result.macro_f1 = by_class.macro_f1;
  result.uneven = by_class.uneven;
  result.most_frequent = by_class.most_frequent;
  result.always = by_class.always;
  result.as_given = calibration(judged);
  result.retrieval = retrieval_of(judged, options.about);
}

// Of a mean over m nodes by a threshold from n: Beta-distributed coverage, then m draws.
double coverage_deviation(double level, std::int64_t calibrated_on, std::size_t nodes) {
  return std::sqrt(level * (1 - level) *
                   (1 / static_cast<double>(calibrated_on + 2) + 1 / static_cast<double>(nodes)));
}

void judge_sets(const JudgedShares& judged, const std::vector<std::vector<ClassId>>& sets,
                Evaluation& result) {
  result.set_sizes.resize(at(judged.classes) + 1);
  for (const std::vector<ClassId>& set : sets) ++result.set_sizes[set.size()];
  const NodeGroup all = grouped_by(result, judged, sets, [](NodeId) { return GroupKey{0, "all"}; }).front();
  result.coverage = all.coverage;
  result.set_size = all.set_size;
  result.coverage_by_chance =
      coverage_deviation(result.sets.level, result.sets.calibrated_on, judged.nodes());
}

std::vector<ClassId> held_labels(const TrainedModel& model) {
  std::vector<ClassId> labels(at(model.data.nodes()), kUnknown);
  for (std::size_t i = 0; i < model.known.nodes.size(); ++i)
    labels[at(model.known.nodes[i])] = model.known.classes[i];
  return labels;
}

// What was left out and still has a label.
LeftOut still_held(const LeftOut& left_out, std::span<const ClassId> labels) {
  LeftOut result;
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < left_out.nodes.size(); ++i) {
    if (labels[at(left_out.nodes[i])] == kUnknown) continue;
    result.nodes.push_back(left_out.nodes[i]);
    rows.push_back(static_cast<std::int64_t>(i));
  }
  result.shares = Matrix(std::ssize(rows), left_out.shares.cols());
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::ranges::copy(left_out.shares.row(rows[i]), result.shares.row(static_cast<std::int64_t>(i)).begin());
  return result;
}

Evaluation evaluate_left_out(const TrainedModel& model, const EvaluationOptions& options) {
  const std::vector<ClassId> labels = held_labels(model);
  const LeftOut left_out = still_held(model.left_out, labels);
  if (left_out.nodes.empty())
    fail(
        "{}: all labels that training left out to judge itself by have been taken away since; train again "
        "with `heatfront label --train`",
        model.data.name);
  Evaluation result{.nodes = left_out.nodes, .by_left_out = true};
  result.relabelled = std::ranges::count_if(
      model.left_out.nodes, [&](NodeId u) { return labels[at(u)] != model.data.labels[at(u)]; });
  const JudgedShares judged = judged_shares(left_out, labels, model.data.classes());
  judge(judged, model.known, options, result);
  result.warmest_accuracy = result.accuracy;
  const ConformalScore& score = find_conformal_score(options.score);
  result.softening = usable_softening(judged);
  result.sets = conformal_sets(judged, options.coverage, score);

  JudgedShares scaled = judged;
  std::vector<std::vector<ClassId>> sets(judged.nodes());
  const auto parts = halves(judged);
  for (std::size_t half = 0; half < parts.size(); ++half) {
    const JudgedShares others = part_of(judged, parts[1 - half]);
    const double softening = usable_softening(others);
    const ConformalSets by_others = conformal_sets(others, options.coverage, score);
    for (std::size_t i : parts[half]) {
      const auto row = std::span(scaled.shares).subspan(i * at(scaled.classes), at(scaled.classes));
      scale_shares(softening, row);
      sets[i] = by_others.set_of(judged.row(i));
    }
  }
  result.scaled = calibration(scaled);
  judge_sets(judged, sets, result);
  result.by_degree =
      grouped_by(result, judged, sets, [&](NodeId u) { return degree_group(model.data.graph.degree(u)); });
  return result;
}

}  // namespace

std::vector<double> calibrated_shares(const Evaluation& evaluation, const Answer& answer, NodeId u) {
  std::vector<double> shares = plain_shares(answer, u);
  if (!std::isnan(evaluation.softening) && answer.decisions.status[at(u)] != NodeStatus::unreached)
    scale_shares(evaluation.softening, shares);
  return shares;
}

Evaluation evaluate(const TrainedModel& model, const Answer& answer, const EvaluationOptions& options) {
  const Dataset& data = model.data;
  check(model, data.name);
  check(answer, data.nodes(), data.classes());
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  check_judges(model, judges);
  if (judges.test.empty()) return evaluate_left_out(model, options);
  Evaluation result{.nodes = judges.test,
                    .validation_held = std::ssize(model.split().validation) - std::ssize(judges.validation),
                    .test_held = std::ssize(model.split().test) - std::ssize(judges.test)};
  const JudgedShares judged = judged_shares(answer, data.labels, judges.test);
  judge(judged, model.known, options, result);
  result.warmest_accuracy = accuracy(answer.temperatures.values, data.labels, judges.test);

  result.softening =
      fitted_softening(judged_shares(answer, data.labels, reached_of(answer, judges.validation)));
  result.scaled = calibration(softened(result, answer, judged));

  result.sets = conformal_sets(judged_shares(answer, data.labels, judges.validation), options.coverage,
                               find_conformal_score(options.score));
  std::vector<std::vector<ClassId>> sets;
  for (std::size_t i = 0; i < judged.nodes(); ++i) sets.push_back(result.sets.set_of(judged.row(i)));
  judge_sets(judged, sets, result);

  const std::vector<NodeId> distances = distances_to(data.graph, model.known.nodes);
  result.by_status = grouped_by(result, judged, sets,
                                [&](NodeId u) { return status_group(answer.decisions.status[at(u)]); });
  result.by_degree =
      grouped_by(result, judged, sets, [&](NodeId u) { return degree_group(data.graph.degree(u)); });
  result.by_distance =
      grouped_by(result, judged, sets, [&](NodeId u) { return distance_group(distances[at(u)]); });
  return result;
}

}  // namespace heatfront
