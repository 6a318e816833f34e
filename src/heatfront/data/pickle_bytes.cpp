// SPDX-License-Identifier: MIT
#include "heatfront/data/pickle_bytes.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "heatfront/data/in_quotes.h"

namespace heatfront {

std::uint8_t PickleBytes::opcode() {
  opcode_at_ = next_;
  return static_cast<std::uint8_t>(take(1).front());
}

std::string_view PickleBytes::take(std::uint64_t length) {
  if (length > bytes_.size() - next_) {
    refuse("the pickle needs {} more bytes, but {} are left; the file is cut short, fetch or copy it again",
           length, bytes_.size() - next_);
  }
  const std::string_view taken = bytes_.substr(next_, length);
  next_ += length;
  return taken;
}

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

}  // namespace heatfront
