// SPDX-License-Identifier: MIT
#include "heatfront_experiment/duration.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "heatfront/base/fail.h"

namespace heatfront {

double parse_duration(std::string_view text) {
  struct Unit {
    char letter;
    double seconds;
  };
  constexpr std::array<Unit, 3> kUnits = {{{'s', 1}, {'m', 60}, {'h', 3600}}};
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  const auto unit =
      error == std::errc() && end + 1 == last ? std::ranges::find(kUnits, *end, &Unit::letter) : kUnits.end();
  if (unit == kUnits.end() || !(value > 0) || value > 1e6)
    fail("duration '{}': right is 90s, 10m or 1.5h", text);
  return value * unit->seconds;
}

}  // namespace heatfront
