// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <sstream>

#include "cli/command.h"
#include "heatfront/base/config.h"

namespace heatfront::cli {
namespace {

constexpr std::array kCommands = {&kSolveCommand,    &kSweepCommand,     &kModelsCommand,  &kTrainCommand,
                                  &kSearchCommand,   &kReproduceCommand, &kCompareCommand, &kPredictCommand,
                                  &kEvaluateCommand, &kLabelCommand,     &kExplainCommand, &kInfoCommand,
                                  &kConvertCommand,  &kGraphCommand,     &kSplitCommand,   &kDatasetsCommand,
                                  &kFetchCommand,    &kBenchCommand};

constexpr int kUsage = 2;

void define(const Command& command, CLI::App& program, Console& console, std::function<void()>& chosen) {
  CLI::App* app = program.add_subcommand(std::string(command.name), std::string(command.summary));
  app->footer(fmt::format("Example:\n  {}", command.example));
  app->add_flag("--json", console.json, "One JSON object on standard output instead of text");
  app->add_option("--threads", console.thread_count, "Threads to use; without it, the cores available")
      ->envname("HEATFRONT_THREADS")
      ->check(CLI::Range(1, 4096))
      ->option_text("N");
  Flags flags(*app);
  app->callback([action = command.define(flags, console), &chosen] { chosen = action; });
}

int usage_error(const CLI::ParseError& error, const CLI::App& program) {
  std::string words = "heatfront";
  for (const CLI::App* app : program.get_subcommands()) words += " " + app->get_name();
  tell(fmt::format("{}: {}; see `{} --help`\n", words, error.what(), words));
  return kUsage;
}

bool is_command(std::string_view word) {
  return std::ranges::any_of(kCommands, [&](const Command* command) { return command->name == word; });
}

int unknown_command(std::string_view word) {
  std::string names;
  for (const Command* command : kCommands) names += (names.empty() ? "" : ", ") + std::string(command->name);
  tell(fmt::format("heatfront: unknown command '{}'; there are: {}\n", word, names));
  return kUsage;
}

}  // namespace

int run_program(const std::vector<std::string>& words, Console& console) {
  std::function<void()> chosen;
  CLI::App program("Labels the nodes of a graph from a few known labels by letting heat flow on it.",
                   "heatfront");
  program.set_version_flag("--version", HEATFRONT_VERSION);
  program.require_subcommand(1);
  for (const Command* command : kCommands) define(*command, program, console, chosen);
  if (!words.empty() && !words.front().starts_with('-') && !is_command(words.front()))
    return unknown_command(words.front());
  try {
    program.parse(std::vector(words.rbegin(), words.rend()));  // it takes them off the end
  } catch (const CLI::Success& answer) {                       // --help, --version
    std::ostringstream text;
    program.exit(answer, text, text);
    print(text.str());
    return 0;
  } catch (const CLI::ParseError& error) {
    return usage_error(error, program);
  }
  chosen();
  return 0;
}

}  // namespace heatfront::cli
