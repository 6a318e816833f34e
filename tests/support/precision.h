// SPDX-License-Identifier: MIT
// Which build this is: how close answers can be depends on it.
#pragma once

#include <type_traits>

#include "heatfront/base/types.h"

namespace heatfront::test {

inline constexpr bool kDouble = std::is_same_v<Real, double>;

}  // namespace heatfront::test
