// SPDX-License-Identifier: MIT
// Seeds as a user names them: "0-4", "7" or "0,3,5-7", each at most once.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heatfront {

std::vector<std::uint32_t> parse_seeds(std::string_view text);

}  // namespace heatfront
