// SPDX-License-Identifier: MIT
// heatfront COMMAND …: finds the command, runs it, turns errors into one line and an exit code.
// 0: done; 1: it could not be done; 2: it was not asked for rightly.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <sstream>

#include "cli/command.h"
#include "heatfront/base/config.h"

namespace heatfront::cli {
namespace {

constexpr std::array kCommands = {&kSolveCommand,    &kSweepCommand,     &kModelsCommand,  &kTrainCommand,
                                  &kSearchCommand,   &kReproduceCommand, &kCompareCommand, &kPredictCommand,
                                  &kEvaluateCommand, &kLabelCommand,     &kExplainCommand, &kInfoCommand,
                                  &kConvertCommand,  &kGraphCommand,     &kSplitCommand,   &kDatasetsCommand,
                                  &kFetchCommand};

constexpr int kFailed = 1;
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

int run(int argc, char** argv) {
  Console console;
  std::function<void()> chosen;
  CLI::App program("Labels the nodes of a graph from a few known labels by letting heat flow on it.",
                   "heatfront");
  program.set_version_flag("--version", HEATFRONT_VERSION);
  program.require_subcommand(1);
  for (const Command* command : kCommands) define(*command, program, console, chosen);
  if (argc > 1 && argv[1][0] != '-' && !is_command(argv[1])) return unknown_command(argv[1]);
  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& answer) {  // --help, --version
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

// Otherwise the next file opened would take the place of standard output, and get what is meant for people. Opened the
// wrong way round, so that using them fails.
void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

}  // namespace
}  // namespace heatfront::cli

int main(int argc, char** argv) {
  heatfront::cli::open_closed_streams();
  try {
    return heatfront::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    heatfront::cli::tell(
        "heatfront: not enough memory; a smaller graph, fewer --threads or a higher limit (ulimit -v) would "
        "help\n");
  } catch (const std::exception& error) {
    heatfront::cli::tell(std::string("heatfront: ") + error.what() + '\n');
  }
  return heatfront::cli::kFailed;
}
