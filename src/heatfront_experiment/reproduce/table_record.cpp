// SPDX-License-Identifier: MIT
#include "heatfront_experiment/reproduce/table_record.h"

#include <cmath>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_experiment/json_line.h"

namespace heatfront {
namespace {

Json number(double value) { return std::isnan(value) ? Json() : Json(value); }
double number_in(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

Json json_of(const std::vector<CurvePoint>& curve) {
  Json x = Json::array(), validation = Json::array(), test = Json::array();
  for (const CurvePoint& point : curve) {
    x.push_back(point.x);
    validation.push_back(number(point.validation));
    test.push_back(number(point.test));
  }
  return {{"x", x}, {"validation", validation}, {"test", test}};
}

std::vector<CurvePoint> curve_in(const Json& object) {
  std::vector<CurvePoint> curve;
  for (std::size_t i = 0; i < object.at("x").size(); ++i) {
    curve.push_back({.x = object.at("x")[i],
                     .validation = number_in(object.at("validation").at(i)),
                     .test = number_in(object.at("test").at(i))});
  }
  return curve;
}

Json json_of(const TableRun& run) {
  Json object = {{"row", run.row},
                 {"dataset", run.dataset},
                 {"seed", run.seed},
                 {"test_accuracy", number(run.test_accuracy)},
                 {"validation_accuracy", number(run.validation_accuracy)},
                 {"validation_included", run.validation_included},
                 {"split", run.split},
                 {"preset", run.preset},
                 {"selected_by", run.selected_by},
                 {"time", number(run.time)},
                 {"parameters", run.parameters},
                 {"epochs", run.epochs},
                 {"seconds", std::round(1e4 * run.seconds) / 1e4},
                 {"terms", run.terms}};
  for (const ClassScore& score : run.classes)
    object["classes"].push_back({score.nodes, score.given, score.right});
  if (!run.curve.empty()) object["curve"] = json_of(run.curve);
  return object;
}

// Nodes, given, right of each class.
std::vector<ClassScore> classes_in(const Json& list) {
  std::vector<ClassScore> classes;
  for (const Json& counts : list)
    classes.push_back(class_score(whole_in<std::int64_t>(counts.at(0)), whole_in<std::int64_t>(counts.at(1)),
                                  whole_in<std::int64_t>(counts.at(2))));
  return classes;
}

TableRun table_run_in(const Json& object) {
  return {
      .row = object.at("row"),
      .dataset = object.at("dataset"),
      .seed = whole_in<std::uint32_t>(object.at("seed")),
      .terms = object.at("terms"),
      .split = object.at("split"),
      .validation_included = object.at("validation_included"),
      .selected_by = object.at("selected_by"),
      .preset = object.at("preset"),
      .time = number_in(object.at("time")),
      .test_accuracy = number_in(object.at("test_accuracy")),
      .validation_accuracy = number_in(object.at("validation_accuracy")),
      .parameters = whole_in<std::int64_t>(object.at("parameters")),
      .epochs = whole_in<std::int64_t>(object.at("epochs")),
      .seconds = object.at("seconds"),
      .classes = object.contains("classes") ? classes_in(object.at("classes")) : std::vector<ClassScore>(),
      .curve = object.contains("curve") ? curve_in(object.at("curve")) : std::vector<CurvePoint>()};
}

}  // namespace

Spread spread_of(std::span<const TableRun> runs, double TableRun::*what) {
  std::vector<double> values;
  for (const TableRun& run : runs) values.push_back(run.*what);
  return spread_of(values);
}

TableRecord::TableRecord(std::filesystem::path path, const std::string& table, RecordUse use)
    : file_(std::move(path)) {
  const std::string first = line_of({{"table", table}});
  const auto& lines = file_.lines();
  if (lines.empty() ? !first.starts_with(file_.torn()) : lines.front() != first)
    fail("{} exists already and is not a record of {}; name another folder", file_.path().string(), table);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (take_line(lines[i], [&](const Json& object) { keep(table_run_in(object)); })) continue;
    fail("{}:{}: is not a line of a table's record; remove the file or name another folder",
         file_.path().string(), i + 1);
  }
  if (use == RecordUse::read) return;
  file_.open();
  if (lines.empty()) file_.append(first);
}

void TableRecord::keep(TableRun run) {
  const TableRun& kept = runs_.emplace_back(std::move(run));
  by_cell_[{kept.row, kept.dataset, kept.seed, kept.terms}] = &kept;
}

const TableRun* TableRecord::find(const std::string& row, const std::string& dataset, std::uint32_t seed,
                                  const std::string& terms) const {
  const auto found = by_cell_.find({row, dataset, seed, terms});
  return found == by_cell_.end() ? nullptr : found->second;
}

void TableRecord::add(TableRun run) {
  file_.append(line_of(json_of(run)));
  keep(std::move(run));
}

}  // namespace heatfront
