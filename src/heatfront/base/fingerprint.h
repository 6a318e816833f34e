// SPDX-License-Identifier: MIT
// A short name for what arrays hold: 16 hexadecimal digits of SHA-256 over kinds, lengths and values. Integers count as 64-bit
// and reals as float, so the name does not depend on how the library was built or what the file used.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "heatfront/base/sha256.h"
#include "heatfront/base/types.h"

namespace heatfront {

class Fingerprint {
 public:
  Fingerprint& add(std::int64_t value);
  Fingerprint& add(std::string_view text);
  Fingerprint& add(std::span<const std::int32_t> values);
  Fingerprint& add(std::span<const std::int64_t> values);
  Fingerprint& add(std::span<const Real> values);
  std::string hex();  // of all that was added; ends it

 private:
  template <class To, class From>
  void add_as(std::span<const From> values);

  Sha256 digest_;
};

// "00ff…", two digits per byte.
std::string hex_of(std::span<const std::byte> bytes);

}  // namespace heatfront
