// SPDX-License-Identifier: MIT
#include "cli/program.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <sstream>
#include <vector>

#include "cli/command.h"
#include "heatfront/base/config.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/text.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_report/figures.h"

namespace heatfront::cli {
namespace {

// In the order of the help, each under its heading there.
struct Listed {
  std::string_view heading;
  const Command* command;
};

constexpr std::string_view kLabelling = "From labels to answers", kData = "Data", kResearch = "Experiments",
                           kProgram = "The program itself";

constexpr Listed kCommands[] = {
    {kLabelling, &kTrainCommand},    {kLabelling, &kPredictCommand},  {kLabelling, &kLabelCommand},
    {kLabelling, &kExplainCommand},  {kLabelling, &kExploreCommand},  {kLabelling, &kEvaluateCommand},
    {kLabelling, &kSolveCommand},    {kLabelling, &kSweepCommand},    {kData, &kInfoCommand},
    {kData, &kConvertCommand},       {kData, &kGraphCommand},         {kData, &kPartitionCommand},
    {kData, &kSplitCommand},         {kData, &kDatasetsCommand},      {kData, &kFetchCommand},
    {kData, &kExampleCommand},       {kResearch, &kModelsCommand},    {kResearch, &kCompareCommand},
    {kResearch, &kSearchCommand},    {kResearch, &kReproduceCommand}, {kProgram, &kBenchCommand},
    {kProgram, &kCompletionCommand}, {kProgram, &kManualCommand}};

constexpr std::size_t kFlagColumns = 30;  // of the help, taken by the names of flags
constexpr int kUsage = 2;
constexpr int kMostThreads = 4096;

std::string beside_flag(const std::string& what) { return wrapped(what, kTerminalColumns - kFlagColumns); }

// They may stand before the command or after it.
void add_common_flags(CLI::App& app, Console& console) {
  app.add_flag("--json", console.json, "Print one JSON object instead of text")->disable_flag_override();
  app.add_flag("-q,--quiet", console.quiet, "Neither notes nor progress; errors still")
      ->disable_flag_override();
  app.add_option("--threads", console.thread_count,
                 "Number of threads; default: HEATFRONT_THREADS, or the available cores")
      ->check([](const std::string& text) {
        const std::optional<double> count = parse_number(text);
        return count && *count == std::floor(*count) && *count >= 1 && *count <= kMostThreads
                   ? ""
                   : fmt::format("must be a number from 1 to {}, not {}", kMostThreads, in_quotes(text));
      })
      ->option_text("N");
}

// With a blank line between what a command does and how it is called.
class SpacedHelp : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return "\n" + CLI::Formatter::make_usage(app, std::move(name));
  }
};

// What is run once the words are parsed.
struct Chosen {
  std::function<void()> action;
  std::vector<std::unique_ptr<Flags>> flags;  // of all commands that have theirs defined
};

// With its flags where it may be the one that is asked for.
void define(const Listed& listed, bool with_flags, CLI::App& program, Console& console, Chosen& chosen) {
  const Command& command = *listed.command;
  CLI::App* app = program.add_subcommand(std::string(command.name), std::string(command.summary));
  app->group(std::string(listed.heading));
  if (!with_flags) return;
  app->footer(fmt::format("Example:\n  {}", command.example));
  add_common_flags(*app, console);
  Flags& flags = *chosen.flags.emplace_back(std::make_unique<Flags>(*app));
  app->callback([action = command.define(flags, console), &chosen] { chosen.action = action; });
}

// What is wrong with the text of a number; empty: nothing.
template <class Number>
std::string number_problem(const std::string& text) {
  Number number;
  if (CLI::detail::lexical_cast(text, number)) return "";
  return fmt::format("must be a {}, not {}",
                     std::is_unsigned_v<Number>   ? "whole number, 0 or more"
                     : std::is_integral_v<Number> ? "whole number"
                                                  : "number",
                     in_quotes(text));
}

// The parser's own words name types.
std::string plain_words(const CLI::ParseError& error) {
  const std::string said = error.what();
  if (said.ends_with(" missing")) return said.substr(0, said.find(':')) + " needs a value";
  if (const std::size_t times = said.find(": At Most 1 required but received"); times != said.npos)
    return said.substr(0, times) + " is given more than once; give it once";
  if (said.ends_with(" override")) return fmt::format("--{} takes no value", said.substr(0, said.find(' ')));
  return said;
}

// " (did you mean …?)" of a flag that is none.
std::string meant_flag(const std::string& flag, const CLI::App& program, const Chosen& chosen) {
  if (!flag.starts_with("--")) return "";
  const std::string name = flag.substr(2, flag.find('=') - 2);
  std::string setting = name;
  std::ranges::replace(setting, '-', '_');
  if (std::ranges::any_of(chosen.flags, [&](const auto& flags) { return flags->is_setting(setting); }))
    return fmt::format(
        " (it is a setting of one model: --model NAME --set {}=VALUE; without, `train` chooses by itself)",
        setting);
  std::vector<std::string> names;
  for (const CLI::App* app : program.get_subcommands()) {
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& known : option->get_lnames()) names.push_back(known);
    }
  }
  const std::string_view meant = nearest(name, std::vector<std::string_view>(names.begin(), names.end()));
  // A flag does what it says at once, so only near ones are proposed.
  if (meant.empty() || 3 * edit_distance(name, meant) > name.size()) return "";
  return fmt::format(" (did you mean --{}?)", meant);
}

// HEATFRONT_THREADS; empty: not set.
std::string wanted_threads() {
  const char* const text = std::getenv("HEATFRONT_THREADS");
  return text == nullptr ? "" : text;
}

bool take_threads_of_environment(Console& console) {
  const std::string text = wanted_threads();
  if (text.empty()) return true;
  const std::optional<double> count = parse_number(text);
  if (!count || *count != std::floor(*count) || *count < 1 || *count > kMostThreads) return false;
  console.thread_count = static_cast<int>(*count);
  return true;
}

int usage_error(std::string_view problem, const CLI::App& program) {
  std::string words = "heatfront";
  for (const CLI::App* app : program.get_subcommands()) words += " " + app->get_name();
  tell(fmt::format("{}: {}; see `{} --help`\n", words, printable(problem), words));
  return kUsage;
}

bool is_command(std::string_view word) {
  return std::ranges::any_of(kCommands, [&](const Listed& listed) { return listed.command->name == word; });
}

// The word in the place of the command, after the flags that may stand before it; empty: there is none.
std::string_view command_word(std::span<const std::string> words) {
  while (!words.empty() && (words.front() == "--json" || words.front() == "-q" ||
                            words.front() == "--quiet" || words.front().starts_with("--threads")))
    words = words.subspan(std::min<std::size_t>(words.front() == "--threads" ? 2 : 1, words.size()));
  return words.empty() || words.front().starts_with('-') ? std::string_view() : words.front();
}

int unknown_command(std::string_view word) {
  std::vector<std::string_view> names;
  for (const Listed& listed : kCommands) names.push_back(listed.command->name);
  tell(fmt::format("heatfront: unknown command '{}'{}; choose from: {}\n", printable(word),
                   did_you_mean(word, names), join(names, ", ")));
  return kUsage;
}

}  // namespace

template <class Value>
void Flags::option(const std::string& names, Value& value, const std::string& what,
                   const std::string& placeholder) {
  CLI::Option* option = app_.add_option(names, value, beside_flag(what))->option_text(placeholder);
  if constexpr (std::is_same_v<Value, std::optional<double>>)
    option->check(number_problem<double>);
  else if constexpr (std::is_same_v<Value, std::optional<std::int64_t>>)
    option->check(number_problem<std::int64_t>);
  if constexpr (std::is_arithmetic_v<Value>) {
    option->check(number_problem<Value>);
    option->option_text(placeholder + " [" + CLI::detail::to_string(value) + "]");
  } else if constexpr (std::is_same_v<Value, std::string>) {
    if (!value.empty()) option->option_text(placeholder + " [" + value + "]");
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    option->allow_extra_args(false);  // one a flag, which may be repeated
  }
}

void Flags::output(const std::string& names, std::filesystem::path& path, const std::string& what,
                   const std::string& placeholder) {
  option(names, path, what, placeholder);
  outputs_.push_back(&path);
}

void Flags::output_argument(const std::string& name, std::filesystem::path& path, const std::string& what) {
  argument(name, path, what);
  outputs_.push_back(&path);
}

const CLI::App& Flags::program() const { return *app_.get_parent(); }

bool Flags::writes_to_standard_output() const {
  return std::ranges::any_of(outputs_,
                             [](const std::filesystem::path* path) { return *path == kStandardOutput; });
}

bool Flags::is_setting(std::string_view name) const {
  if (!settings_) return false;
  const std::vector<std::string> names = settings_();
  return std::ranges::find(names, name) != names.end();
}

template <class Value>
void Flags::argument(const std::string& name, Value& value, const std::string& what) {
  app_.add_option(name, value, beside_flag(what))->required()->option_text("(required)");
}

void Flags::optional_argument(const std::string& name, std::string& value, const std::string& what) {
  app_.add_option(name, value, beside_flag(what))->option_text(" ");
}

void Flags::flag(const std::string& name, bool& value, const std::string& what) {
  app_.add_flag(name, value, beside_flag(what))->disable_flag_override();
}

void Flags::appendix(std::function<std::string()> text, std::size_t column) {
  app_.footer([text = std::move(text), column] { return fitted(text(), column); });
}

using Text = const std::string&;
template void Flags::option(Text, std::string&, Text, Text);
template void Flags::option(Text, std::filesystem::path&, Text, Text);
template void Flags::option(Text, int&, Text, Text);
template void Flags::option(Text, std::int64_t&, Text, Text);
template void Flags::option(Text, std::uint32_t&, Text, Text);
template void Flags::option(Text, std::uint64_t&, Text, Text);
template void Flags::option(Text, double&, Text, Text);
template void Flags::option(Text, std::optional<double>&, Text, Text);
template void Flags::option(Text, std::optional<std::int64_t>&, Text, Text);
template void Flags::option(Text, std::vector<std::string>&, Text, Text);
template void Flags::argument(Text, std::string&, Text);
template void Flags::argument(Text, std::filesystem::path&, Text);

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// `heatfront help` and `heatfront help train` are --help and train --help.
std::vector<std::string> words_of_help(const std::vector<std::string>& words) {
  if (words.empty() || words.front() != "help" || words.size() > 2) return words;
  std::vector<std::string> meant(words.begin() + 1, words.end());
  if (meant.empty() || meant.front() != "--help") meant.emplace_back("--help");
  return meant;
}

int run_program(const std::vector<std::string>& given, Console& console) {
  const std::vector<std::string> words = words_of_help(given);
  Chosen chosen;
  CLI::App program(
      "Labels the nodes of a graph from a few known labels by letting heat flow on it.\n\n"
      "How warm each node is before any heat flows is its front; `train` learns it from the features.\n"
      "The time t says how far labels reach: at t = 0 the front alone decides; the larger t is, the more\n"
      "labels count. `train` and `solve` choose t by themselves; --time of `solve` sets it.",
      "heatfront");
  program.formatter(std::make_shared<SpacedHelp>());
  program.set_version_flag("--version", HEATFRONT_VERSION);
  program.require_subcommand(1);
  program.get_formatter()->label("SUBCOMMAND", "COMMAND …");
  program.footer(
      "Begin with a folder of tables: edges.csv, labels.csv and, where nodes have any, features.csv:\n"
      "  heatfront train FOLDER -o m.hf\n"
      "  heatfront predict m.hf -o answers.csv\n"
      "`heatfront COMMAND --help` has all flags and an example.");
  add_common_flags(program, console);
  const std::string_view word = command_word(words);
  if (words.empty()) return usage_error("no command is given, such as train, predict or label", program);
  if (!word.empty() && !is_command(word)) return unknown_command(word);
  const bool all = word.empty() || word == kCompletionCommand.name || word == kManualCommand.name;
  for (const Listed& listed : kCommands)
    define(listed, all || word == listed.command->name, program, console, chosen);
  try {
    program.parse(std::vector(words.rbegin(), words.rend()));  // it takes them off the end
  } catch (const CLI::Success& answer) {                       // --help, --version
    std::ostringstream text;
    program.exit(answer, text, text);
    print(text.str());
    return 0;
  } catch (const CLI::ExtrasError&) {  // its own text has them the wrong way round
    const std::vector<std::string> extra = program.remaining(true);
    const auto flag =
        std::ranges::find_if(extra, [](const std::string& text) { return text.starts_with('-'); });
    return usage_error(fmt::format("not expected: {}{}", join(extra, " "),
                                   flag == extra.end() ? "" : meant_flag(*flag, program, chosen)),
                       program);
  } catch (const CLI::ParseError& error) {
    return usage_error(plain_words(error), program);
  }
  if (console.thread_count == 0 && !take_threads_of_environment(console))
    return usage_error(
        fmt::format("HEATFRONT_THREADS={}: it must be a number from 1 to {}", wanted_threads(), kMostThreads),
        program);
  console.output_taken =
      std::ranges::any_of(chosen.flags, [](const auto& flags) { return flags->writes_to_standard_output(); });
  if (console.output_taken && console.json)
    return usage_error("--json and a file on standard output cannot both be had; give the file a name",
                       program);
  try {
    chosen.action();
  } catch (const WrongUse& error) {
    return usage_error(error.what(), program);
  }
  return 0;
}

}  // namespace heatfront::cli
