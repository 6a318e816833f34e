// SPDX-License-Identifier: MIT
#include "heatfront/label/target_session.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront/evaluate/conformal.h"

namespace heatfront {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kMovedAtLeast = 1e-3;

// |said − value| by column.
std::vector<std::vector<double>> residuals(const Targets& truth, std::span<const double> said) {
  std::vector<std::vector<double>> result(truth.columns());
  for (std::size_t i = 0; i < truth.size(); ++i)
    for (std::size_t c = 0; c < truth.columns(); ++c)
      result[c].push_back(std::abs(said[i * truth.columns() + c] - truth.row(i)[c]));
  return result;
}

template <class Share>
void keep_largest(std::vector<Share>& shares, std::size_t most) {
  std::ranges::stable_sort(shares, std::greater(), [](const Share& share) { return std::abs(share.adds); });
  if (shares.size() > most) shares.resize(most);
}

void add_attributes_of(const Matrix& shares, bool are_nodes, double scale, TargetExplanation& e) {
  for (std::int64_t k = 0; k < shares.rows(); ++k) {
    const double adds = scale * static_cast<double>(shares(k, static_cast<std::int64_t>(e.column)));
    if (adds == 0) continue;
    e.from_attributes += adds;
    e.attributes.push_back({.column = k, .is_node = are_nodes, .adds = adds});
  }
}

}  // namespace

TargetSession::TargetSession(TargetModel model, Threads& threads)
    : threads_(threads), model_(std::make_unique<TargetModel>(std::move(model))) {
  check(*model_, model_->data.name);
  for (const TargetChange& change : model_->log) batch_ = std::max(batch_, change.batch);
  predictor_ = std::make_unique<TargetPredictor>(*model_, threads);
}

void TargetSession::begin_batch() {
  ++batch_;
  open_ = true;
}

bool TargetSession::change(NodeId u, std::span<const double> row) {
  check_node(model_->data, u);
  Targets& known = model_->known;
  const auto place = known.place_of(u);
  std::vector<double> before;
  if (place) before.assign(known.row(*place).begin(), known.row(*place).end());
  if (std::ranges::equal(before, row)) return false;
  if (!open_) ++batch_;
  model_->log.push_back(
      {.batch = batch_, .node = u, .before = before, .after = {row.begin(), row.end()}, .time = time_});
  if (row.empty()) {
    known.remove(u);
  } else {
    known.set(u, row);
  }
  return true;
}

bool TargetSession::set(NodeId u, std::span<const double> row) {
  const Targets& targets = model_->data.targets;
  check_node(model_->data, u);
  check(
      Targets{.kind = targets.kind, .names = targets.names, .nodes = {u}, .values = {row.begin(), row.end()}},
      model_->data.nodes(), model_->data.name);
  return change(u, row);
}

bool TargetSession::unset(NodeId u) { return change(u, {}); }

std::int64_t TargetSession::include_validation() {
  const Targets labels = targets_at(model_->data.targets, model_->split().validation);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!model_->known.place_of(labels.nodes[i])) count += set(labels.nodes[i], labels.row(i));
  return count;
}

std::int64_t TargetSession::undo() {
  std::vector<TargetChange>& log = model_->log;
  if (log.empty())
    fail("{}: there is nothing to undo: no label was changed after training", model_->data.name);
  const std::int64_t batch = log.back().batch;
  std::int64_t count = 0;
  for (; !log.empty() && log.back().batch == batch; log.pop_back(), ++count) {
    const TargetChange& last = log.back();
    if (last.before.empty()) {
      model_->known.remove(last.node);
    } else {
      model_->known.set(last.node, last.before);
    }
  }
  return count;
}

TargetIntervals intervals_of(const TargetModel& model, const TargetAnswer& answer, double level) {
  TargetIntervals result{.level = level};
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  const Targets validation = targets_at(model.data.targets, judges.validation);
  result.left_out = validation.size() == 0;
  const Targets truth = result.left_out ? targets_at(model.data.targets, model.left_out) : validation;
  result.calibrated_on = std::ssize(truth.nodes);
  const std::vector<double> said = result.left_out ? model.left_out_said : answer.at_nodes(truth.nodes);
  for (std::vector<double>& column : residuals(truth, said))
    result.radius.push_back(conformal_threshold(std::move(column), level));
  return result;
}

TargetScores scores_at(const TargetModel& model, const TargetAnswer& answer, std::span<const NodeId> nodes) {
  const Targets truth = targets_at(model.data.targets, nodes);
  const std::vector<double> said = answer.at_nodes(truth.nodes);
  return truth.kind == LabelKind::many ? class_scores(truth, said, model.thresholds, model.units)
                                       : value_scores(truth, said, model.units);
}

TargetEvaluation evaluate_targets(const TargetModel& model, const TargetAnswer& answer, double level,
                                  std::size_t about) {
  if (about != kNoColumn && model.thresholds.empty())
    fail("{}: its labels are values, of which there are no classes to find", model.data.name);
  const Split judges = judged_by(model.split(), model.known.nodes).split;
  TargetEvaluation result;
  result.test = scores_at(model, answer, judges.test);
  result.validation = scores_at(model, answer, judges.validation);
  const Targets left_out = targets_at(model.data.targets, model.left_out);
  const bool many = left_out.kind == LabelKind::many;
  result.left_out = many ? class_scores_by_folds(left_out, model.left_out_said, model.units)
                         : value_scores(left_out, model.left_out_said, model.units);
  result.by_test = !judges.test.empty();
  const Targets truth = result.by_test ? targets_at(model.data.targets, judges.test) : left_out;
  const auto judged = [&](const std::vector<double>& said) {
    return many ? class_scores_by_folds(truth, said, model.units) : value_scores(truth, said, model.units);
  };
  const Targets known = result.by_test ? model.known : model.training_targets();
  result.mean = judged(always_the_mean(known, truth.nodes));
  result.neighbours = judged(neighbours_mean(model.data.graph, model.data.weights, known, truth.nodes));
  if (about != kNoColumn) {
    const std::vector<double> said = result.by_test ? answer.at_nodes(truth.nodes) : model.left_out_said;
    std::vector<double> scores;
    std::vector<ClassId> has;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      scores.push_back(said[i * truth.columns() + about]);
      has.push_back(truth.row(i)[about] > 0 ? static_cast<ClassId>(about) : kUnknown);
    }
    result.retrieval = class_retrieval(scores, has, static_cast<ClassId>(about));
  }
  result.intervals = intervals_of(model, answer, level);
  const Targets test = targets_at(model.data.targets, judges.test);
  const auto gaps = residuals(test, answer.at_nodes(test.nodes));
  for (std::size_t c = 0; c < gaps.size(); ++c) {
    const auto within =
        std::ranges::count_if(gaps[c], [&](double gap) { return gap <= result.intervals.radius[c]; });
    result.covered.push_back(
        gaps[c].empty() ? kNaN : static_cast<double>(within) / static_cast<double>(gaps[c].size()));
  }
  return result;
}

std::size_t find_target(const Dataset& data, std::string_view name) {
  const std::vector<std::string>& names = data.targets.names;
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    fail("{}: there is no {} {}{}; choose from: {}", data.name,
         data.targets.kind == LabelKind::many ? "class" : "value", in_quotes(name), did_you_mean(name, names),
         listed_classes(names));
  return at(found - names.begin());
}

std::vector<std::size_t> columns_to_explain(const TargetModel& model, const TargetAnswer& answer, NodeId u) {
  std::vector<std::size_t> columns;
  const auto row = answer.row(u);
  for (std::size_t c = 0; c < row.size(); ++c)
    if (model.thresholds.empty() || row[c] >= model.thresholds[c]) columns.push_back(c);
  if (columns.empty()) columns.push_back(at(std::ranges::max_element(row) - row.begin()));
  return columns;
}

TargetRanking rank_targets(TargetSession& session, const TargetAnswer& answer,
                           const TargetRankOptions& options) {
  const TargetModel& model = session.model();
  if (options.count < 1) fail("a ranking of {} nodes: there must be 1 or more", options.count);
  if (options.column >= model.data.targets.columns() || answer.columns != model.data.targets.columns() ||
      answer.status.size() != at(model.data.nodes()))
    fail("a ranking by column {} of {}: the answer must be the model's own, and have it", options.column,
         model.data.name);
  TargetRanking result{.column = options.column};
  std::vector<NodeId> nodes;
  for (NodeId u = 0; u < model.data.nodes(); ++u)
    if (options.known || answer.status[at(u)] != TargetStatus::known) nodes.push_back(u);
  result.candidates = std::ssize(nodes);
  std::ranges::stable_sort(nodes, std::greater(), [&](NodeId u) { return answer.row(u)[options.column]; });
  nodes.resize(at(std::min(options.count, result.candidates)));
  for (NodeId u : nodes) result.nodes.push_back(explain_target(session, answer, u, options.column));
  return result;
}

TargetExplanation explain_target(TargetSession& session, const TargetAnswer& answer, NodeId u,
                                 std::size_t column, std::size_t most) {
  const TargetModel& model = session.model();
  check_node(model.data, u);
  if (column >= model.data.targets.columns())
    fail("{}: there is no column {}; there are {}", model.data.name, column, model.data.targets.columns());
  const TargetReasons reasons = session.reasons(u);
  const Targets& known = session.known();
  const std::size_t columns = known.columns();
  const double scale = model.units.scale[column];
  TargetExplanation e{.node = u,
                      .column = column,
                      .status = answer.status[at(u)],
                      .value = answer.row(u)[column],
                      .centre = model.units.centre[column],
                      .both = !reasons.front.empty() && !reasons.left_over.empty()};
  for (std::size_t j = 0; j < known.size(); ++j) {
    const double said = reasons.left_over.empty() ? known.row(j)[column] - e.centre
                                                  : scale * reasons.left_over[j * columns + column];
    const double adds = reasons.labels[j] * said;
    e.from_labels += adds;
    if (reasons.labels[j] != 0)
      e.labels.push_back({known.nodes[j], known.row(j)[column], reasons.labels[j], adds});
  }
  add_attributes_of(reasons.attributes, false, scale, e);
  add_attributes_of(reasons.places, true, scale, e);
  const bool has_front = !reasons.front.empty();
  if (!has_front) e.from_attributes = kNaN;
  if (e.status != TargetStatus::known) {
    const bool clamped = known.kind == LabelKind::many && (e.value <= 0 || e.value >= 1);
    const auto gap = [&](double parts) { return std::abs(e.centre + parts - e.value); };
    if (e.both) {
      e.residual = gap(e.from_labels + e.from_attributes);
    } else {
      e.residual = std::max(gap(e.from_labels), has_front ? gap(e.from_attributes) : 0);
    }
    if (clamped) e.residual = 0;  // the parts add up to what was cut off at 0 and 1
  }
  keep_largest(e.labels, most);
  keep_largest(e.attributes, most);
  return e;
}

std::vector<MovedTarget> moved_targets(const TargetModel& model, const TargetAnswer& before,
                                       const TargetAnswer& after) {
  std::vector<MovedTarget> result;
  for (NodeId u = 0; u < model.data.nodes(); ++u) {
    if (before.status[at(u)] == TargetStatus::known || after.status[at(u)] == TargetStatus::known) continue;
    MovedTarget moved{.node = u};
    for (std::size_t c = 0; c < after.columns; ++c) {
      const double by = std::abs(after.row(u)[c] - before.row(u)[c]) / model.units.scale[c];
      if (by <= moved.moved) continue;
      moved = {u, before.row(u)[c], after.row(u)[c], c, by};
    }
    if (moved.moved >= kMovedAtLeast) result.push_back(moved);
  }
  std::ranges::stable_sort(result, std::greater(), &MovedTarget::moved);
  return result;
}

}  // namespace heatfront
