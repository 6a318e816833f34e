// SPDX-License-Identifier: MIT
#include "heatfront/base/utf8.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace heatfront {
namespace {

struct CodeRange {
  char32_t first, last;
};

// Control characters, ends of lines and paragraphs, and what Unicode calls default ignorable: characters that are not to be
// seen, among them those that turn the direction of all that follows.
constexpr std::array<CodeRange, 21> kUnseen = {
    {{0x00, 0x1F},      {0x7F, 0x9F},     {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},
     {0x115F, 0x1160},  {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
     {0x2060, 0x206F},  {0x3164, 0x3164}, {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
     {0xFFF0, 0xFFFB},  {0xFFFE, 0xFFFF}, {0x13430, 0x13440}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
     {0xE0000, 0xE0FFF}}};

bool is_unseen(char32_t c) {
  return std::ranges::any_of(kUnseen, [&](const CodeRange& r) { return r.first <= c && c <= r.last; });
}

// Of the one character that this is.
char32_t code_point(std::string_view character) {
  const std::size_t length = character.size();
  char32_t c = static_cast<unsigned char>(character[0]) & (length == 1 ? 0x7Fu : 0x7Fu >> length);
  for (const char next : character.substr(1)) c = c << 6 | (static_cast<unsigned char>(next) & 0x3Fu);
  return c;
}

// The text with write(c) in place of every character that is not to be seen, and of every byte that is not UTF-8 (as
// broken(byte)).
template <class Write, class Broken>
std::string replaced(std::string_view text, const Write& write, const Broken& broken) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(1, length));
    text.remove_prefix(character.size());
    if (length == 0) {
      result += broken(static_cast<unsigned char>(character[0]));
      continue;
    }
    const char32_t c = code_point(character);
    is_unseen(c) ? result += write(c) : result += character;
  }
  return result;
}

std::string byte_text(unsigned byte) { return fmt::format("\\x{:02x}", byte); }

// \x1b, \u202e, \U000e0001.
std::string visible(char32_t c) {
  const auto number = static_cast<unsigned>(c);
  if (number < 0x80) return byte_text(number);
  return number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
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
    points += code_point(text.substr(0, length));
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
  const auto write = [](char32_t c) {
    return c == U'\t' || c == U'\n' || c == U'\r' ? std::string(" ") : visible(c);
  };
  return replaced(text, write, byte_text);
}

std::string printable_lines(std::string_view text) {
  return replaced(
      text, [](char32_t c) { return c == U'\n' ? std::string("\n") : visible(c); }, byte_text);
}

std::string printable_json(std::string_view json) {
  const auto write = [](char32_t c) {
    const auto number = static_cast<unsigned>(c);
    if (c == U'\n')
      return std::string("\n");  // between its parts: within a string it is written as two characters
    if (number < 0x10000) return fmt::format("\\u{:04x}", number);
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (number >> 10), 0xDC00 + (number & 0x3FF));
  };
  return replaced(json, write, [](unsigned) { return std::string("\\ufffd"); });
}

std::string shown(std::string_view piece) {
  constexpr std::size_t kMost = 60;
  std::size_t end = 0;
  while (end < std::min(kMost, piece.size()))
    end += std::max<std::size_t>(1, character_length(piece.substr(end)));
  return printable(piece.substr(0, end)) + (end < piece.size() ? "…" : "");
}

std::string in_quotes(std::string_view piece) { return fmt::format("'{}'", shown(piece)); }

}  // namespace heatfront
