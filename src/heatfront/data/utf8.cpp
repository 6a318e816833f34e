// SPDX-License-Identifier: MIT
#include "heatfront/data/utf8.h"

#include <array>
#include <bit>
#include <cassert>

namespace heatfront {
namespace {

// The smallest code point that needs a sequence of this length.
constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};

}  // namespace

bool is_code_point(char32_t c) { return c < 0xD800 || (c > 0xDFFF && c <= 0x10FFFF); }

void append_utf8(std::string& text, char32_t c) {
  assert(is_code_point(c));
  const auto put = [&](char32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
}

std::optional<std::u32string> code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) {
      points += lead;
      continue;
    }
    const auto length = static_cast<std::size_t>(std::countl_one(lead));
    if (length < 2 || length > 4) return std::nullopt;
    char32_t c = lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k, ++i) {
      if (i == text.size()) return std::nullopt;
      const auto next = static_cast<unsigned char>(text[i]);
      if ((next & 0xC0) != 0x80) return std::nullopt;
      c = c << 6 | (next & 0x3Fu);
    }
    if (c < kSmallest[length] || !is_code_point(c)) return std::nullopt;
    points += c;
  }
  return points;
}

}  // namespace heatfront
