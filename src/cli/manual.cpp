// SPDX-License-Identifier: MIT
// heatfront completion SHELL and heatfront manual: what --help says of all commands, for shells and for man.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/command.h"
#include "heatfront/base/config.h"
#include "heatfront/base/find_named.h"
#include "heatfront/base/text.h"

namespace heatfront::cli {
namespace manual_command {

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

// --json, -q, …: all names of all flags.
std::vector<std::string> flags_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// Those of the flags before a command that are followed by a value.
std::vector<std::string> flags_with_value(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::Option* option : program.get_options())
    if (option->get_items_expected_max() > 0)
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// One line, without what ends a quoted word.
std::string plain_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::erase_if(text, [](char c) { return c == '\'' || c == '`' || c == '[' || c == ']'; });
  return text;
}

std::string bash_script(const CLI::App& program) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* app : commands_of(program)) {
    names.push_back(app->get_name());
    cases += fmt::format("    {}) words=\"{}\" ;;\n", app->get_name(), join(flags_of(*app), " "));
  }
  // The command is the first word that is no flag, and no value of one (`--threads 2`, or three words for bash: `--threads=2`).
  return fmt::format(
      "_heatfront() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} command= words= i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    case ${{COMP_WORDS[i]}} in\n"
      "      {}) [ \"${{COMP_WORDS[i + 1]}}\" != = ] || ((++i)); ((++i)) ;;\n"
      "      -*) ;;\n"
      "      *) command=${{COMP_WORDS[i]}}; break ;;\n"
      "    esac\n"
      "  done\n"
      "  if [ -z \"$command\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"{} {}\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case $command in\n{}  esac\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _heatfront heatfront",
      join(flags_with_value(program), "|"), join(names, " "), join(flags_of(program), " "), cases);
}

std::string zsh_script(const CLI::App& program) {
  std::string names, cases;
  for (const CLI::App* app : commands_of(program)) {
    names += fmt::format("    '{}:{}'\n", app->get_name(), plain_line(app->get_description()));
    cases += fmt::format("    {}) flags=({}) ;;\n", app->get_name(), join(flags_of(*app), " "));
  }
  return fmt::format(
      "#compdef heatfront\n"
      "_heatfront() {{\n"
      "  local -a commands flags\n"
      "  local command= i\n"
      "  commands=(\n{}  )\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n"
      "    case $words[i] in\n"
      "      {}) ((++i)) ;;\n"
      "      -*) ;;\n"
      "      *) command=$words[i]; break ;;\n"
      "    esac\n"
      "  done\n"
      "  if [[ -z $command ]]; then\n"
      "    if [[ $PREFIX == -* ]]; then compadd -- {}; else _describe command commands; fi\n"
      "    return\n"
      "  fi\n"
      "  case $command in\n{}  esac\n"
      "  if [[ $PREFIX == -* ]]; then compadd -- $flags; else _files; fi\n"
      "}}\n"
      "if [ \"$funcstack[1]\" = _heatfront ]; then _heatfront \"$@\"; else compdef _heatfront heatfront; fi",
      names, join(flags_with_value(program), "|"), join(flags_of(program), " "), cases);
}

// The flags of the program, or of a command, where `condition` holds.
std::string fish_flags(const CLI::App& app, const std::string& condition) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_snames().empty() && option->get_lnames().empty()) continue;
    text += fmt::format("complete -c heatfront -n '{}'", condition);
    for (const std::string& name : option->get_snames()) text += " -s " + name;
    for (const std::string& name : option->get_lnames()) text += " -l " + name;
    text += fmt::format("{} -d '{}'\n", option->get_items_expected_max() > 0 ? " -r" : "",
                        plain_line(option->get_description()));
  }
  return text;
}

std::string fish_script(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* app : commands_of(program)) names.push_back(app->get_name());
  const std::string no_command = "not __fish_seen_subcommand_from " + join(names, " ");
  std::string text = fish_flags(program, no_command);
  for (const CLI::App* app : commands_of(program)) {
    text += fmt::format("complete -c heatfront -n '{}' -f -a {} -d '{}'\n", no_command, app->get_name(),
                        plain_line(app->get_description()));
    text += fish_flags(*app, "__fish_seen_subcommand_from " + app->get_name());
  }
  text.pop_back();
  return text;
}

struct Shell {
  std::string_view name;
  std::string (*script)(const CLI::App& program);
};
constexpr std::array<Shell, 3> kShells = {
    {{"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}}};

// As roff takes it: nothing in it is a command.
std::string roff(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
    line_begins = c == '\n';
  }
  return result;
}

std::string roff_options(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options())
    text += fmt::format(".TP\n.B {} {}\n{}\n", roff(option->get_name(true, true)),
                        roff(option->get_option_text()), roff(option->get_description()));
  return text;
}

std::string man_page(const CLI::App& program) {
  std::string text = fmt::format(
      ".TH HEATFRONT 1 \"\" \"heatfront {}\" \"User commands\"\n"
      ".SH NAME\nheatfront \\- labels the nodes of a graph from a few known labels\n"
      ".SH SYNOPSIS\n.B heatfront\n.I COMMAND\n.RI [ ARGUMENTS ]\n"
      ".SH DESCRIPTION\n{}\n.SH OPTIONS\n{}",
      HEATFRONT_VERSION, roff(program.get_description()), roff_options(program));
  for (const CLI::App* app : commands_of(program))
    text += fmt::format(".SH HEATFRONT {}\n{}.\n.PP\n{}.PP\n.nf\n{}\n.fi\n", app->get_name(),
                        roff(app->get_description()), roff_options(*app), roff(app->get_footer()));
  return text +
         ".SH EXIT STATUS\n0: done. 1: it could not be done. 2: the command line itself is wrong.\n"
         ".SH ENVIRONMENT\n.B HEATFRONT_THREADS\nthreads to use;\n.B HEATFRONT_DATA\nthe folder of data "
         "sets.";
}

std::function<void()> define_completion(Flags& flags, Console& console) {
  auto shell = std::make_shared<std::string>();
  flags.argument("SHELL", *shell, "bash, zsh or fish");
  return [shell, &flags, &console] {
    const Shell& chosen = find_named(std::span<const Shell>(kShells), *shell, "shell");
    const std::string script = chosen.script(flags.program());
    console.result({{"shell", chosen.name}, {"script", script}}, script);
  };
}

std::function<void()> define_manual(Flags& flags, Console& console) {
  return [&flags, &console] {
    const std::string page = man_page(flags.program());
    console.result({{"manual", page}}, page);
  };
}

}  // namespace manual_command

const Command kCompletionCommand{
    "completion", "Writes a script with which a shell completes commands and flags",
    "heatfront completion bash >~/.local/share/bash-completion/completions/heatfront",
    manual_command::define_completion};

const Command kManualCommand{"manual", "Writes the manual page, from what --help says of every command",
                             "heatfront manual >heatfront.1; man ./heatfront.1",
                             manual_command::define_manual};

}  // namespace heatfront::cli
