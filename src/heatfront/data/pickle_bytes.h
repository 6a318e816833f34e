// SPDX-License-Identifier: MIT
// A place in the bytes of a pickle: gives the next opcode and its arguments, and names the place when
// something is wrong.
#pragma once

#include <cstdint>
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
  std::string_view line();                           // without its end
  std::uint64_t number(std::size_t width);           // low byte first, up to 8
  std::int64_t signed_number(std::size_t width);     // any width, if the number has no more than 64 bits
  double big_endian_real();

  // The same from a line of text.
  std::int64_t decimal(std::string_view text) const;
  double real(std::string_view text) const;

  // Throws an Error that names the file and where the last opcode stands.
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail("{}: byte {}: {}", file_, opcode_at_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::string_view bytes_;
  std::string file_;
  std::size_t next_ = 0;
  std::size_t opcode_at_ = 0;
};

}  // namespace heatfront
