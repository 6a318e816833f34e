// SPDX-License-Identifier: MIT
// What public functions ask of the arrays they are given, once, at the door. For source files only, as fail() is.
// `what` names the array as the caller knows it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/types.h"

namespace heatfront {

// Larger numbers would leave single precision in sums and products.
inline constexpr Real kLargestNumber = Real(1e30);

// Of temperatures and scores, which are compared and no more: their differences are numbers still.
inline constexpr Real kLargestScore = Real(1e37);

// `each` says of what there is to be one: "one per node".
inline void require_count(std::string_view what, std::int64_t count, std::int64_t needed,
                          std::string_view each) {
  if (count != needed) fail("{}: {} entries; there must be {}, {}", what, count, needed, each);
}

// Nodes, classes and other numbers from `lowest` to end − 1.
inline void require_ids(std::string_view what, std::span<const std::int32_t> ids, std::int64_t lowest,
                        std::int64_t end) {
  const auto bad = std::ranges::find_if(ids, [&](std::int32_t id) { return id < lowest || id >= end; });
  if (bad == ids.end()) return;
  if (lowest >= end) fail("{}: entry {} is {}, but there is nothing to name", what, bad - ids.begin(), *bad);
  fail("{}: entry {} is {}; it must be from {} to {}", what, bad - ids.begin(), *bad, lowest, end - 1);
}

// Finite, and no larger than can be reckoned with.
inline void require_numbers(std::string_view what, std::span<const Real> values,
                            Real largest = kLargestNumber) {
  const auto bad = std::ranges::find_if_not(values, [&](Real x) { return std::abs(x) <= largest; });
  if (bad == values.end()) return;
  if (!std::isfinite(*bad))
    fail("{}: entry {} is {}, which is not finite; every value must be a finite number", what,
         bad - values.begin(), *bad);
  fail("{}: entry {} is {}; the largest size is {:.0e}", what, bad - values.begin(), *bad, largest);
}

// One per arc, finite and 0 or more; or none: all 1. How large they may be depends on the state, see require_representable().
inline void require_weights(std::string_view what, std::span<const Real> weights, ArcId arcs) {
  if (weights.empty()) return;
  require_count(what, std::ssize(weights), arcs, "one per arc");
  const auto bad = std::ranges::find_if_not(weights, [](Real w) { return w >= 0 && std::isfinite(w); });
  if (bad != weights.end())
    fail("{}: entry {} is {}; a weight must be finite and 0 or more", what, bad - weights.begin(), *bad);
}

}  // namespace heatfront
