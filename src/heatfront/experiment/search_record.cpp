// SPDX-License-Identifier: MIT
#include "heatfront/experiment/search_record.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

using Json = nlohmann::ordered_json;

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

SearchRun run_in(const Json& object) {
  SearchRun run{.trial = object.at("trial"),
                .stage = object.at("stage"),
                .seed = object.at("seed"),
                .seconds = object.at("seconds"),
                .at = object.at("at"),
                .error = object.value("error", "")};
  for (const auto& [name, value] : object.at("settings").items()) run.settings.push_back({name, value});
  if (!run.error.empty()) return run;
  run.validation_accuracy = object.at("validation_accuracy");
  run.validation_loss = loss_in(object.at("validation_loss"));
  run.epochs = object.at("epochs");
  if (object.contains("test_accuracy")) run.test_accuracy = object.at("test_accuracy").get<double>();
  return run;
}

std::string text_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void check_terms(const Json& found, const SearchTerms& terms, const std::string& path) {
  for (const auto& [name, value] : terms) {
    const std::string theirs = found.at("search").value(name, "");
    if (theirs != value) {
      fail("{}: is the record of another search, with {} '{}', not '{}'; remove it or name another record",
           path, name, theirs, value);
    }
  }
}

}  // namespace

SearchRecord::SearchRecord(std::filesystem::path path, const SearchTerms& terms) : path_(std::move(path)) {
  if (path_.empty()) return;
  if (std::filesystem::exists(path_)) read(terms);
  file_.open(path_, std::ios::binary | std::ios::app);
  if (!file_) fail("{}: cannot be written", path_.string());
  if (std::filesystem::file_size(path_) == 0) append(text_of(json_of(terms)));
}

// Lines are written whole, so one without an end is the last, torn when the program was killed.
void SearchRecord::read(const SearchTerms& terms) {
  std::ifstream file(path_, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail("{}: cannot be read", path_.string());
  std::size_t begin = 0;
  int number = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++number;
    try {
      const Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                    text.begin() + static_cast<std::ptrdiff_t>(end));
      if (number == 1) {
        check_terms(line, terms, path_.string());
      } else {
        keep(run_in(line));
      }
    } catch (const Json::exception&) {
      fail("{}:{}: is no line of a search's record; remove the file or name another record", path_.string(),
           number);
    }
  }
  if (number == 0 && !text_of(json_of(terms)).starts_with(text))
    fail("{}: is there and is no record of a search; name another record", path_.string());
  if (begin < text.size()) std::filesystem::resize_file(path_, begin);
}

void SearchRecord::keep(SearchRun run) {
  const SearchRun& kept = runs_.emplace_back(std::move(run));
  by_trial_[{kept.trial, kept.seed, kept.stage == kTestStage}] = &kept;
}

void SearchRecord::append(const std::string& line) {
  file_ << line << std::flush;
  if (!file_) fail("{}: cannot be written; is the disk full?", path_.string());
}

const SearchRun* SearchRecord::find(std::int64_t trial, std::uint32_t seed, bool test) const {
  const auto found = by_trial_.find({trial, seed, test});
  return found == by_trial_.end() ? nullptr : found->second;
}

void SearchRecord::add(SearchRun run) {
  if (!path_.empty()) append(text_of(json_of(run)));
  keep(std::move(run));
}

}  // namespace heatfront
