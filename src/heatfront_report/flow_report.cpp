// SPDX-License-Identifier: MIT
#include "heatfront_report/flow_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_report/dataset_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

// The second class of each node, the third, …; none where the label is known.
void add_others(const Answer& answer, std::int64_t top, std::vector<Prediction>& predictions) {
  for (std::size_t u = 0; u < predictions.size(); ++u) {
    if (answer.decisions.status[u] == NodeStatus::known) continue;
    const auto row = answer.temperatures.values.row(static_cast<std::int64_t>(u));
    const std::vector<double> shares = class_shares(answer, static_cast<NodeId>(u));
    for (ClassId c : ranked_classes(row, static_cast<std::size_t>(top) + 1)) {
      if (c == predictions[u].label || std::ssize(predictions[u].others) == top - 1) continue;
      predictions[u].others.push_back({c, static_cast<Real>(shares[at(c)])});
    }
  }
}

Json point_json(const SweepPoint& point) {
  return {{"time", point.time},
          {"train_accuracy", json_number(point.train_accuracy)},
          {"validation_accuracy", json_number(point.validation_accuracy)},
          {"test_accuracy", json_number(point.test_accuracy)},
          {"validation_loss", json_number(point.validation_loss)},
          {"energy", point.energy},
          {"undecided", point.undecided},
          {"with_class_masses",
           {{"validation_accuracy", json_number(point.masses_validation_accuracy)},
            {"test_accuracy", json_number(point.masses_test_accuracy)},
            {"changed", json_number(point.changed)}}}};
}

std::string loss_text(double loss) { return std::isnan(loss) ? "–" : fmt::format("{:.4f}", loss); }

// Those without a figure, for there is nothing to judge by.
void leave_out_empty_columns(TextRows& rows) {
  for (std::size_t column = rows[0].size(); column-- > 2;) {
    if (!std::all_of(rows.begin() + 1, rows.end(), [&](const auto& row) { return row[column] == "–"; }))
      continue;
    for (std::vector<std::string>& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

std::string points_table(const Sweep& sweep) {
  TextRows rows = {{"", "t", "train", "validation", "test", "validation loss", "energy", "undecided",
                    "masses: test", "changed"}};
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    const bool marked = i == sweep.best && (sweep.validated || sweep.plateau);
    rows.push_back({marked ? ">" : "", fmt::format("{:.4g}", point.time), percent(point.train_accuracy),
                    percent(point.validation_accuracy), percent(point.test_accuracy),
                    loss_text(point.validation_loss), fmt::format("{:.4g}", point.energy),
                    grouped(point.undecided), percent(point.masses_test_accuracy), percent(point.changed)});
  }
  leave_out_empty_columns(rows);
  return text_table(rows);
}

// And was enough tried, or can nothing be better?
bool are_equally_good(const Sweep& sweep) {
  constexpr std::size_t kEnough = 5;
  const SweepPoint& first = sweep.points[0];
  const auto same = [&](double SweepPoint::*accuracy) {
    return std::ranges::all_of(sweep.points, [&](const SweepPoint& point) {
      return point.*accuracy == first.*accuracy || std::isnan(point.*accuracy);
    });
  };
  return sweep.points.size() > 1 && (sweep.points.size() >= kEnough || first.validation_accuracy == 1) &&
         same(&SweepPoint::validation_accuracy) && same(&SweepPoint::test_accuracy);
}

std::string longer_text(const Sweep& sweep) {
  if (sweep.best + 1 < sweep.points.size() || sweep.points.size() == 1 || is_settled(sweep) ||
      are_equally_good(sweep))
    return "";
  const std::string longer = longer_times(sweep.points.back().time);
  if (longer.empty()) return "";
  return "\nthat is the longest time tried: longer ones may do better, as in --time " + longer;
}

// Around the rows, or the curve: the protocol before them, the best time after them.
std::string best_text(const FlowTask& task, const Sweep& sweep) {
  const SweepPoint& best = sweep.points[sweep.best];
  if (sweep.validated && are_equally_good(sweep))
    return fmt::format("all times are equally good, with {} on validation and {} on test",
                       percent(best.validation_accuracy), percent(best.test_accuracy));
  if (sweep.validated)
    return fmt::format("best on validation: t = {:.4g} with {} there and {} on test", best.time,
                       percent(best.validation_accuracy), percent(best.test_accuracy));
  const std::string why = task.has_split() ? "no validation nodes to choose by"
                                           : "every label is held, so none tells which time is best";
  if (!sweep.plateau)
    return why + (sweep.points.size() > 1 ? "; nodes still change class at the longest time" : "");
  return fmt::format("{}; with class masses hardly a node changes from t = {:.4g} on{}", why, best.time,
                     std::isnan(best.masses_test_accuracy)
                         ? ""
                         : fmt::format(", with {} on test", percent(best.masses_test_accuracy)));
}

std::string sweep_text(const FlowTask& task, const Sweep& sweep, const std::string& points) {
  return fmt::format("{}: {}\n{}\n{}; {} products, error at most {:.1e}", printable(task.dataset.name),
                     protocol_text(task), points, best_text(task, sweep), grouped(sweep.report.products),
                     sweep.report.error_bound) +
         (sweep.validated ? longer_text(sweep) : "");
}

std::string time_of(const FlowOptions& options) {
  return is_forever(options) ? "inf" : fmt::format("{}", options.time);
}

Json json_of(const FlowChoice& choice) {
  if (choice.reason == FlowReason::given) return {};
  Json tried = Json::array();
  for (const TriedFlow& flow : choice.tried)
    tried.push_back({{"time", flow.time}, {"class_masses", flow.masses}, {"right", flow.right}});
  return {{"by", name_of(choice.reason)},
          {"labels_per_class", choice.labels_per_class},
          {"left_out", choice.left_out},
          {"tried", tried}};
}

// Why the flow is as it is; nothing where it was said.
std::string why_chosen(const FlowChoice& choice) {
  switch (choice.reason) {
    case FlowReason::given: return "";
    case FlowReason::few_labels:
      return fmt::format("{:.2g} {} per class, fewer than {:g}, too few to leave any out",
                         choice.labels_per_class, choice.labels_per_class == 1 ? "label" : "labels",
                         kFewLabels);
    case FlowReason::left_out: {
      const bool longest = choice.taken + 1 == choice.tried.size();
      return fmt::format(
          "{} of {} labels were right when left out in turn, {}", choice.tried[choice.taken].right,
          choice.left_out,
          longest ? "and shorter flows were not clearly better" : "clearly more than by longer flows");
    }
    case FlowReason::many_labels:
      return fmt::format("the default for more than {:g} labels per class; `heatfront sweep` compares times",
                         kManyLabels);
    case FlowReason::unsuited: return "the default";
  }
  return "";
}

Json json_of(const KeptVolumes& kept) {
  return {{"sizes", kept.sizes},
          {"steps", kept.steps},
          {"at_rest", kept.changed == 0},
          {"changed", kept.changed}};
}

std::string sizes_text(const KeptVolumes& kept) {
  return fmt::format(
      "{} nodes in the classes, within their bounds; {} of threshold dynamics, {}", join(kept.sizes, ", "),
      counted(kept.steps, "step"),
      kept.changed == 0 ? "at rest" : fmt::format("the last changed {} nodes", grouped(kept.changed)));
}

// By what the temperatures were found.
std::string way_text(const FlowTask& task, const FlowOptions& options) {
  if (task.flows()) return std::string(solver_of(options).name);
  const EnergyEntry& energy = find_energy(task.energy.name);
  const std::string p = energy.takes_p ? fmt::format(", p = {:g}", task.energy.p) : "";
  return fmt::format("{}{}{}", energy.name, p,
                     energy.linear ? "" : " (not linear in the labels: no label has a share of it)");
}

std::string choice_text(const FlowChoice& choice) {
  if (choice.reason == FlowReason::given) return "";
  const std::string time = fmt::format("t = {:g}", choice.time);
  return fmt::format(
      "  chosen     {}, {} class masses: {}\n{}", time, choice.masses ? "with" : "without",
      why_chosen(choice),
      choice.masses ? "             class masses: each class gets heat in proportion to its share\n" : "");
}

}  // namespace

Json json_of(const SolveReport& report) {
  return {{"products", report.products},
          {"error_bound", json_number(report.error_bound)},
          {"error_estimate", json_number(report.error_estimate)},
          {"reached", report.reached}};
}

std::string text_of(const SolveReport& report) {
  std::string text = counted(report.products, "product");
  if (!std::isnan(report.error_bound)) text += fmt::format(", error at most {:.1e}", report.error_bound);
  if (!std::isnan(report.error_estimate)) text += fmt::format(", error about {:.1e}", report.error_estimate);
  if (!std::isnan(report.residual)) text += fmt::format(", residual {:.1e}", report.residual);
  if (report.reached) return text;
  if (std::isnan(report.residual)) return text + "; THE TOLERANCE WAS NOT REACHED; try a larger --tolerance";
  return text +
         "; NOT AT REST within the tolerance: some nodes hang on labels by too little for this precision";
}

std::string counts_text(const Decisions& decisions) {
  std::string text;
  for (NodeStatus status :
       {NodeStatus::known, NodeStatus::decided, NodeStatus::undecided, NodeStatus::unreached}) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(decisions.count(status)), name_of(status));
  }
  return text;
}

double margin_shown(const Decisions& decisions, std::size_t u) {
  return decisions.status[u] == NodeStatus::known ? std::numeric_limits<double>::quiet_NaN()
                                                  : static_cast<double>(decisions.margin[u]);
}

std::vector<Prediction> predictions_of(const Answer& answer, std::int64_t top) {
  const Decisions& decisions = answer.decisions;
  std::vector<Prediction> predictions;
  for (std::size_t u = 0; u < decisions.classes.size(); ++u) {
    predictions.push_back({decisions.classes[u], decisions.confidence[u],
                           static_cast<Real>(margin_shown(decisions, u)), name_of(decisions.status[u])});
  }
  if (top > 1) add_others(answer, top, predictions);
  return predictions;
}

void add_shares(const Answer& answer, std::vector<Prediction>& predictions) {
  for (std::size_t u = 0; u < predictions.size(); ++u) {
    std::vector<double>& shares = predictions[u].shares;
    shares = class_shares(answer, static_cast<NodeId>(u));
    if (answer.decisions.status[u] != NodeStatus::known) continue;
    std::ranges::fill(shares, 0);
    shares[at(predictions[u].label)] = 1;
  }
}

Json json_of(const std::vector<Prediction>& predictions, const Dataset& data) {
  Json list = Json::array();
  for (std::size_t u = 0; u < predictions.size(); ++u) {
    const Prediction& prediction = predictions[u];
    Json object = {{"node", data.node_name(static_cast<NodeId>(u))},
                   {"class", class_name(data, prediction.label)},
                   {"confidence", prediction.confidence},
                   {"margin", json_number(static_cast<double>(prediction.margin))},
                   {"status", prediction.status}};
    for (const RankedClass& other : prediction.others)
      object["others"].push_back(
          {{"class", class_name(data, other.label)}, {"confidence", other.confidence}});
    for (std::size_t c = 0; c < prediction.shares.size(); ++c)
      object["probabilities"][data.class_names[c]] = prediction.shares[c];
    list.push_back(std::move(object));
  }
  return list;
}

std::string protocol_text(const FlowTask& task) {
  const std::string split = task.has_split() ? "split " + printable(task.split.name) : "no split";
  return fmt::format("{}, {} ({}{})", split, counted(std::ssize(task.known.nodes), "known label"),
                     printable(task.known_from), included_text(task.judged()));
}

Json json_of(const FlowTask& task, const FlowSolution& solution) {
  const FlowOptions& options = solution.options;
  const SolveReport& report = solution.answer.temperatures.report;
  const Decisions& decisions = solution.answer.decisions;
  const Judged judged = task.judged();
  return {{"dataset", task.dataset.name},
          {"split", task.has_split() ? json_of(task.split) : Json()},
          {"known_from", task.known_from},
          {"validation_labels_included", judged.validation_included},
          {"test_labels_included", judged.test_included},
          {"energy", task.energy.name},
          {"p", find_energy(task.energy.name).takes_p ? json_number(task.energy.p) : Json()},
          {"linear_in_labels", find_energy(task.energy.name).linear},
          {"laplacian", name_of(options.laplacian.kind)},
          {"self_loop_weight", options.laplacian.self_loop},
          {"solver", task.flows() ? Json(solver_of(options).name) : Json()},
          {"time", is_forever(options) ? Json("inf") : Json(options.time)},
          {"lambda", options.lambda},
          {"tolerance", options.solve.tolerance},
          {"reorder", name_of(options.reorder)},
          {"products", report.products},
          {"steps", report.steps},
          {"rejected", report.rejected},
          {"error_bound", json_number(report.error_bound)},
          {"error_estimate", json_number(report.error_estimate)},
          {"residual", json_number(report.residual)},
          {"reached", report.reached},
          {"seconds", report.seconds},
          {"whole_seconds", solution.seconds},
          {"train_accuracy", json_number(solution.train_accuracy)},
          {"validation_accuracy", json_number(solution.validation_accuracy)},
          {"test_accuracy", json_number(solution.test_accuracy)},
          {"known", task.known.nodes.size()},
          {"decided", decisions.count(NodeStatus::decided)},
          {"undecided", decisions.count(NodeStatus::undecided)},
          {"unreached", decisions.count(NodeStatus::unreached)},
          {"class_masses", solution.choice.masses},
          {"class_sizes", solution.volumes ? json_of(*solution.volumes) : Json()},
          {"chosen", json_of(solution.choice)}};
}

std::string text_of(const FlowTask& task, const FlowSolution& solution) {
  const SolveReport& report = solution.answer.temperatures.report;
  const bool judged = !std::isnan(solution.train_accuracy) || !std::isnan(solution.validation_accuracy) ||
                      !std::isnan(solution.test_accuracy);
  const std::string accuracy =
      judged
          ? fmt::format("  accuracy   train {}, validation {}, test {}\n", percent(solution.train_accuracy),
                        percent(solution.validation_accuracy), percent(solution.test_accuracy))
          : "";
  const std::string sizes = solution.volumes ? "\n  sizes      " + sizes_text(*solution.volumes) : "";
  return fmt::format(
      "{}: {}\n"
      "{}"
      "  solved     {} to t = {} in {}: {}\n"
      "{}"
      "  nodes      {}{}",
      printable(task.dataset.name), protocol_text(task), choice_text(solution.choice),
      way_text(task, solution.options), time_of(solution.options), time_text(report.seconds), text_of(report),
      accuracy, counts_text(solution.answer.decisions), sizes);
}

void write_temperatures(const Answer& answer, const std::filesystem::path& path) {
  const Matrix& padded = answer.temperatures.values;
  Matrix values(padded.rows(), padded.cols());
  for (std::int64_t u = 0; u < padded.rows(); ++u) std::ranges::copy(padded.row(u), values.row(u).begin());
  std::vector<std::uint8_t> status;
  for (NodeStatus s : answer.decisions.status) status.push_back(static_cast<std::uint8_t>(s));
  NpzWriter writer(path);
  writer.add_reals("temperatures", values);
  writer.add("classes", answer.decisions.classes);
  writer.add("status", status);
  writer.commit();
}

Json json_of(const FlowTask& task, const Sweep& sweep) {
  Json points = Json::array();
  for (const SweepPoint& point : sweep.points) points.push_back(point_json(point));
  const Judged judged = task.judged();
  return {{"dataset", task.dataset.name},
          {"split", task.has_split() ? json_of(task.split) : Json()},
          {"known_from", task.known_from},
          {"validation_labels_included", judged.validation_included},
          {"test_labels_included", judged.test_included},
          {"known", task.known.nodes.size()},
          {"unreached", sweep.unreached},
          {"products", sweep.report.products},
          {"error_bound", json_number(sweep.report.error_bound)},
          {"seconds", sweep.report.seconds},
          {"best", point_json(sweep.points[sweep.best])},
          {"selected_by", sweep.validated ? "validation accuracy, then loss" : "plateau with class masses"},
          {"plateau", sweep.plateau ? Json(sweep.points[*sweep.plateau].time) : Json()},
          {"points", points}};
}

std::string text_of(const FlowTask& task, const Sweep& sweep) {
  return sweep_text(task, sweep, points_table(sweep));
}

std::string drawn(const FlowTask& task, const Sweep& sweep) {
  return sweep_text(task, sweep, text_of(chart_of(sweep, task.dataset.name), 64, 14));
}

std::string csv_of(const Sweep& sweep) {
  std::string text =
      "time,train_accuracy,validation_accuracy,test_accuracy,validation_loss,energy,undecided,"
      "masses_validation_accuracy,masses_test_accuracy,changed\n";
  for (const SweepPoint& point : sweep.points) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", point.time, csv_number(point.train_accuracy),
                        csv_number(point.validation_accuracy), csv_number(point.test_accuracy),
                        csv_number(point.validation_loss), point.energy, point.undecided,
                        csv_number(point.masses_validation_accuracy), csv_number(point.masses_test_accuracy),
                        csv_number(point.changed));
  }
  return text;
}

Chart chart_of(const Sweep& sweep, const std::string& name) {
  Chart chart{
      .title = name + ": accuracy over time",
      .x_name = "time t",
      .y_name = "accuracy in %",
      .logarithmic_x = sweep.points.front().time > 0,
      .percent = true,
      .curves = {{sweep.validated ? "validation" : "test with class masses", {}}, {"test", {}}},
      .mark = sweep.points[sweep.best].time,
      .mark_name = fmt::format("{}: t = {:.4g}", sweep.validated ? "best on validation" : "at rest from",
                               sweep.points[sweep.best].time)};
  if (!is_judged(sweep)) {
    chart.title = name;
    chart.y_name = "nodes in %";
    chart.curves = {{"nodes that change class", {}}};
    if (!sweep.plateau) chart.mark_name = "";
  }
  for (const SweepPoint& point : sweep.points) {
    chart.x.push_back(point.time);
    if (!is_judged(sweep)) {
      chart.curves[0].values.push_back(100 * point.changed);
      continue;
    }
    chart.curves[0].values.push_back(
        100 * (sweep.validated ? point.validation_accuracy : point.masses_test_accuracy));
    chart.curves[1].values.push_back(100 * point.test_accuracy);
  }
  return chart;
}

}  // namespace heatfront
