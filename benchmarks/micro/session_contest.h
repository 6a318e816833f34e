// SPDX-License-Identifier: MIT
// What a label costs: a session that sets one and answers anew, beside the flow alone on the same graph.
#pragma once

#include <string>

namespace heatfront::micro {

// Prints a table, below a line that says what machine it was made on.
void print_session(const std::string& circumstances);

}  // namespace heatfront::micro
