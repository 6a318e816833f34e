// SPDX-License-Identifier: MIT
#include "heatfront/data/pickle_text.h"

#include <charconv>
#include <cstdint>

#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

// The number that the first `digits` characters spell, all of them hexadecimal.
std::optional<std::uint32_t> hexadecimal(std::string_view text, std::size_t digits) {
  if (text.size() < digits) return {};
  std::uint32_t number = 0;
  const char* end = text.data() + digits;
  const auto [stop, error] = std::from_chars(text.data(), end, number, 16);
  if (error != std::errc() || stop != end) return {};
  return number;
}

std::optional<char> plain_escape(char letter) {
  switch (letter) {
    case '\\':
    case '\'':
    case '"': return letter;
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return {};
  }
}

}  // namespace

std::optional<std::string> bytes_of_quoted(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.front() != quoted.back()) return {};
  if (quoted.front() != '\'' && quoted.front() != '"') return {};
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      bytes += text[i];
      continue;
    }
    if (++i == text.size()) return {};
    if (text[i] == 'x') {
      const auto number = hexadecimal(text.substr(i + 1), 2);
      if (!number) return {};
      bytes += static_cast<char>(*number);
      i += 2;
    } else {
      const auto letter = plain_escape(text[i]);
      if (!letter) return {};
      bytes += *letter;
    }
  }
  return bytes;
}

std::optional<std::string> utf8_of_escaped(std::string_view escaped) {
  std::string utf8;
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    const std::string_view rest = escaped.substr(i);
    const bool is_short = rest.starts_with("\\u"), is_long = rest.starts_with("\\U");
    if (!is_short && !is_long) {
      append_utf8(utf8, static_cast<unsigned char>(escaped[i]));
      continue;
    }
    const std::size_t digits = is_short ? 4 : 8;
    const auto code = hexadecimal(rest.substr(2), digits);
    if (!code || !is_code_point(*code)) return {};
    append_utf8(utf8, *code);
    i += 1 + digits;
  }
  return utf8;
}

std::optional<std::string> latin1_of_utf8(std::string_view utf8) {
  std::string bytes;
  bytes.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    if (lead < 0x80) {
      bytes += utf8[i];
      continue;
    }
    // Two bytes, 110000ab 10cdefgh, are the characters 80 to ff.
    if ((lead != 0xc2 && lead != 0xc3) || ++i == utf8.size()) return {};
    const auto next = static_cast<unsigned char>(utf8[i]);
    if ((next & 0xc0) != 0x80) return {};
    bytes += static_cast<char>((lead & 3u) << 6 | (next & 63u));
  }
  return bytes;
}

}  // namespace heatfront
