// SPDX-License-Identifier: MIT
// Numbers as binary files hold them (signed, unsigned, floating or bool; 1 to 8 bytes; either end first) →
// numbers.
#pragma once

#include <cstddef>
#include <cstdint>
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

// `bytes` holds numbers.size() numbers of a known type; whole ones where whole numbers are asked for.
void read_numbers(std::string_view bytes, NumberType type, std::span<std::int64_t> numbers);
void read_numbers(std::string_view bytes, NumberType type, std::span<Real> numbers);

}  // namespace heatfront
