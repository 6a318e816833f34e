// SPDX-License-Identifier: MIT
// Turns errors into one line and an exit code: 0: done; 1: it could not be done; 2: it was not asked for rightly.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <new>

#include "cli/program.h"

int main(int argc, char** argv) {
  constexpr int kFailed = 1;
  try {
    heatfront::cli::Console console;
    const int code = heatfront::cli::run_program({argv + 1, argv + argc}, console);
    return std::fflush(stdout) == 0 ? code : kFailed;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "heatfront: not enough memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "heatfront: {}\n", error.what());
  }
  return kFailed;
}
