// SPDX-License-Identifier: MIT
#include "heatfront_io/files/number_bytes.h"

#include <cmath>
#include <limits>

namespace heatfront {

bool NumberType::known() const {
  const bool power_of_two = std::has_single_bit(size) && size <= 8;
  switch (kind) {
    case 'i':
    case 'u': return power_of_two;
    case 'f': return power_of_two && size > 1;
    case 'b': return size == 1;
    default: return false;
  }
}

float value_of(HalfBits half) {
  const int exponent = half.bits >> 10 & 31;
  const auto fraction = static_cast<float>(half.bits & 1023);
  float size = std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 0) size = std::ldexp(fraction, -24);
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  }
  return half.bits >> 15 ? -size : size;
}

void read_numbers(std::string_view bytes, NumberType type, std::span<std::int64_t> numbers) {
  assert(type.whole());
  for_each_number(bytes, type,
                  [&](auto value, std::size_t i) { numbers[i] = static_cast<std::int64_t>(value); });
}

void read_numbers(std::string_view bytes, NumberType type, std::span<Real> numbers) {
  for_each_number(bytes, type, [&](auto value, std::size_t i) { numbers[i] = static_cast<Real>(value); });
}

}  // namespace heatfront
