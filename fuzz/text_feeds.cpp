// SPDX-License-Identifier: MIT
// Small files of text beside the data: labels, settings, search spaces and records.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "fuzz/feeding.h"
#include "fuzz/targets.h"
#include "heatfront/base/text.h"
#include "heatfront/models/models.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"
#include "heatfront_experiment/reproduce/table_record.h"
#include "heatfront_experiment/search/search_record.h"
#include "heatfront_experiment/search/search_space.h"
#include "heatfront_io/files/settings_file.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/tables/label_file.h"

namespace heatfront::fuzz {
namespace fs = std::filesystem;
using namespace std::string_literals;
namespace {

const Dataset& labelled() {
  static const Dataset dataset = [] {
    put_files("labelled", {{"edges.csv", "source,target\nann,bob\nbob,7\n"},
                           {"labels.csv", "node,label\nann,red\nbob,blue\n7,0\n"}});
    return read_csv(scratch() / "labelled", {}, one_thread());
  }();
  return dataset;
}

void feed_label_file(const fs::path& path) {
  std::vector<NodeId> met;
  for (const auto& [node, label] : read_label_file(path, labelled()).labels) {
    require(node >= 0 && node < labelled().nodes() && label >= 0 && label < labelled().classes(),
            "a label out of range");
    require(std::ranges::find(met, node) == met.end(), "two labels for a node");
    met.push_back(node);
  }
}

void feed_prior_file(const fs::path& path) {
  const ClassPrior read = read_prior_file(path, labelled());
  require(read.shares.has_value() != read.volumes.has_value(), "shares and sizes, or neither");
  if (!read.shares) return;
  const std::vector<double>& prior = *read.shares;
  double sum = 0;
  for (const double share : prior) {
    require(share >= 0, "a share below 0");
    sum += share;
  }
  require(std::ssize(prior) == labelled().classes() && std::abs(sum - 1) < 1e-9,
          "shares that do not sum to 1");
}

// The model that the first byte names, and the rest.
struct ModelInput {
  std::string model;
  std::string_view rest;
};

ModelInput split_input(std::string_view input) {
  const auto names = models();
  if (input.empty()) return {std::string(names[0].name), input};
  return {std::string(names[static_cast<unsigned char>(input.front()) % names.size()].name), input.substr(1)};
}

SearchTerms terms() { return {{"data", "karate"}, {"model", "heat-front"}}; }

constexpr std::string_view kTable = "table2";

}  // namespace

bool feed_labels(std::string_view input) {
  const bool prior = !input.empty() && input.front() % 2 != 0;
  const fs::path path = scratch().write("labels.csv", input.empty() ? input : input.substr(1));
  return done_or_refused([&] { prior ? feed_prior_file(path) : feed_label_file(path); });
}
std::vector<std::string> labels_seeds() {
  return {"\0node,label\nann,blue\n7,?\n"s, "\0bob\t0\n7\tred\n"s, "\1class,share\nred,2\nblue,0.5\n",
          "\1red 1\n0 3\n"};
}

bool feed_settings(std::string_view input) {
  const ModelInput given = split_input(input);
  const fs::path path = scratch().write("own.preset", given.rest);
  const ModelSettings settings(given.model), again(given.model);
  if (!done_or_refused(
          [&] { apply_preset(open_preset(path.string(), given.model), given.model, "", settings.fields); }))
    return false;
  set_options(again.fields, join(lines_of(settings.fields), "\n"), "again");
  require(lines_of(settings.fields) == lines_of(again.fields), "other settings when written and read again");
  return true;
}
std::vector<std::string> settings_seeds() {
  std::vector<std::string> seeds;
  for (const ModelEntry& entry : models()) {
    seeds.push_back(static_cast<char>(seeds.size()) + join(lines_of(ModelSettings(entry.name).fields), "\n"));
  }
  for (const Preset& preset : presets()) {
    const auto entry = std::ranges::find(models(), preset.model, &ModelEntry::name);
    seeds.push_back(static_cast<char>(entry - models().begin()) + std::string(preset.text));
  }
  return seeds;
}

bool feed_search_space(std::string_view input) {
  const ModelInput given = split_input(input);
  const fs::path path = scratch().write("own.space", given.rest);
  SearchSpace space;
  const bool good = done_or_refused([&] {
    space = open_space(given.model, path.string());
    check_space(space, given.model);
  });
  if (!good) return false;
  const ModelSettings settings(given.model);
  const Settings drawn = draw(space, Random(1)), near = draw_near(space, drawn, Random(2));
  for (const Settings* values : {&drawn, &near}) {
    for (const auto& [name, value] : *values) set_option(settings.fields, name, value, "drawn");
  }
  for (const SearchRange& range : space)
    require(text_of(parse_range(text_of(range), "again")) == text_of(range),
            "another range when written and read again");
  return true;
}
std::vector<std::string> search_space_seeds() {
  std::vector<std::string> seeds;
  for (const ModelEntry& entry : models()) {
    std::string text(1, static_cast<char>(seeds.size()));
    for (const SearchRange& range : open_space(entry.name, "")) text += text_of(range) + "\n";
    seeds.push_back(std::move(text));
  }
  return seeds;
}

bool feed_search_record(std::string_view input) {
  const fs::path path = scratch().write("search.jsonl", input);
  std::optional<SearchRecord> record;
  if (!done_or_refused([&] { record.emplace(path, terms()); })) return false;
  record->add({.trial = 1, .stage = "coarse", .seed = 2, .settings = {{"time", "3"}}});
  const std::size_t runs = record->runs().size();
  record.reset();  // one writer at a time
  const SearchRecord again(path, terms());
  require(again.runs().size() == runs && again.find(1, 2) != nullptr, "other runs when read again");
  return true;
}
std::vector<std::string> search_record_seeds() {
  const fs::path path = scratch() / "seed.jsonl";
  fs::remove(path);
  SearchRecord record(path, terms());
  record.add({.trial = 0,
              .stage = "coarse",
              .seed = 1,
              .settings = {{"time", "3"}, {"dropout", "0.5"}},
              .validation_accuracy = 0.75,
              .validation_loss = 0.5,
              .epochs = 10,
              .seconds = 1.5,
              .at = 2});
  record.add({.trial = 0, .stage = "fine", .seed = 2, .settings = {{"time", "3"}}, .error = "diverged"});
  record.add({.trial = 0,
              .stage = "test",
              .seed = 1,
              .settings = {{"time", "3"}},
              .validation_loss = std::numeric_limits<double>::infinity(),
              .test_accuracy = 0.5});
  const std::string text = test::file_text(path);
  return {text, text.substr(0, text.size() - 9), text.substr(0, 20)};
}

bool feed_table_record(std::string_view input) {
  const fs::path path = scratch().write("table.jsonl", input);
  std::optional<TableRecord> record;
  if (!done_or_refused([&] { record.emplace(path, std::string(kTable)); })) return false;
  record->add({.row = "row", .dataset = "cora", .seed = 7, .terms = "terms", .curve = {{1, 0.5, 0.25}}});
  record.reset();  // one writer at a time
  require(TableRecord(path, std::string(kTable)).find("row", "cora", 7, "terms") != nullptr,
          "a run is lost when read again");
  return true;
}
std::vector<std::string> table_record_seeds() {
  const fs::path path = scratch() / "seed.jsonl";
  fs::remove(path);
  TableRecord record(path, std::string(kTable));
  record.add({.row = "gcn",
              .dataset = "cora",
              .seed = 1,
              .terms = "ab",
              .split = "percent 40,40",
              .validation_included = true,
              .time = 5,
              .test_accuracy = 0.8,
              .validation_accuracy = std::numeric_limits<double>::quiet_NaN(),
              .parameters = 10,
              .epochs = 3,
              .seconds = 0.25,
              .curve = {{1, 0.5, 0.25}, {2, 0.5, 0.75}}});
  record.add({.row = "gat", .dataset = "cora", .seed = 2, .terms = "ab"});
  const std::string text = test::file_text(path);
  return {text, text.substr(0, text.size() - 9), text.substr(0, 9)};
}

}  // namespace heatfront::fuzz
