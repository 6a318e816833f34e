// SPDX-License-Identifier: MIT
// Message digests (by libcrypto), for what is fetched.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

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

}  // namespace heatfront
