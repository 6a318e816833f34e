// SPDX-License-Identifier: MIT
// What a command is to the command line: a line in the table of commands.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

#include "cli/console.h"

namespace heatfront::cli {

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  // Adds flags and arguments to `app`; what it returns is run once they are parsed.
  std::function<void()> (*define)(CLI::App& app, Console& console);
};

extern const Command kSolveCommand, kSweepCommand, kInfoCommand, kConvertCommand, kGraphCommand,
    kSplitCommand, kDatasetsCommand, kFetchCommand;

}  // namespace heatfront::cli
