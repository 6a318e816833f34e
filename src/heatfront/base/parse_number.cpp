// SPDX-License-Identifier: MIT
#include "heatfront/base/parse_number.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace heatfront {
namespace {

template <class Number>
std::errc parse_whole(std::string_view text, Number& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return end == text.data() + text.size() ? code : std::errc::invalid_argument;
}

// from_chars says "out of range" both of 1e999 and of 1e-999.
bool is_tiny(std::string_view text) {
  double wide = 0;
  if (parse_whole(text, wide) == std::errc()) return std::abs(wide) < 1;
  return text.find("e-") != text.npos || text.find("E-") != text.npos;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t number = 0;
  if (parse_whole(text, number) != std::errc()) return std::nullopt;
  return number;
}

std::optional<Real> parse_real(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  Real number = 0;
  const std::errc code = parse_whole(text, number);
  if (code == std::errc()) return number;
  if (code != std::errc::result_out_of_range) return std::nullopt;
  return is_tiny(text) ? Real(0) : std::numeric_limits<Real>::infinity();
}

}  // namespace heatfront
