// SPDX-License-Identifier: MIT
// Text → numbers, the same in every locale. The whole text must be the number.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heatfront/base/types.h"

namespace heatfront {

std::optional<std::int64_t> parse_integer(std::string_view text);

// The nearest Real; "nan", "inf" and what is too large for a Real come back as such, for the caller to
// refuse.
std::optional<Real> parse_real(std::string_view text);

}  // namespace heatfront
