// SPDX-License-Identifier: MIT
#include "heatfront/models/targets/target_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "heatfront/base/checks.h"
#include "heatfront/base/text.h"
#include "heatfront/models/models.h"

namespace heatfront {
namespace {

constexpr std::array<TargetModelEntry, 3> kTargetModels = {
    {{kLinearFront, true, false}, {kFlowAlone, false, true}, {"linear-front+flow", true, true}}};

void require_finite(const std::string& what, std::span<const double> values, double largest) {
  const auto bad = std::ranges::find_if_not(values, [&](double x) { return std::abs(x) <= largest; });
  if (bad != values.end())
    fail("{}: entry {} is {}; every value must be a finite number", what, bad - values.begin(), *bad);
}

void check_parts(const TargetModel& model, const std::string& where) {
  const TargetModelEntry& entry = model.entry();
  const auto columns = static_cast<std::int64_t>(model.data.targets.columns());
  for (const auto* values : {&model.units.centre, &model.units.scale})
    require_count(where + ": units of the labels", std::ssize(*values), columns, "one per column");
  require_finite(where + ": means of the labels", model.units.centre, kLargestTarget);
  if (std::ranges::any_of(model.units.scale, [](double s) { return !(s > 0 && s <= 2 * kLargestTarget); }))
    fail("{}: the scale of a column is not above 0; the file is not as it was written", where);
  if (entry.has_front == model.fronts.empty())
    fail("{}: a {} {} fronts that were chosen", where, entry.name,
         entry.has_front ? "without the" : "has no");
  for (const FittedFront& front : model.fronts) {
    if (!(front.kappa > 0 && std::isfinite(front.kappa)))
      fail("{}: 'front_scales' holds {}; it must be above 0", where, front.kappa);
    if (!(front.weight > 0 && std::isfinite(front.weight)))
      fail("{}: 'front_weights' holds {}; it must be above 0", where, front.weight);
  }
  if (!(model.flow_time >= 0 && model.flow_time <= kLongestTime) || entry.has_flow != (model.flow_time > 0))
    fail("{}: a {} that flows for a time of {}; the file is not as it was written", where, entry.name,
         model.flow_time);
  const std::int64_t rows = entry.has_front ? model.data.nodes() : 0;
  if (model.front.rows() != rows || (rows > 0 && model.front.cols() != columns))
    fail("{}: 'front' has shape ({}, {}); it must be ({}, {})", where, model.front.rows(), model.front.cols(),
         rows, columns);
  for (std::int64_t u = 0; u < model.front.rows(); ++u)
    require_numbers(where + ": 'front'", model.front.row(u), kLargestScore);
  const bool many = model.data.targets.kind == LabelKind::many;
  require_count(where + ": 'thresholds'", std::ssize(model.thresholds), many ? columns : 0, "one per class");
  require_finite(where + ": 'thresholds'", model.thresholds, kLargestTarget);
}

void check_labels(const TargetModel& model, const std::string& where) {
  const Targets& targets = model.data.targets;
  check(model.known, model.data.nodes(), where);
  if (model.known.kind != targets.kind || model.known.names != targets.names)
    fail("{}: the labels held are of another kind than those of the data", where);
  for (const auto* part : {&model.split().train, &model.split().validation, &model.split().test}) {
    for (NodeId u : *part) {
      if (!targets.place_of(u))
        fail("{}: node {} of the split has no label; give it one, or take it out of the split", where,
             model.data.node_name(u));
    }
  }
  require_ids(where + ": 'left_out_nodes'", model.left_out, 0, model.data.nodes());
  for (NodeId u : model.left_out) {
    if (!targets.place_of(u)) fail("{}: 'left_out_nodes' has node {}, which has no label", where, u);
  }
  require_count(where + ": 'left_out_values'", std::ssize(model.left_out_said),
                std::ssize(model.left_out) * std::ssize(targets.names), "one for each column of every node");
  require_finite(where + ": 'left_out_values'", model.left_out_said, 1e3 * kLargestTarget);
  for (const TargetChange& change : model.log) {
    if (change.node < 0 || change.node >= model.data.nodes() || change.batch < 0)
      fail("{}: the log of labels names node {} in batch {}; the file is not as it was written", where,
           change.node, change.batch);
    for (const auto* row : {&change.before, &change.after}) {
      if (!row->empty())
        check(Targets{.kind = targets.kind, .names = targets.names, .nodes = {change.node}, .values = *row},
              model.data.nodes(), where + ": the log of labels");
    }
  }
}

}  // namespace

std::span<const TargetModelEntry> target_models() { return kTargetModels; }

const TargetModelEntry& find_target_model(std::string_view name) {
  const auto found = std::ranges::find(kTargetModels, name, &TargetModelEntry::name);
  if (found != kTargetModels.end()) return *found;
  std::vector<std::string_view> names;
  for (const TargetModelEntry& entry : kTargetModels) names.push_back(entry.name);
  fail("{} learns classes only; for values and many labels choose from: {}", name, join(names, ", "));
}

FlowOptions TargetOptions::flow(double time) const {
  FlowOptions options = front.flow({.time = time});
  options.solve.certify = true;
  return options;
}

OptionFields fields(TargetOptions& options) {
  return joined(fields(options.front),
                {{"flow_time", &options.flow_time,
                  "How long heat flows from what the front leaves of the labels, to choose from",
                  between(0, kLongestTime)}});
}

TargetOptions TargetModel::target_options() const {
  TargetOptions result;
  for (const std::string& line : options) set_option(fields(result), line, "the model's options");
  return result;
}

const Split& TargetModel::split() const {
  if (!data.split) fail("{} has no split that says which labels train", data.name);
  return *data.split;
}

Targets TargetModel::training_targets() const { return targets_at(data.targets, split().train); }

void check(const TargetModel& model, const std::string& where) {
  check(model.data, where);
  if (!model.data.targets.present()) fail("{}: a model of values without values", where);
  try {
    model.target_options();
    check_parts(model, where);
    check_labels(model, where);
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(where)) throw;
    fail("{}: {}", where, error.what());
  }
}

}  // namespace heatfront
