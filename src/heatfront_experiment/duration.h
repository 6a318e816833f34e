// SPDX-License-Identifier: MIT
// Durations as a user gives them: "90s", "10m" or "1.5h", in seconds.
#pragma once

#include <string_view>

namespace heatfront {

double parse_duration(std::string_view text);

}  // namespace heatfront
