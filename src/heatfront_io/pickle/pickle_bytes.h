// SPDX-License-Identifier: MIT
// A place in the bytes of a pickle: gives the next opcode and its arguments, and names the place when
// something is wrong.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "heatfront/base/fail.h"

namespace heatfront {

class PickleBytes {
 public:
  PickleBytes(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  std::uint8_t opcode();
  std::string_view take(std::uint64_t length);
  std::string_view take_counted(std::size_t width);  // a length of so many bytes, then as many bytes
  void frame();                                      // a length of 8 bytes, and as many must be left
  std::string_view line();                           // without its end
  std::uint64_t number(std::size_t width);           // low byte first, up to 8
  std::int64_t signed_number(std::size_t width);     // any width, if the number has no more than 64 bits
  double big_endian_real();

  // The same from a line of text.
  std::int64_t decimal(std::string_view text) const;
  double real(std::string_view text) const;

  std::string where() const { return fmt::format("{}: byte {}", file_, opcode_at_); }  // of the last opcode

  // Throws an Error that begins with that.
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail("{}: {}", where(), fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  void require(std::uint64_t length) const;  // so many bytes are left

  std::string_view bytes_;
  std::string file_;
  std::size_t next_ = 0;
  std::size_t opcode_at_ = 0;
};

// The strings of pickles: what the text protocol escapes, and text turned into bytes. Nothing where the spelling is
// wrong.

// 'a\x00b\n', in either kind of quotes, as Python 2 writes bytes → the bytes.
std::optional<std::string> bytes_of_quoted(std::string_view quoted);

// Latin-1 with \uXXXX and \UXXXXXXXX for what is not in it → UTF-8.
std::optional<std::string> utf8_of_escaped(std::string_view escaped);

// UTF-8 → one byte a character, as _codecs.encode(text, 'latin1') does: how Python 3 writes bytes.
std::optional<std::string> latin1_of_utf8(std::string_view utf8);

}  // namespace heatfront
