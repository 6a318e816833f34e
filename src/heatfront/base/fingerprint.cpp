// SPDX-License-Identifier: MIT
#include "heatfront/base/fingerprint.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

namespace heatfront {

// Kind and length first, so that neighbouring arrays cannot pass for one another.
template <class To, class From>
void Fingerprint::add_as(std::span<const From> values) {
  const auto length = static_cast<std::int64_t>(values.size());
  digest_.add(std::as_bytes(std::span(std::is_floating_point_v<To> ? "r" : "i", 1)));
  digest_.add(std::as_bytes(std::span(&length, 1)));
  if constexpr (std::is_same_v<To, From>) {
    digest_.add(std::as_bytes(values));
  } else {
    std::array<To, 4096> block;
    for (std::size_t begin = 0; begin < values.size(); begin += block.size()) {
      const auto part = values.subspan(begin, std::min(block.size(), values.size() - begin));
      std::ranges::transform(part, block.begin(), [](From value) { return static_cast<To>(value); });
      digest_.add(std::as_bytes(std::span(block).first(part.size())));
    }
  }
}

Fingerprint& Fingerprint::add(std::int64_t value) { return add(std::span(&value, 1)); }

Fingerprint& Fingerprint::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  digest_.add(std::as_bytes(std::span(text)));
  return *this;
}

Fingerprint& Fingerprint::add(std::span<const std::int32_t> values) {
  add_as<std::int64_t>(values);
  return *this;
}

Fingerprint& Fingerprint::add(std::span<const std::int64_t> values) {
  add_as<std::int64_t>(values);
  return *this;
}

Fingerprint& Fingerprint::add(std::span<const Real> values) {
  add_as<float>(values);
  return *this;
}

std::string Fingerprint::hex() { return hex_of(digest_.digest()).substr(0, 16); }

std::string hex_of(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::byte byte : bytes) {
    text += kDigits[std::to_integer<std::size_t>(byte >> 4)];
    text += kDigits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

}  // namespace heatfront
