// SPDX-License-Identifier: MIT
#include "heatfront_report/search_report.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

constexpr std::size_t kTrialsShown = 10;

std::string settings_text(const Settings& settings, std::string_view between) {
  std::string text;
  for (const Setting& setting : settings)
    text += fmt::format("{}{}={}", text.empty() ? "" : between, setting.name, setting.value);
  return text;
}

// "83.80 ± 0.42 %"; of one seed there is no deviation, and NaN is a dash.
std::string spread_text(double mean, double deviation, std::size_t seeds) {
  return seeds < 2 || std::isnan(mean) ? percent(mean)
                                       : fmt::format("{:.2f} ± {:.2f} %", 100 * mean, 100 * deviation);
}

TextRows ranking_rows(const Search& search) {
  TextRows rows = {{"trial", "stage", "seeds", "validation", "loss", "settings"}};
  for (const TrialScore& score : search.ranking) {
    if (rows.size() > kTrialsShown) break;
    const bool failed = !score.error.empty();
    rows.push_back(
        {grouped(score.trial.number), score.trial.stage, grouped(static_cast<std::int64_t>(score.seeds)),
         failed ? "failed" : spread_text(score.validation_accuracy, score.validation_deviation, score.seeds),
         failed ? "" : fmt::format("{:.4f}", score.validation_loss),
         settings_text(score.trial.settings, " ")});
  }
  return rows;
}

std::string test_text(const Search& search) {
  const std::string accuracy = spread_text(search.test.mean, search.test.deviation, search.ranking[0].seeds);
  return accuracy +
         (std::isnan(search.test.mean) ? ": the split has no test nodes" : ", looked at for this one alone");
}

Json score_json(const TrialScore& score) {
  Json settings = Json::object();
  for (const Setting& setting : score.trial.settings) settings[setting.name] = setting.value;
  Json object = {{"trial", score.trial.number},
                 {"stage", score.trial.stage},
                 {"seeds", score.seeds},
                 {"settings", settings}};
  if (!score.error.empty()) {
    object["error"] = score.error;
    return object;
  }
  object["validation_accuracy"] = json_number(score.validation_accuracy);
  object["validation_deviation"] = json_number(score.validation_deviation);
  object["validation_loss"] = json_number(score.validation_loss);
  return object;
}

}  // namespace

Json json_of(const Search& search, const SearchOptions& options, const std::string& dataset) {
  Json ranking = Json::array();
  for (const TrialScore& score : search.ranking) ranking.push_back(score_json(score));
  return {{"dataset", dataset},
          {"data", search.data},
          {"split", search.split},
          {"model", options.model},
          {"seeds", options.seeds},
          {"trials", search.ranking.size()},
          {"runs", search.runs},
          {"runs_before", search.runs_before},
          {"seconds", search.seconds},
          {"selected_by", "validation accuracy, then loss"},
          {"best", score_json(search.ranking[0])},
          {"test_accuracy", json_number(search.test.mean)},
          {"test_deviation", json_number(search.test.deviation)},
          {"ranking", ranking}};
}

std::string text_of(const Search& search, const SearchOptions& options, const std::string& dataset) {
  const TrialScore& best = search.ranking[0];
  return fmt::format(
      "{}\n\n{}: {}, {} in {}, {:.3g} s{}\n"
      "  split      {}\n"
      "  best       trial {} ({}), by validation {}\n"
      "  test       {}",
      text_table(ranking_rows(search)), printable(dataset), options.model,
      counted(std::ssize(search.ranking), "trial"), counted(search.runs, "run"), search.seconds,
      search.runs_before > 0 ? fmt::format(" ({} in the record before)", search.runs_before) : "",
      printable(search.split), best.trial.number, best.trial.stage,
      spread_text(best.validation_accuracy, best.validation_deviation, best.seeds), test_text(search));
}

}  // namespace heatfront
