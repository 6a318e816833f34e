// SPDX-License-Identifier: MIT
// What a command is to the command line: a line in the table of commands.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "cli/console.h"
#include "cli/flags.h"

namespace heatfront::cli {

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  // Adds flags and arguments; what it returns is run once they are parsed.
  std::function<void()> (*define)(Flags& flags, Console& console);
};

extern const Command kSolveCommand, kSweepCommand, kModelsCommand, kTrainCommand, kSearchCommand,
    kReproduceCommand, kCompareCommand, kPredictCommand, kEvaluateCommand, kLabelCommand, kExplainCommand,
    kInfoCommand, kConvertCommand, kGraphCommand, kSplitCommand, kDatasetsCommand, kFetchCommand,
    kBenchCommand;

}  // namespace heatfront::cli
