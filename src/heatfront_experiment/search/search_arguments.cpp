// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search_arguments.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "heatfront/base/fail.h"

namespace heatfront {

std::vector<std::uint32_t> parse_seeds(std::string_view text) {
  const std::string_view whole = text;
  const auto number = [&](std::string_view part) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size())
      fail("seeds '{}': write them as 0-4, 7 or 0,3,5-7", whole);
    return value;
  };
  std::vector<std::uint32_t> seeds;
  for (std::size_t comma = 0; comma != std::string_view::npos;
       text.remove_prefix(std::min(comma + 1, text.size()))) {
    comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const std::size_t dash = part.find('-');
    const std::uint32_t first = number(part.substr(0, dash));
    const std::uint32_t last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
    if (first > last || last - first > 999)
      fail("seeds '{}': '{}' is not FROM-TO of at most 1,000", whole, part);
    for (std::uint32_t i = 0; i <= last - first; ++i) {
      const std::uint32_t seed = first + i;
      if (std::ranges::find(seeds, seed) != seeds.end()) fail("seeds '{}': {} is given twice", whole, seed);
      seeds.push_back(seed);
    }
  }
  return seeds;
}

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
    fail("duration '{}': write it as 90s, 10m or 1.5h", text);
  return value * unit->seconds;
}

}  // namespace heatfront
