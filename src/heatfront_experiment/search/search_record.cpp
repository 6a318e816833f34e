// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search_record.h"

#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_experiment/json_line.h"

namespace heatfront {
namespace {

constexpr const char* kTestStage = "test";

Json json_of(const SearchTerms& terms) {
  Json object;
  for (const auto& [name, value] : terms) object[name] = value;
  return {{"search", object}};
}

Json json_of(const SearchRun& run) {
  Json settings = Json::object();
  for (const Setting& setting : run.settings) settings[setting.name] = setting.value;
  Json object = {{"trial", run.trial}, {"stage", run.stage}, {"seed", run.seed}, {"settings", settings}};
  if (run.error.empty()) {
    object["validation_accuracy"] = run.validation_accuracy;
    object["validation_loss"] = run.validation_loss;  // null where it is infinite
    if (run.test_accuracy) object["test_accuracy"] = *run.test_accuracy;
    object["epochs"] = run.epochs;
  } else {
    object["error"] = run.error;
  }
  object["seconds"] = std::round(1000 * run.seconds) / 1000;
  object["at"] = std::round(1000 * run.at) / 1000;
  return object;
}

double loss_in(const Json& object) {
  return object.is_null() ? std::numeric_limits<double>::infinity() : object.get<double>();
}

SearchRun search_run_in(const Json& object) {
  SearchRun run{.trial = whole_in<std::int64_t>(object.at("trial")),
                .stage = object.at("stage"),
                .seed = whole_in<std::uint32_t>(object.at("seed")),
                .seconds = object.at("seconds"),
                .at = object.at("at"),
                .error = object.value("error", "")};
  for (const auto& [name, value] : object.at("settings").items()) run.settings.push_back({name, value});
  if (!run.error.empty()) return run;
  run.validation_accuracy = object.at("validation_accuracy");
  run.validation_loss = loss_in(object.at("validation_loss"));
  run.epochs = whole_in<std::int64_t>(object.at("epochs"));
  if (object.contains("test_accuracy") && !object.at("test_accuracy").is_null())  // null: no test nodes
    run.test_accuracy = object.at("test_accuracy").get<double>();
  return run;
}

void check_terms(const Json& found, const SearchTerms& terms, const std::string& path) {
  for (const auto& [name, value] : terms) {
    const std::string theirs = found.at("search").value(name, "");
    if (theirs != value) {
      fail("{} is the record of another search, with {} '{}', not '{}'; remove it or name another record",
           path, name, theirs, value);
    }
  }
}

}  // namespace

SearchRecord::SearchRecord(std::filesystem::path path, const SearchTerms& terms) : file_(std::move(path)) {
  read(terms);
  file_.open();
  if (file_.lines().empty()) file_.append(line_of(json_of(terms)));
}

void SearchRecord::read(const SearchTerms& terms) {
  const std::string path = file_.path().string();
  if (file_.lines().empty() && !line_of(json_of(terms)).starts_with(file_.torn()))
    fail("{} exists already and is not a record of a search; name another record", path);
  int number = 0;
  for (const std::string& line : file_.lines()) {
    ++number;
    const bool taken = take_line(line, [&](const Json& object) {
      if (number == 1) {
        check_terms(object, terms, path);
      } else {
        keep(search_run_in(object));
      }
    });
    if (!taken)
      fail("{}:{}: is not a line of a search's record; remove the file or name another record", path, number);
  }
}

void SearchRecord::keep(SearchRun run) {
  const SearchRun& kept = runs_.emplace_back(std::move(run));
  by_trial_[{kept.trial, kept.seed, kept.stage == kTestStage}] = &kept;
}

const SearchRun* SearchRecord::find(std::int64_t trial, std::uint32_t seed, bool test) const {
  const auto found = by_trial_.find({trial, seed, test});
  return found == by_trial_.end() ? nullptr : found->second;
}

void SearchRecord::add(SearchRun run) {
  file_.append(line_of(json_of(run)));
  keep(std::move(run));
}

}  // namespace heatfront
