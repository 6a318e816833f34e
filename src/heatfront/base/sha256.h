// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), so that the core needs no cryptographic library to name what arrays hold.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace heatfront {

class Sha256 {
 public:
  // The processor's own instructions for it are used where there are any; tests ask to do without.
  enum class By { whatever_is_fastest, plain_code };
  explicit Sha256(By by = By::whatever_is_fastest) : by_(by) {}

  void add(std::span<const std::byte> bytes);
  std::array<std::byte, 32> digest();  // of all that was added; ends it

 private:
  void add_blocks(std::span<const std::byte> bytes);  // whole ones

  By by_;
  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> rest_;  // what does not fill a block yet
  std::size_t filled_ = 0;
  std::uint64_t length_ = 0;  // in bytes
};

}  // namespace heatfront
