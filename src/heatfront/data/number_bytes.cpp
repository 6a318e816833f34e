// SPDX-License-Identifier: MIT
#include "heatfront/data/number_bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace heatfront {
namespace {

// IEEE half precision: 1 sign, 5 exponent, 10 fraction bits; C++20 has no type for it.
struct Half {
  std::uint16_t bits;

  explicit operator double() const {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = 0;
    if (exponent == 31) {
      size =
          fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
    } else if (exponent == 0) {
      size = std::ldexp(fraction, -24);
    } else {
      size = std::ldexp(1024 + fraction, exponent - 25);
    }
    return bits >> 15 ? -size : size;
  }
};

template <class Stored, class Number>
void read_as(std::string_view bytes, bool big_endian, std::span<Number> numbers) {
  assert(bytes.size() == numbers.size() * sizeof(Stored));
  const bool turn = big_endian != (std::endian::native == std::endian::big);
  const char* place = bytes.data();
  for (Number& number : numbers) {
    std::array<char, sizeof(Stored)> raw;
    std::memcpy(raw.data(), place, sizeof(Stored));
    if (turn) std::ranges::reverse(raw);
    if constexpr (std::is_same_v<Stored, Half>) {
      number = static_cast<Number>(static_cast<double>(std::bit_cast<Half>(raw)));
    } else {
      number = static_cast<Number>(std::bit_cast<Stored>(raw));
    }
    place += sizeof(Stored);
  }
}

template <class Byte, class Two, class Four, class Eight, class Number>
void read_whole(std::string_view bytes, NumberType type, std::span<Number> numbers) {
  switch (type.size) {
    case 1: return read_as<Byte>(bytes, type.big_endian, numbers);
    case 2: return read_as<Two>(bytes, type.big_endian, numbers);
    case 4: return read_as<Four>(bytes, type.big_endian, numbers);
    default: return read_as<Eight>(bytes, type.big_endian, numbers);
  }
}

template <class Number>
void read_any_whole(std::string_view bytes, NumberType type, std::span<Number> numbers) {
  if (type.kind == 'i') {
    read_whole<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(bytes, type, numbers);
  } else {
    read_whole<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(bytes, type, numbers);
  }
}

}  // namespace

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

void read_numbers(std::string_view bytes, NumberType type, std::span<std::int64_t> numbers) {
  assert(type.known() && type.whole());
  read_any_whole(bytes, type, numbers);
}

void read_numbers(std::string_view bytes, NumberType type, std::span<Real> numbers) {
  assert(type.known());
  if (type.whole()) return read_any_whole(bytes, type, numbers);
  switch (type.size) {
    case 2: return read_as<Half>(bytes, type.big_endian, numbers);
    case 4: return read_as<float>(bytes, type.big_endian, numbers);
    default: return read_as<double>(bytes, type.big_endian, numbers);
  }
}

}  // namespace heatfront
