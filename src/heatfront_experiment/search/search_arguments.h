// SPDX-License-Identifier: MIT
// Seeds and durations as a user gives them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heatfront {

// "0-4", "7" or "0,3,5-7", each at most once.
std::vector<std::uint32_t> parse_seeds(std::string_view text);

// "90s", "10m" or "1.5h", in seconds.
double parse_duration(std::string_view text);

}  // namespace heatfront
