// SPDX-License-Identifier: MIT
#include "heatfront/label/session.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/data/dataset.h"
#include "heatfront/flow/shared_flow.h"

namespace heatfront {
namespace {

// In ascending order of the nodes.
KnownLabels sorted(const KnownLabels& known) {
  std::vector<std::size_t> order(known.nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return known.nodes[i]; });
  KnownLabels result;
  for (std::size_t i : order) {
    result.nodes.push_back(known.nodes[i]);
    result.classes.push_back(known.classes[i]);
  }
  return result;
}

Real most_moved(std::span<const Real> before, std::span<const Real> after) {
  Real most = 0;
  for (std::size_t c = 0; c < std::min(before.size(), after.size()); ++c)
    most = std::max(most, std::abs(after[c] - before[c]));
  return most;
}

bool is_known(const Answer& answer, std::size_t u) { return answer.decisions.status[u] == NodeStatus::known; }

}  // namespace

Session::Session(TrainedModel model, Threads& threads)
    : model_(std::make_unique<TrainedModel>(std::move(model))),
      entry_(find_model(model_->model)),
      threads_(threads) {
  check(*model_, model_->data.name);
  model_->known = sorted(model_->known);
  for (const LabelChange& change : model_->log) batch_ = std::max(batch_, change.batch);
  widen_front();
  predictor_ = entry_.predictor(*model_, front(), threads_);
}

ConstMatrixView Session::front() const {
  return wide_front_.cols() == 0 ? model_->front.view() : wide_front_.view();
}

LabelledFlow& Session::labelled_flow() const {
  if (!flows())
    fail("{}: its model is {}, whose answers are not a flow of heat; this works with {} only",
         model_->data.name, entry_.name, kHeatFront);
  return *predictor_->flow();
}

void Session::share_out(RankGraph rows, const Cluster& cluster) {
  const NodeFlow& alone = flow();
  labelled_flow().set_flow(std::make_unique<SharedFlow>(alone.graph(), alone.weights(), alone.options(),
                                                        std::move(rows), cluster, threads_));
}

void Session::check_linear() const {
  if (is_linear()) return;
  fail("{}: its model is {}, whose answers are not a sum of what labels give; this works with {} and {}",
       model_->data.name, entry_.name, kHeatFront, kLinearFront);
}

std::vector<Reasons> Session::reasons(std::span<const NodeId> nodes) const {
  check_linear();
  for (NodeId u : nodes) check_node(model_->data, u);
  return predictor_->reasons(nodes, model_->known);
}

Influence Session::influence(std::span<const NodeId> nodes) const {
  check_linear();
  return predictor_->influence(nodes, model_->known);
}

Answer Session::solve() { return answer_with(model_->known); }

Answer Session::answer_with(const KnownLabels& known) const {
  Answer answer = predictor_->answer(known);
  soften(model_->softening, answer, threads_);
  return answer;
}

ClassId Session::known_class(NodeId u) const {
  const auto place = std::ranges::lower_bound(model_->known.nodes, u);
  if (place == model_->known.nodes.end() || *place != u) return kUnknown;
  return model_->known.classes[at(place - model_->known.nodes.begin())];
}

ClassId Session::add_class(const std::string& name) {
  check_takes_labels();
  check_new_name(name);
  model_->data.class_names.push_back(name);
  take_classes();
  return model_->data.classes() - 1;
}

void Session::rename_class(ClassId label, const std::string& name) {
  if (label < 0 || label >= model_->data.classes())
    fail("{}: there is no class {}; classes are 0 to {}", model_->data.name, label,
         model_->data.classes() - 1);
  check_new_name(name);
  model_->data.class_names[at(label)] = name;
}

void Session::check_new_name(const std::string& name) const {
  if (name.empty()) fail("a class without a name: give it one");
  if (std::ranges::count(model_->data.class_names, name) > 0)
    fail("{}: there is a class '{}' already", model_->data.name, name);
}

void Session::widen_front() {
  const Matrix& seen = model_->front;
  const ClassId classes = model_->data.classes();
  wide_front_ = classes > seen.cols() ? Matrix(seen.rows(), classes) : Matrix();
  for (std::int64_t u = 0; u < wide_front_.rows(); ++u) {
    const auto row = wide_front_.row(u);
    const auto rest = std::ranges::copy(seen.row(u), row.begin()).out;
    std::fill(rest, row.end(), std::ranges::min(seen.row(u)));
  }
}

void Session::take_classes() {
  if (front().cols == model_->data.classes()) return;
  widen_front();
  predictor_->set_front(front());
}

void Session::begin_batch() {
  ++batch_;
  open_ = true;
}

void Session::hold(NodeId u, ClassId label) {
  auto& [nodes, classes] = model_->known;
  const auto node = std::ranges::lower_bound(nodes, u);
  const auto held = classes.begin() + (node - nodes.begin());
  const bool there = node != nodes.end() && *node == u;
  if (there && label != kUnknown) {
    *held = label;
  } else if (there) {
    nodes.erase(node);
    classes.erase(held);
  } else if (label != kUnknown) {
    nodes.insert(node, u);
    classes.insert(held, label);
  }
}

void Session::check_takes_labels() const {
  if (entry_.takes_labels) return;
  std::string others;
  for (const ModelEntry& entry : models()) {
    if (entry.takes_labels) others.append(others.empty() ? "" : ", ").append(entry.name);
  }
  fail(
      "{}: its model is {}, in which labels act through training only; train again with the new labels in "
      "the "
      "data and the split, or train a model that takes them afterwards: {}",
      model_->data.name, entry_.name, others);
}

bool Session::change(NodeId u, ClassId label, LabelSource from) {
  check_takes_labels();
  check_node(model_->data, u);
  const ClassId before = known_class(u);
  if (before == label) return false;
  if (!open_) ++batch_;
  model_->log.push_back(
      {.batch = batch_, .node = u, .before = before, .after = label, .time = time_, .from = from});
  hold(u, label);
  return true;
}

bool Session::set(NodeId u, ClassId label) {
  if (label < 0 || label >= model_->data.classes())
    fail("{}: there is no class {}; classes are 0 to {}", model_->data.name, label,
         model_->data.classes() - 1);
  return change(u, label, LabelSource::review);
}

bool Session::unset(NodeId u) { return change(u, kUnknown, LabelSource::review); }

std::int64_t Session::include_validation() {
  std::int64_t count = 0;
  const bool alone = !open_;
  if (alone) begin_batch();
  for (NodeId u : model_->split().validation) {
    const ClassId label = model_->data.labels[at(u)];
    if (label != kUnknown && known_class(u) == kUnknown) count += change(u, label, LabelSource::data);
  }
  if (alone) close_batch();
  return count;
}

// A temperature, whatever unit training had for it.
void Session::set_label_scale(double scale) {
  labelled_flow().set_label_scale(scale);
  model_->set_option("label_scale", fmt::format("{}", scale));
  if (entry_.name == kHeatFront) model_->set_option("label_unit", "one");
}

std::int64_t Session::undo() {
  std::vector<LabelChange>& log = model_->log;
  if (log.empty())
    fail("{}: there is nothing to undo: no label was changed after training", model_->data.name);
  const std::int64_t batch = log.back().batch;
  std::int64_t count = 0;
  for (; !log.empty() && log.back().batch == batch; log.pop_back(), ++count)
    hold(log.back().node, log.back().before);
  drop_unused_classes();
  return count;
}

void Session::drop_unused_classes() {
  const auto used = [&](ClassId label) {
    return std::ranges::count(model_->known.classes, label) > 0 ||
           std::ranges::count(model_->data.labels, label) > 0 ||
           std::ranges::any_of(model_->log, [&](const LabelChange& change) {
             return change.before == label || change.after == label;
           });
  };
  std::vector<std::string>& names = model_->data.class_names;
  while (std::ssize(names) > model_->front.cols() && !used(static_cast<ClassId>(names.size() - 1)))
    names.pop_back();
  take_classes();
}

std::vector<ChangedNode> changed(const Answer& before, const Answer& after) {
  const auto nodes = static_cast<NodeId>(after.decisions.classes.size());
  for (const Answer* answer : {&before, &after})
    check(*answer, nodes, static_cast<ClassId>(answer->temperatures.values.cols()));
  std::vector<ChangedNode> result;
  for (std::size_t u = 0; u < after.decisions.classes.size(); ++u) {
    const auto node = static_cast<NodeId>(u);
    if (before.decisions.classes[u] == after.decisions.classes[u]) continue;
    result.push_back(
        {.node = node,
         .before = before.decisions.classes[u],
         .after = after.decisions.classes[u],
         .margin_before = before.decisions.margin[u],
         .margin_after = after.decisions.margin[u],
         .moved = most_moved(before.temperatures.values.row(node), after.temperatures.values.row(node)),
         .told = is_known(before, u) || is_known(after, u)});
  }
  std::ranges::stable_sort(result, std::greater(), &ChangedNode::moved);
  return result;
}

}  // namespace heatfront
