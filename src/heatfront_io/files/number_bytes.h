// SPDX-License-Identifier: MIT
// Numbers as binary files hold them (signed, unsigned, floating or bool; 1 to 8 bytes; either end first) →
// numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "heatfront/base/types.h"

namespace heatfront {

struct NumberType {
  char kind = 'u';  // as numpy says it: 'i' signed, 'u' unsigned, 'f' floating, 'b' bool
  std::size_t size = 1;
  bool big_endian = false;

  bool whole() const { return kind != 'f'; }
  bool known() const;  // whole ones of 1, 2, 4 or 8 bytes, floating ones of 2, 4 or 8, bools of 1
};

// IEEE half precision: 1 sign, 5 exponent, 10 fraction bits; C++20 has no type for it.
struct HalfBits {
  std::uint16_t bits;
};
struct TruthByte {
  std::uint8_t byte;
};

float value_of(HalfBits half);
inline std::uint8_t value_of(TruthByte truth) { return truth.byte != 0; }
template <class T>
T value_of(T value) {
  return value;
}

template <class Stored, class Put>
void for_each_stored(std::string_view bytes, bool big_endian, const Put& put) {
  assert(bytes.size() % sizeof(Stored) == 0);
  const bool turn = big_endian != (std::endian::native == std::endian::big);
  for (std::size_t i = 0; i < bytes.size() / sizeof(Stored); ++i) {
    std::array<char, sizeof(Stored)> raw;
    std::memcpy(raw.data(), bytes.data() + i * sizeof(Stored), sizeof(Stored));
    if (turn) std::ranges::reverse(raw);
    put(value_of(std::bit_cast<Stored>(raw)), i);
  }
}

// put(value, i) for the i-th number of a known type, in the C++ type that holds it.
template <class Put>
void for_each_number(std::string_view bytes, NumberType type, const Put& put) {
  assert(type.known());
  const auto visit = [&]<class Stored>(Stored) { for_each_stored<Stored>(bytes, type.big_endian, put); };
  const bool is_signed = type.kind == 'i';
  if (type.kind == 'b') return visit(TruthByte{});
  if (type.kind == 'f') {
    return type.size == 2 ? visit(HalfBits{}) : type.size == 4 ? visit(float{}) : visit(double{});
  }
  switch (type.size) {
    case 1: return is_signed ? visit(std::int8_t{}) : visit(std::uint8_t{});
    case 2: return is_signed ? visit(std::int16_t{}) : visit(std::uint16_t{});
    case 4: return is_signed ? visit(std::int32_t{}) : visit(std::uint32_t{});
    default: return is_signed ? visit(std::int64_t{}) : visit(std::uint64_t{});
  }
}

// `bytes` holds numbers.size() numbers of a known type; whole ones where whole numbers are asked for.
void read_numbers(std::string_view bytes, NumberType type, std::span<std::int64_t> numbers);
void read_numbers(std::string_view bytes, NumberType type, std::span<Real> numbers);

}  // namespace heatfront
