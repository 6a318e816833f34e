// SPDX-License-Identifier: MIT
#include "heatfront/base/utf8.h"

#include <algorithm>
#include <cassert>

namespace heatfront {
namespace {

// Of UTF-8 that is well-formed: below 0x20, 0x7F to 0x9F, and the line and paragraph separators U+2028 and U+2029.
bool is_control(std::string_view character) {
  const char first = character[0];
  if (character.size() == 1) return (0 <= first && first < ' ') || first == '\x7F';
  return (first == '\xC2' && static_cast<unsigned char>(character[1]) < 0xA0) || character == "\u2028" ||
         character == "\u2029";
}

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

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !follows(1)) return 0;
  if (first < 0xE0) return 2;
  if (!follows(2)) return 0;
  if (first < 0xF0) {
    const bool overlong = first == 0xE0 && second < 0xA0, surrogate = first == 0xED && second >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  const bool overlong = first == 0xF0 && second < 0x90, beyond = first == 0xF4 && second >= 0x90;
  return overlong || beyond || !follows(3) ? 0 : 4;
}

std::optional<std::u32string> code_points(std::string_view text) {
  std::u32string points;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return std::nullopt;
    char32_t c = static_cast<unsigned char>(text[0]) & (length == 1 ? 0x7Fu : 0x7Fu >> length);
    for (const char next : text.substr(1, length - 1))
      c = c << 6 | (static_cast<unsigned char>(next) & 0x3Fu);
    points += c;
    text.remove_prefix(length);
  }
  return points;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count)
    end += std::max<std::size_t>(1, character_length(text.substr(end)));
  return text.substr(0, end);
}

std::string printable(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    const bool blank = character == "\t" || character == "\n" || character == "\r";
    line += blank ? " " : length == 0 || is_control(character) ? "?" : character;
    text.remove_prefix(character.size());
  }
  return line;
}

std::string shown(std::string_view piece) {
  constexpr std::size_t kMost = 60;
  std::size_t end = 0;
  while (end < std::min(kMost, piece.size()))
    end += std::max<std::size_t>(1, character_length(piece.substr(end)));
  return printable(piece.substr(0, end)) + (end < piece.size() ? "…" : "");
}

}  // namespace heatfront
