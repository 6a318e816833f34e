// SPDX-License-Identifier: MIT
#include "heatfront_report/target_scores.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

// Numbers of this size are written without a power of ten.
bool is_plain(double value) { return std::abs(value) >= 1e3 && std::abs(value) < 1e9; }

}  // namespace

std::string value_text(double value) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return "∞";
  return is_plain(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string added_text(double value) {
  return is_plain(value) ? fmt::format("{:+.0f}", value) : fmt::format("{:+.4g}", value);
}

std::string share_text(double value) { return std::isnan(value) ? "–" : fmt::format("{:.3f}", value); }

std::string text_of(const Targets& targets) {
  if (targets.kind == LabelKind::many)
    return fmt::format("{} {}, several per node", targets.columns(),
                       targets.columns() == 1 ? "class" : "classes");
  const std::string names =
      join(shown_columns(targets), ", ") + (targets.columns() > kTargetsShown ? ", …" : "");
  return fmt::format("values of {}", names);
}

Json json_of(const Targets& targets) {
  return {{"kind", entry_of(targets.kind).name}, {"columns", targets.names}, {"labelled", targets.size()}};
}

Json json_of(const TargetScores& scores, const Targets& targets) {
  Json object = {{"nodes", scores.nodes}};
  if (targets.kind == LabelKind::many) {
    object["micro_f1"] = json_number(scores.micro_f1);
    object["macro_f1"] = json_number(scores.macro_f1);
    for (std::size_t c = 0; c < scores.classes.size(); ++c) {
      const ClassF1& one = scores.classes[c];
      object["classes"][targets.names[c]] = {{"nodes", one.had},
                                             {"said", one.said},
                                             {"precision", json_number(one.precision)},
                                             {"recall", json_number(one.recall)},
                                             {"f1", json_number(one.f1)}};
    }
    return object;
  }
  for (std::size_t c = 0; c < scores.values.size(); ++c)
    object["values"][targets.names[c]] = {{"rmse", json_number(scores.values[c].rmse)},
                                          {"mae", json_number(scores.values[c].mae)},
                                          {"r2", json_number(scores.values[c].r2)}};
  return object;
}

std::vector<std::string> shown_columns(const Targets& targets) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < std::min(kTargetsShown, targets.columns()); ++c)
    names.push_back(printable(targets.names[c]));
  return names;
}

std::vector<std::string> score_heading(const Targets& targets, std::string first) {
  std::vector<std::string> row = {std::move(first)};
  if (targets.kind == LabelKind::many) {
    row.insert(row.end(), {"micro F1", "macro F1"});
    return row;
  }
  const bool alone = targets.columns() == 1;
  for (const std::string& name : shown_columns(targets)) {
    row.push_back(alone ? "RMSE" : name + " RMSE");
    row.insert(row.end(), {"MAE", "R²"});
  }
  return row;
}

std::vector<std::string> score_row(const TargetScores& scores, std::string first) {
  std::vector<std::string> row = {std::move(first)};
  if (!scores.classes.empty()) {
    row.insert(row.end(), {share_text(scores.micro_f1), share_text(scores.macro_f1)});
    return row;
  }
  for (std::size_t c = 0; c < std::min(kTargetsShown, scores.values.size()); ++c)
    row.insert(row.end(), {value_text(scores.values[c].rmse), value_text(scores.values[c].mae),
                           share_text(scores.values[c].r2)});
  return row;
}

std::string rest_of_columns(const Targets& targets) {
  if (targets.kind == LabelKind::many || targets.columns() <= kTargetsShown) return "";
  return fmt::format("\n  ({} more values: --json has them)", targets.columns() - kTargetsShown);
}

std::string scores_text(const TargetScores& scores, const Targets& targets) {
  if (scores.nodes == 0) return "–";
  if (targets.kind == LabelKind::many)
    return fmt::format("micro F1 {}, macro F1 {}", share_text(scores.micro_f1), share_text(scores.macro_f1));
  std::vector<std::string> parts;
  const std::vector<std::string> names = shown_columns(targets);
  for (std::size_t c = 0; c < names.size(); ++c)
    parts.push_back(fmt::format("{}RMSE {}, MAE {}, R² {}", names.size() == 1 ? "" : names[c] + " ",
                                value_text(scores.values[c].rmse), value_text(scores.values[c].mae),
                                share_text(scores.values[c].r2)));
  return join(parts, "; ");
}

std::string status_text(const TargetAnswer& answer) {
  std::vector<std::string> parts;
  for (TargetStatus status : {TargetStatus::known, TargetStatus::estimated, TargetStatus::unreached})
    parts.push_back(fmt::format("{} {}", grouped(answer.count(status)), name_of(status)));
  return join(parts, ", ");
}

Json status_json(const TargetAnswer& answer) {
  Json object = Json::object();
  for (TargetStatus status : {TargetStatus::known, TargetStatus::estimated, TargetStatus::unreached})
    object[std::string(name_of(status))] = answer.count(status);
  return object;
}

}  // namespace heatfront
