// SPDX-License-Identifier: MIT
// heatfront explore MODEL|DATA [MODEL2]: becomes the program that serves the explorer's page.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront/base/fail.h"

namespace heatfront::cli {
namespace explore_command {

struct Arguments {
  std::string source, beside;
  std::filesystem::path output;
  std::vector<std::string> classes;
  std::int64_t port = 0;
  bool no_browser = false;
};

void run(const Arguments& arguments, Console& console) {
  if (arguments.port < 0 || arguments.port > 65535)
    fail("--port {}: it must be from 1 to 65535, or 0 for any that is free", arguments.port);
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "heatfront-explore";
  std::vector<std::string> words = {program.string(),
                                    arguments.source,
                                    arguments.output.string(),
                                    arguments.beside,
                                    std::to_string(arguments.port),
                                    std::to_string(console.threads().count()),
                                    arguments.no_browser ? "quiet" : "open"};
  words.insert(words.end(), arguments.classes.begin(), arguments.classes.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(program.c_str(), pointers.data());
  fail("{}: cannot be started: {}; it belongs beside the program heatfront", program.string(),
       std::strerror(errno));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  flags.argument(
      "MODEL|DATA", arguments->source,
      "A model, or data as `solve` takes it: then heat flows from its labels, if there are any, and "
      "nothing is trained yet");
  flags.optional_argument("MODEL2", arguments->beside,
                          "Another model of the same graph, to be seen beside; it stays as its file has it");
  flags.option("--class", arguments->classes, "DATA: a class that its labels do not name; may be repeated",
               "NAME");
  flags.option("-o,--output", arguments->output,
               "Where the page saves the model; default: MODEL itself, or the data's name with .hf", "FILE");
  flags.option("--port", arguments->port, "Where the page is served; 0: any port that is free", "N");
  flags.flag("--no-browser", arguments->no_browser, "Print the address, and open no browser");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace explore_command

const Command kExploreCommand{
    "explore", "Opens a page that shows the graph, says why, sets labels and shows how the answer changes",
    "heatfront explore karate.hf", explore_command::define};

}  // namespace heatfront::cli
