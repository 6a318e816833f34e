// SPDX-License-Identifier: MIT
// A piece of a file for an error line, in quotes.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "heatfront/base/utf8.h"

namespace heatfront {

inline std::string in_quotes(std::string_view piece) { return fmt::format("'{}'", shown(piece)); }

}  // namespace heatfront
