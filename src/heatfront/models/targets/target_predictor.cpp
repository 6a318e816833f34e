// SPDX-License-Identifier: MIT
#include "heatfront/models/targets/target_predictor.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/graph/components.h"
#include "heatfront/models/linear_front/linear_fit.h"

namespace heatfront {
namespace {

constexpr double kTargetReasonsTolerance = 1e-7;

}  // namespace

std::string_view name_of(TargetStatus status) {
  static constexpr std::array<std::string_view, 3> kNames = {"known", "estimated", "unreached"};
  return kNames[static_cast<std::size_t>(status)];
}

std::vector<double> TargetAnswer::at_nodes(std::span<const NodeId> nodes) const {
  std::vector<double> rows;
  for (NodeId u : nodes) std::ranges::copy(row(u), std::back_inserter(rows));
  return rows;
}

std::int64_t TargetAnswer::count(TargetStatus wanted) const { return std::ranges::count(status, wanted); }

FrontTargets front_targets(const Targets& known, const TargetUnits& units) {
  FrontTargets result{
      .nodes = known.nodes, .columns = static_cast<std::int64_t>(known.columns()), .values = known.values};
  for (std::size_t i = 0; i < known.size(); ++i) {
    for (std::size_t c = 0; c < known.columns(); ++c) {
      double& y = result.values[i * known.columns() + c];
      y = (y - units.centre[c]) / units.scale[c];
    }
  }
  return result;
}

Matrix held_state(NodeId nodes, const Targets& known, std::span<const double> rows) {
  Matrix state = padded_matrix(nodes, static_cast<std::int64_t>(known.columns()));
  for (std::size_t i = 0; i < known.size(); ++i) {
    const auto row = state.row(known.nodes[i]);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = static_cast<Real>(rows[i * row.size() + c]);
  }
  return state;
}

TargetAnswer target_answer(const Dataset& data, const Targets& known, const TargetUnits& units,
                           ConstMatrixView f, bool everywhere, const SolveReport& report) {
  TargetAnswer answer{.columns = known.columns(), .report = report};
  const bool many = known.kind == LabelKind::many;
  for (NodeId u = 0; u < data.nodes(); ++u) {
    const auto row = f.row(u);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double value = units.centre[c] + units.scale[c] * static_cast<double>(row[c]);
      answer.values.push_back(many ? std::clamp(value, 0.0, 1.0) : value);
    }
  }
  answer.status.assign(at(data.nodes()), TargetStatus::estimated);
  if (!everywhere) {
    const std::vector<bool> reached = reached_from(data.graph, data.weights, known.nodes);
    for (std::size_t u = 0; u < reached.size(); ++u)
      if (!reached[u]) answer.status[u] = TargetStatus::unreached;
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    answer.status[at(known.nodes[i])] = TargetStatus::known;
    std::ranges::copy(known.row(i),
                      answer.values.begin() + known.nodes[i] * static_cast<NodeId>(known.columns()));
  }
  return answer;
}

TargetPredictor::~TargetPredictor() = default;

TargetPredictor::TargetPredictor(const TargetModel& model, Threads& threads)
    : model_(model),
      entry_(model.entry()),
      threads_(threads),
      options_(model.target_options()),
      trained_(model.training_targets()) {
  if (entry_.has_flow)
    flow_ =
        std::make_unique<Flow>(model.data.graph, model.data.weights, options_.flow(model.flow_time), threads);
}

LinearFit& TargetPredictor::fitted_to(const Targets& known) {
  if (!fit_)
    fit_ = std::make_unique<LinearFit>(model_.data, model_.data.weights, model_.fronts,
                                       options_.front.flow({}), threads_);
  fit_->fit(front_targets(known, model_.units));
  return *fit_;
}

ConstMatrixView TargetPredictor::front_of(const Targets& known, SolveReport& report) {
  if (known.nodes == trained_.nodes && known.values == trained_.values) return model_.front;
  const std::int64_t before = fit_ ? fit_->products() : 0;
  LinearFit& fit = fitted_to(known);
  report.products += fit.products() - before;
  return fit.values();
}

std::vector<double> TargetPredictor::left_over(const Targets& known, ConstMatrixView front) const {
  std::vector<double> rows = front_targets(known, model_.units).values;
  for (std::size_t i = 0; i < known.size() && front.rows > 0; ++i) {
    for (std::size_t c = 0; c < known.columns(); ++c)
      rows[i * known.columns() + c] -= static_cast<double>(front.row(known.nodes[i])[c]);
  }
  return rows;
}

TargetAnswer TargetPredictor::answer(const Targets& known) {
  check(known, model_.data.nodes(), model_.data.name);
  const Stopwatch watch;
  SolveReport report;
  const ConstMatrixView front = entry_.has_front ? front_of(known, report) : ConstMatrixView{};
  Matrix f = padded_matrix(model_.data.nodes(), static_cast<std::int64_t>(known.columns()));
  if (entry_.has_flow) {
    flow_->hold(known.nodes);
    Temperatures heat = flow_->solve(held_state(model_.data.nodes(), known, left_over(known, front)));
    heat.report.products += report.products;
    report = heat.report;
    f = std::move(heat.values);
  }
  for (std::int64_t u = 0; u < front.rows; ++u) {
    const auto row = f.row(u);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] += front.row(u)[c];
  }
  report.seconds = watch.seconds();
  return target_answer(model_.data, known, model_.units, f, entry_.has_front, report);
}

TargetReasons TargetPredictor::reasons(NodeId u, const Targets& known) {
  check(known, model_.data.nodes(), model_.data.name);
  require_ids(model_.data.name + ": node", std::span(&u, 1), 0, model_.data.nodes());
  TargetReasons result;
  ConstMatrixView front;
  if (entry_.has_front) {
    LinearFit& fit = fitted_to(known);
    front = fit.values();
    const auto row = front.row(u);
    result.front.assign(row.begin(), row.end());
    LinearFit::Shares shares = std::move(fit.shares_of(std::span(&u, 1)).front());
    result.attributes = std::move(shares.attributes);
    result.places = std::move(shares.places);
    if (!entry_.has_flow) result.labels = std::move(shares.labels);
  }
  if (entry_.has_flow) {
    flow_->hold(known.nodes);
    const Matrix shares = flow_->shares_of(std::span(&u, 1), kTargetReasonsTolerance);
    for (NodeId v : known.nodes) result.labels.push_back(static_cast<double>(shares(v, 0)));
    result.left_over = left_over(known, front);
  }
  return result;
}

}  // namespace heatfront
