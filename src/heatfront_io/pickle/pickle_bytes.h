// SPDX-License-Identifier: MIT
// The bytes of a pickle, taken one after the other; Error where they end too early. For source files only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "heatfront/base/fail.h"

namespace heatfront {

class PickleBytes {
 public:
  explicit PickleBytes(std::string_view bytes) : bytes_(bytes) {}

  std::size_t place() const { return next_; }

  std::string_view take(std::uint64_t length) {
    require(length);
    const std::string_view taken = bytes_.substr(next_, length);
    next_ += length;
    return taken;
  }

  // A length of so many bytes, then as many bytes.
  std::string_view take_counted(std::size_t width) { return take(number(width)); }

  // A length of 8 bytes, and as many must be left.
  void frame() { require(number(8)); }

  // Without its end.
  std::string_view line() {
    const std::size_t end = bytes_.find('\n', next_);
    if (end == std::string_view::npos)
      fail("the pickle needs a line here that never ends; the file is cut short, fetch or copy it again");
    const std::string_view text = take(end - next_);
    ++next_;
    return text;
  }

  // Low byte first, up to 8.
  std::uint64_t number(std::size_t width) {
    const std::string_view raw = take(width);
    std::uint64_t result = 0;
    for (std::size_t i = width; i-- > 0;) result = result << 8 | static_cast<std::uint8_t>(raw[i]);
    return result;
  }

  // Any width, if the number has no more than 64 bits.
  std::int64_t signed_number(std::size_t width) {
    const std::string_view raw = take(width);
    const bool negative = !raw.empty() && (raw.back() & 0x80) != 0;
    const char filler = negative ? '\xff' : '\0';
    std::uint64_t result = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = std::min<std::size_t>(width, 8); i-- > 0;)
      result = result << 8 | static_cast<std::uint8_t>(raw[i]);
    const bool sign_kept = negative == (result >> 63 != 0);
    const bool only_filler = raw.find_first_not_of(filler, 8) == std::string_view::npos;
    if (!sign_kept || !only_filler) fail("a whole number of more than 64 bits, which is not read");
    return static_cast<std::int64_t>(result);
  }

  double big_endian_real() {
    std::uint64_t bits = 0;
    for (const char byte : take(8)) bits = bits << 8 | static_cast<std::uint8_t>(byte);
    return std::bit_cast<double>(bits);
  }

 private:
  void require(std::uint64_t length) const {
    if (length > bytes_.size() - next_)
      fail("the pickle needs {} more bytes, but {} are left; the file is cut short, fetch or copy it again",
           length, bytes_.size() - next_);
  }

  std::string_view bytes_;
  std::size_t next_ = 0;
};

}  // namespace heatfront
