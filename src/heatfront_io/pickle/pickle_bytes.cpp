// SPDX-License-Identifier: MIT
#include "heatfront_io/pickle/pickle_bytes.h"

#include <algorithm>
#include <bit>
#include <charconv>

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

std::uint8_t PickleBytes::opcode() {
  opcode_at_ = next_;
  return static_cast<std::uint8_t>(take(1).front());
}

std::string_view PickleBytes::take(std::uint64_t length) {
  require(length);
  const std::string_view taken = bytes_.substr(next_, length);
  next_ += length;
  return taken;
}

void PickleBytes::require(std::uint64_t length) const {
  if (length <= bytes_.size() - next_) return;
  refuse("the pickle needs {} more bytes, but {} are left; the file is cut short, fetch or copy it again",
         length, bytes_.size() - next_);
}

void PickleBytes::frame() { require(number(8)); }

std::string_view PickleBytes::take_counted(std::size_t width) { return take(number(width)); }

std::string_view PickleBytes::line() {
  const std::size_t end = bytes_.find('\n', next_);
  if (end == std::string_view::npos) {
    refuse("the pickle needs a line here that never ends; the file is cut short, fetch or copy it again");
  }
  const std::string_view text = take(end - next_);
  ++next_;
  return text;
}

std::uint64_t PickleBytes::number(std::size_t width) {
  const std::string_view raw = take(width);
  std::uint64_t result = 0;
  for (std::size_t i = width; i-- > 0;) result = result << 8 | static_cast<std::uint8_t>(raw[i]);
  return result;
}

std::int64_t PickleBytes::signed_number(std::size_t width) {
  const std::string_view raw = take(width);
  const bool negative = !raw.empty() && (raw.back() & 0x80) != 0;
  const char filler = negative ? '\xff' : '\0';
  std::uint64_t result = negative ? ~std::uint64_t{0} : 0;
  for (std::size_t i = std::min<std::size_t>(width, 8); i-- > 0;) {
    result = result << 8 | static_cast<std::uint8_t>(raw[i]);
  }
  const bool sign_kept = negative == (result >> 63 != 0);
  const bool only_filler = raw.find_first_not_of(filler, 8) == std::string_view::npos;
  if (!sign_kept || !only_filler) refuse("a whole number of more than 64 bits; such are not read");
  return static_cast<std::int64_t>(result);
}

double PickleBytes::big_endian_real() {
  const std::string_view raw = take(8);
  std::uint64_t bits = 0;
  for (const char byte : raw) bits = bits << 8 | static_cast<std::uint8_t>(byte);
  return std::bit_cast<double>(bits);
}

std::int64_t PickleBytes::decimal(std::string_view text) const {
  std::int64_t number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size()) {
    refuse("{} is not a whole number of at most 64 bits", in_quotes(text));
  }
  return number;
}

double PickleBytes::real(std::string_view text) const {
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || stop != text.data() + text.size())
    refuse("{} is not a number", in_quotes(text));
  return number;
}

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
