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
  return fmt::format(
      "_heatfront() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} words=\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
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
      join(names, " "), join(flags_of(program), " "), cases);
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
      "  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  case $words[2] in\n{}  esac\n"
      "  if [[ $PREFIX == -* ]]; then compadd -- $flags; else _files; fi\n"
      "}}\n"
      "if [ \"$funcstack[1]\" = _heatfront ]; then _heatfront \"$@\"; else compdef _heatfront heatfront; fi",
      names, cases);
}

std::string fish_script(const CLI::App& program) {
  std::string text;
  for (const CLI::App* app : commands_of(program)) {
    text += fmt::format("complete -c heatfront -n __fish_use_subcommand -f -a {} -d '{}'\n", app->get_name(),
                        plain_line(app->get_description()));
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_snames().empty() && option->get_lnames().empty()) continue;
      text += fmt::format("complete -c heatfront -n '__fish_seen_subcommand_from {}'", app->get_name());
      for (const std::string& name : option->get_snames()) text += " -s " + name;
      for (const std::string& name : option->get_lnames()) text += " -l " + name;
      text += fmt::format("{} -d '{}'\n", option->get_items_expected_max() > 0 ? " -r" : "",
                          plain_line(option->get_description()));
    }
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
         ".SH EXIT STATUS\n0: done. 1: it could not be done. 2: it was not asked for rightly.\n"
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
