// SPDX-License-Identifier: MIT
// COMMAND …: finds the command and runs it.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"

namespace heatfront::cli {

// The exit code: 0: done, or help was given; 2: it was not asked for rightly, and a line on standard error says so. What
// could not be done is thrown.
int run_program(const std::vector<std::string>& words, Console& console);

}  // namespace heatfront::cli
