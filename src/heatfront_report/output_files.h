// SPDX-License-Identifier: MIT
// What is written for a user, whichever door asks for it, and the rules for all of it: a file of another kind is never replaced, nothing is written under the
// name of another kind, and no two outputs are one file.
#pragma once

#include <array>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace heatfront {

struct OutputKind {
  std::string_view name;                    // "a model"
  std::array<std::string_view, 2> endings;  // of its name, the usual one first
  bool (*is)(const std::filesystem::path& file);
  std::string_view table_flag = {};  // of the same commands, which writes a table in its place
};

extern const OutputKind kModelFile, kDataFile, kSplitFile, kTemperatureFile, kPredictionTable, kHistoryTable,
    kCurveTable, kPlot, kReportPage, kResultTable, kFoundPreset, kRunRecord, kHeldTable, kQuestionTable,
    kCheckpointFile;

struct Output {
  std::filesystem::path path;  // empty: not asked for
  const OutputKind& kind;
};

// All that a call will write, before it does anything else. Error where two of them are one file, or one of them is among
// `inputs`, the files that it reads (what is no file among them does not count); by whatever names and links. Of each alone: Error that says
// what is there, unless `path` is empty, free, an empty file or one of this kind. What a folder of data reads
// as one of its tables is none, whatever it holds, and such a one is not made either. Error, too, where the name ends as that of
// another known kind; other endings, and none, are the user's own affair. Whether it can be written is for the writer to say.
void check_outputs(std::initializer_list<Output> outputs,
                   const std::vector<std::filesystem::path>& inputs = {});

// Fails now rather than after an hour of work; an empty path is not asked for.
void check_writable(const std::filesystem::path& path);

// What many runs come to, three times in a folder, beside the record of the runs: to read, to compute with, and as a page.
class ResultFiles {
 public:
  // Before the work begins: Error where a file of another kind is in the place of one of them, or two of them are one.
  ResultFiles(const std::filesystem::path& folder, std::string_view markdown, std::string_view csv,
              std::string_view page);

  void write(const std::string& markdown, const std::string& csv, const std::string& page) const;

  const std::filesystem::path& record() const { return record_; }  // of the runs, which another one writes

  std::string names() const;  // "table.md, table.csv, report.html"

 private:
  std::filesystem::path markdown_, csv_, page_, record_;
};

}  // namespace heatfront
