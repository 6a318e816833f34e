// SPDX-License-Identifier: MIT
// What a command is to the command line: a line in the table of commands, and the flags and arguments that it takes. Only
// program.cpp knows the parser behind them, which is large.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/console.h"
#include "heatfront/base/error.h"

namespace CLI {
class App;
}

namespace heatfront::cli {

// Flags that contradict each other: the command line was wrong, as where it cannot be parsed (exit code 2).
class WrongUse : public Error {
  using Error::Error;
};

class Flags {
 public:
  explicit Flags(CLI::App& app) : app_(app) {}

  // Value is std::string, std::filesystem::path, int, std::int64_t, std::uint32_t, std::uint64_t, double or a
  // list of std::string (one for each time the flag is given). What it holds beforehand is the default, shown in
  // the help. `placeholder` stands for the value there.
  template <class Value>
  void option(const std::string& names, Value& value, const std::string& what,
              const std::string& placeholder);

  // A file that is written; - is standard output.
  void output(const std::string& names, std::filesystem::path& path, const std::string& what,
              const std::string& placeholder);
  void output_argument(const std::string& name, std::filesystem::path& path, const std::string& what);

  // By position, and must be given.
  template <class Value>
  void argument(const std::string& name, Value& value, const std::string& what);

  // By position, and may be left out.
  void optional_argument(const std::string& name, std::string& value, const std::string& what);

  void flag(const std::string& name, bool& value, const std::string& what);

  // Text at the end of the help, before the example; made when the help is asked for. Lines too long for a terminal go on in this
  // column.
  void appendix(std::function<std::string()> text, std::size_t column);

  // Names that --set knows, asked for when a flag is unknown: of flags called so the error says how they are set.
  void settings(std::function<std::vector<std::string>()> names) { settings_ = std::move(names); }

  // Of the whole program, with all commands.
  const CLI::App& program() const;

  bool writes_to_standard_output() const;
  bool is_setting(std::string_view name) const;

 private:
  CLI::App& app_;
  std::vector<const std::filesystem::path*> outputs_;
  std::function<std::vector<std::string>()> settings_;
};

// The whole text as a number; none if it is not one.
std::optional<double> parse_number(std::string_view text);

struct Command {
  std::string_view name;
  std::string_view summary;
  std::string_view example;
  // Adds flags and arguments; what it returns is run once they are parsed.
  std::function<void()> (*define)(Flags& flags, Console& console);
};

extern const Command kSolveCommand, kSweepCommand, kModelsCommand, kTrainCommand, kSearchCommand,
    kReproduceCommand, kCompareCommand, kPredictCommand, kEvaluateCommand, kLabelCommand, kExplainCommand,
    kExploreCommand, kInfoCommand, kConvertCommand, kGraphCommand, kPartitionCommand, kSplitCommand,
    kDatasetsCommand, kFetchCommand, kBenchCommand, kExampleCommand, kCompletionCommand, kManualCommand;

}  // namespace heatfront::cli
