// SPDX-License-Identifier: MIT
// What commands write, and the rules for all of it: a file of another kind is never replaced, and nothing is written under the
// name of another kind.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>

namespace heatfront::cli {

struct OutputKind {
  std::string_view name;                    // "a model"
  std::array<std::string_view, 2> endings;  // of its name, the usual one first
  bool (*is)(const std::filesystem::path& file);
};

extern const OutputKind kModelFile, kDataFile, kSplitFile, kTemperatureFile, kPredictionTable, kHistoryTable,
    kCurveTable, kPlot, kReportPage, kResultTable, kFoundPreset;

// Error that says what is there, unless `path` is empty, free, an empty file or one of this kind. What a folder of data reads
// as one of its tables is none, whatever it holds, and such a one is not made either. Error, too, where the name ends as that of
// another known kind; other endings, and none, are the user's own affair. Whether it can be written is for the writer to say.
void check_output(const std::filesystem::path& path, const OutputKind& kind);

}  // namespace heatfront::cli
