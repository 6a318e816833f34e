// SPDX-License-Identifier: MIT
#include "heatfront_report/output_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "heatfront/base/fail.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/formats/checkpoint_file.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/tables/label_file.h"

namespace heatfront {
namespace output_kind {

namespace fs = std::filesystem;

// Whether the file is an npz, and no model, of whose arrays this holds; a damaged one is of no kind.
template <class Holds>
bool is_npz_where(const fs::path& file, const Holds& holds) {
  try {
    return begins_as_zip(file) && !is_model(file) && holds(NpzReader(file));
  } catch (const Error&) {
    return false;
  }
}

bool is_data(const fs::path& file) {
  return is_npz_where(file, [](const NpzReader& npz) {
    return std::ranges::any_of(npz.names(), [](std::string_view name) {
      return name.starts_with("adj") || name.starts_with("attr") || name.starts_with("edge") ||
             name.starts_with("features") || name == "x";
    });
  });
}

bool is_split(const fs::path& file) {
  return is_npz_where(file, [](const NpzReader& npz) {
    return npz.has("train_idx") && std::ranges::all_of(npz.names(), [](std::string_view name) {
             return name.ends_with("_idx") || name.starts_with("made_for_");
           });
  });
}

bool is_temperatures(const fs::path& file) {
  return is_npz_where(file,
                      [](const NpzReader& npz) { return npz.has("temperatures") && npz.has("status"); });
}

bool begins(const fs::path& file, std::string_view text) {
  std::string start(text.size(), '\0');
  std::ifstream(file, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == text;
}

bool is_table_of(const fs::path& file, std::initializer_list<std::string_view> names) {
  constexpr std::array<std::string_view, 3> kTables = {".csv", ".tsv", ".txt"};
  return std::ranges::find(names, stem_of(file)) != names.end() &&
         std::ranges::find(kTables, extension_of(file)) != kTables.end();
}

// Of a folder that is read as data: its files go by their names, or by their headers as long as none has such a name.
bool is_part_of_data(const fs::path& file) {
  if (!is_table_of(file, {"edges", "features", "labels", "classes", "split"})) return false;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  return std::ranges::any_of(files_of(folder),
                             [](const fs::path& beside) {
                               return is_table_of(beside, {"edges", "features"});
                             }) ||
         has_tables_by_header(folder);
}

void check_ending(const fs::path& path, const OutputKind& kind) {
  constexpr std::array<std::string_view, 18> kKnown = {
      ".csv", ".tsv", ".txt", ".xlsx", ".parquet", ".json", ".jsonl", ".npy", ".npz",
      ".hf",  ".svg", ".png", ".jpg",  ".jpeg",    ".pdf",  ".html",  ".htm", ".preset"};
  const std::string ending = path.extension().string();
  const auto is_among = [&](const auto& endings) {
    return std::ranges::find(endings, ending) != endings.end();
  };
  if (!is_among(kKnown) || is_among(kind.endings)) return;
  const bool has_table = !kind.table_flag.empty() && kPredictionTable.endings[0] == ending;
  fail("{}: {} is written, as {}, not {}; call it {}{}", path.string(), kind.name, kind.endings[0], ending,
       fs::path(path).replace_extension(kind.endings[0]).string(),
       has_table ? fmt::format("; {} {} writes the table", kind.table_flag, path.string()) : "");
}

}  // namespace output_kind

const OutputKind kModelFile{"a model", {".hf", ".npz"}, is_model};
const OutputKind kCheckpointFile{"a checkpoint of training", {".npz", ".checkpoint"}, is_checkpoint};
const OutputKind kDataFile{"an npz of a data set", {".npz"}, output_kind::is_data};
const OutputKind kSplitFile{"an npz of a split", {".npz"}, output_kind::is_split};
const OutputKind kTemperatureFile{
    "an npz of temperatures", {".npz"}, output_kind::is_temperatures, "--predictions"};
const OutputKind kPredictionTable{
    "a table of predictions", {".csv", ".txt"}, [](const std::filesystem::path& file) {
      return output_kind::begins(file, "node,class,confidence,margin,status") ||
             output_kind::begins(file, "node,status,") || output_kind::begins(file, "node,classes,status,");
    }};
const OutputKind kHeldTable{"a table of labels", {".csv", ".txt"}, [](const std::filesystem::path& file) {
                              std::string header;
                              std::ifstream stream(file, std::ios::binary);
                              return std::getline(stream, header) && header.starts_with("node,") &&
                                     header.ends_with(kHeldColumns);
                            }};
const OutputKind kQuestionTable{"a table of questions", {".csv", ".txt"}, is_question_table};
const OutputKind kHistoryTable{
    "a history of training", {".csv", ".txt"}, [](const std::filesystem::path& file) {
      return output_kind::begins(file, "epoch,loss,validation_loss,");
    }};
const OutputKind kCurveTable{"a table over time", {".csv", ".txt"}, [](const std::filesystem::path& file) {
                               return output_kind::begins(file, "time,train_accuracy,validation_accuracy,") ||
                                      output_kind::begins(file, "time,validation_");
                             }};
const OutputKind kPlot{
    "a plot", {".svg"}, [](const std::filesystem::path& file) { return output_kind::begins(file, "<svg "); }};
const OutputKind kReportPage{"a page of a report", {".html", ".htm"}, [](const std::filesystem::path& file) {
                               return output_kind::begins(file, "<!doctype html>\n<html lang='en'>");
                             }};
const OutputKind kResultTable{
    "a table of results", {".md", ".csv"}, [](const std::filesystem::path& file) {
      constexpr std::array<std::string_view, 4> kBegins = {
          "## Table ", "row,model,dataset,runs,", "`heatfront compare ", "model,seed,split,test_accuracy,"};
      return std::ranges::any_of(kBegins,
                                 [&](std::string_view text) { return output_kind::begins(file, text); });
    }};
const OutputKind kFoundPreset{
    "a preset that was searched for", {".preset"}, [](const std::filesystem::path& file) {
      return output_kind::begins(file, "# Found by `heatfront ");
    }};

const OutputKind kRunRecord{"a record of runs", {".jsonl", ".json"}, [](const std::filesystem::path& file) {
                              return output_kind::begins(file, "{");
                            }};

namespace output_kind {

void check_one(const fs::path& path, const OutputKind& kind) {
  constexpr std::array kKinds = {&kModelFile,       &kDataFile,      &kSplitFile,     &kTemperatureFile,
                                 &kPredictionTable, &kHistoryTable,  &kCurveTable,    &kPlot,
                                 &kReportPage,      &kResultTable,   &kFoundPreset,   &kRunRecord,
                                 &kHeldTable,       &kQuestionTable, &kCheckpointFile};
  if (path == kStandardOutput) return;
  std::error_code unreadable;
  const bool part = is_part_of_data(path);
  const bool free = !fs::is_regular_file(path, unreadable) || fs::file_size(path, unreadable) == 0;
  if (free && part) fail("{} would be read as part of the data set there; give another name", path.string());
  if (free || (!part && kind.is(path))) return check_ending(path, kind);
  std::string what = part ? "part of a data set" : "something else";
  for (const OutputKind* other : kKinds) {
    if (!part && other->is(path)) what = other->name;
  }
  fail("{} exists already and is {}, which {} does not replace; give another name, or remove it",
       path.string(), what, kind.name);
}

void check_apart(const Output& output, const Output& other) {
  if (other.path.empty() || !is_same_output(output.path, other.path)) return;
  const std::string also =
      output.path == other.path ? "" : fmt::format(" (called {} too)", other.path.string());
  fail("{}{}: would be both {} and {}; give each a file of its own", output.path.string(), also,
       output.kind.name, other.kind.name);
}

}  // namespace output_kind

void check_outputs(std::initializer_list<Output> outputs, const std::vector<std::filesystem::path>& inputs) {
  std::error_code unreadable;
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->path.empty()) continue;
    for (auto other = output + 1; other != outputs.end(); ++other) output_kind::check_apart(*output, *other);
    for (const std::filesystem::path& input : inputs) {
      if (std::filesystem::exists(input, unreadable) && is_same_output(output->path, input))
        fail("{} is read here, and {} would replace it; give another file", output->path.string(),
             output->kind.name);
    }
    output_kind::check_one(output->path, output->kind);
  }
}

void check_writable(const std::filesystem::path& path) {
  if (!path.empty()) OutputFile probe(path);
}

ResultFiles::ResultFiles(const std::filesystem::path& folder, std::string_view markdown, std::string_view csv,
                         std::string_view page)
    : markdown_(folder / markdown), csv_(folder / csv), page_(folder / page), record_(folder / "runs.jsonl") {
  check_outputs(
      {{markdown_, kResultTable}, {csv_, kResultTable}, {page_, kReportPage}, {record_, kRunRecord}});
}

void ResultFiles::write(const std::string& markdown, const std::string& csv, const std::string& page) const {
  write_file(markdown_, markdown);
  write_file(csv_, csv);
  write_file(page_, page);
}

std::string ResultFiles::names() const {
  return fmt::format("{}, {}, {}", markdown_.filename().string(), csv_.filename().string(),
                     page_.filename().string());
}

}  // namespace heatfront
