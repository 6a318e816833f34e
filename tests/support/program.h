// SPDX-License-Identifier: MIT
// The program as a user has it: arguments in; exit code, standard output and standard error out.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "support/temporary_folder.h"

namespace heatfront::test {

struct Outcome {
  int code = -1;
  std::string output;
  std::string errors;
};

// Stands in front of the program where a mistake of ours could let it work for ever: so long that no machine is too busy.
inline constexpr const char* kGuard = "timeout --foreground -s KILL 1800";

// `arguments` as a shell takes them; `before` stands in front of the program (`env X=1`).
inline Outcome run_program(const std::string& arguments, const std::string& before = "") {
  const TemporaryFolder folder;
  const std::string command = before + " '" + HEATFRONT_PROGRAM + "' " + arguments + " >'" +
                              (folder / "out").string() + "' 2>'" + (folder / "err").string() +
                              "' </dev/null";
  const int status = std::system(command.c_str());
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .output = file_text(folder / "out"),
          .errors = file_text(folder / "err")};
}

}  // namespace heatfront::test
