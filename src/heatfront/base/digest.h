// SPDX-License-Identifier: MIT
// Message digests (by libcrypto), and fingerprints of arrays made with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "heatfront/base/types.h"

namespace heatfront {

enum class DigestKind { md5, sha1, sha256 };

class Digest {
 public:
  explicit Digest(DigestKind kind);
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  void add(std::span<const std::byte> bytes);
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  std::string hex();  // the digest of all that was added; ends it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A short name for what arrays hold: 16 hexadecimal digits of SHA-256 over kinds, lengths and values.
// Integers count as 64-bit and reals as float, so the name does not depend on how the library was built or
// what the file used.
class Fingerprint {
 public:
  Fingerprint() : digest_(DigestKind::sha256) {}

  Fingerprint& add(std::int64_t value);
  Fingerprint& add(std::string_view text);
  Fingerprint& add(std::span<const std::int32_t> values);
  Fingerprint& add(std::span<const std::int64_t> values);
  Fingerprint& add(std::span<const Real> values);
  std::string hex();

 private:
  template <class To, class From>
  void add_as(std::span<const From> values);

  Digest digest_;
};

}  // namespace heatfront
