// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <cmath>

#include "cli/command.h"
#include "cli/flow_arguments.h"
#include "cli/output_kind.h"
#include "heatfront/base/fail.h"
#include "heatfront_experiment/drawing/chart.h"
#include "heatfront_experiment/sweep.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/tables/csv_file.h"

namespace heatfront::cli {
namespace sweep_command {

struct Arguments {
  FlowArguments flow;
  std::string times = "0.1:100:log40";
  std::filesystem::path plot, output;
  bool draw = false;
};

Json point_json(const SweepPoint& point) {
  return {{"time", point.time},
          {"train_accuracy", json_number(point.train_accuracy)},
          {"validation_accuracy", json_number(point.validation_accuracy)},
          {"test_accuracy", json_number(point.test_accuracy)},
          {"validation_loss", json_number(point.validation_loss)},
          {"energy", point.energy},
          {"undecided", point.undecided}};
}

std::string points_table(const Sweep& sweep) {
  std::vector<std::vector<std::string>> rows = {
      {"", "t", "train", "validation", "test", "validation loss", "energy", "undecided"}};
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    rows.push_back({i == sweep.best ? ">" : "", fmt::format("{:.4g}", point.time),
                    percent(point.train_accuracy), percent(point.validation_accuracy),
                    percent(point.test_accuracy), fmt::format("{:.4f}", point.validation_loss),
                    fmt::format("{:.4g}", point.energy), grouped(point.undecided)});
  }
  return table(rows);
}

std::string csv_of(const Sweep& sweep) {
  std::string text =
      "time,train_accuracy,validation_accuracy,test_accuracy,validation_loss,energy,undecided\n";
  for (const SweepPoint& point : sweep.points) {
    text += fmt::format("{},{},{},{},{},{},{}\n", point.time, csv_number(point.train_accuracy),
                        csv_number(point.validation_accuracy), csv_number(point.test_accuracy),
                        csv_number(point.validation_loss), point.energy, point.undecided);
  }
  return text;
}

Chart chart_of(const Sweep& sweep, const std::string& name) {
  Chart chart{.title = name + ": accuracy over time",
              .x_name = "time t",
              .y_name = "accuracy in %",
              .logarithmic_x = sweep.points.front().time > 0,
              .curves = {{"validation", {}}, {"test", {}}},
              .mark = sweep.points[sweep.best].time,
              .mark_name = fmt::format("best on validation: t = {:.4g}", sweep.points[sweep.best].time)};
  for (const SweepPoint& point : sweep.points) {
    chart.x.push_back(point.time);
    chart.curves[0].values.push_back(100 * point.validation_accuracy);
    chart.curves[1].values.push_back(100 * point.test_accuracy);
  }
  return chart;
}

std::string longer_text(const Sweep& sweep) {
  if (sweep.best + 1 < sweep.points.size() || sweep.points.size() == 1 || is_settled(sweep)) return "";
  const std::string longer = longer_times(sweep.points.back().time);
  if (longer.empty()) return "";
  return "\nthat is the longest time tried: longer ones may do better, as in --time " + longer;
}

void run(const Arguments& arguments, Console& console) {
  check_outputs({{arguments.plot, kPlot}, {arguments.output, kCurveTable}});
  const std::vector<double> times = parse_times(arguments.times);
  const FlowProblem flow(arguments.flow, console);
  flow.check_memory(estimate_curve_memory(flow.problem(), flow.options, std::ssize(times)),
                    "fewer times are held at once", console);
  if (flow.judged.split.validation.empty()) {
    fail(
        "{}: no validation labels to choose a time by; say --split \"percent 40,40\", which needs three "
        "labels of a class, and --known train",
        flow.dataset.name);
  }
  const Sweep sweep = sweep_times(flow.dataset, flow.judged.split, flow.problem(), flow.options, times,
                                  console.threads(), console.progress());
  const Chart chart = chart_of(sweep, flow.dataset.name);
  if (!arguments.plot.empty()) write_file(arguments.plot, svg_of(chart));
  if (!arguments.output.empty()) write_file(arguments.output, csv_of(sweep));

  Json points = Json::array();
  for (const SweepPoint& point : sweep.points) points.push_back(point_json(point));
  const SweepPoint& best = sweep.points[sweep.best];
  const Json object = {{"dataset", flow.dataset.name},
                       {"split", split_json(flow.split)},
                       {"known_from", flow.known_name},
                       {"validation_labels_included", flow.judged.validation_included},
                       {"test_labels_included", flow.judged.test_included},
                       {"known", flow.known.nodes.size()},
                       {"unreached", sweep.unreached},
                       {"products", sweep.report.products},
                       {"error_bound", json_number(sweep.report.error_bound)},
                       {"seconds", sweep.report.seconds},
                       {"best", point_json(best)},
                       {"selected_by", "validation accuracy, then loss"},
                       {"points", points},
                       {"output", json_path(arguments.output)},
                       {"plot", json_path(arguments.plot)}};
  std::string text = fmt::format("{}: {}\n", printable(flow.dataset.name), protocol_text(flow));
  text += arguments.draw ? text_of(chart, 64, 14) : points_table(sweep);
  text += fmt::format(
      "\nbest on validation: t = {:.4g} with {} there and {} on test; {} products, error at most {:.1e}",
      best.time, percent(best.validation_accuracy), percent(best.test_accuracy),
      grouped(sweep.report.products), sweep.report.error_bound);
  text += longer_text(sweep);
  console.result(object, text);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->flow.known = "train";
  arguments->flow.add_to(flags, "all classes of more times than fit are computed in groups of times");
  flags.option("--time", arguments->times, "FROM:TO:logN, FROM:TO:linN, or times one by one: 1,5,20",
               "TIMES");
  flags.flag("--draw", arguments->draw, "Draw the curve in the terminal instead of the table");
  flags.option("--plot", arguments->plot, "Draw the curves to this file", "FILE.svg");
  flags.option("-o,--output", arguments->output, "Write the table to this file", "FILE.csv");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace sweep_command

const Command kSweepCommand{
    "sweep", "Accuracy over the time that heat flows, from one pass; picks the best on validation",
    "heatfront sweep karate --split \"per-class 2,3\" --time 0.1:100:log40 --draw", sweep_command::define};

}  // namespace heatfront::cli
