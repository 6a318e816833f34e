// SPDX-License-Identifier: MIT
#include "heatfront/base/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace heatfront {
namespace {

const EVP_MD* algorithm(DigestKind kind) {
  switch (kind) {
    case DigestKind::md5: return EVP_md5();
    case DigestKind::sha1: return EVP_sha1();
    case DigestKind::sha256: return EVP_sha256();
  }
  return nullptr;
}

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

void require(int success) {
  if (success != 1) throw std::runtime_error("libcrypto cannot compute this digest");
}

}  // namespace

struct Digest::State {
  std::unique_ptr<EVP_MD_CTX, FreeContext> context{EVP_MD_CTX_new()};
};

Digest::Digest(DigestKind kind) : state_(std::make_unique<State>()) {
  require(EVP_DigestInit_ex(state_->context.get(), algorithm(kind), nullptr));
}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

void Digest::add(std::span<const std::byte> bytes) {
  require(EVP_DigestUpdate(state_->context.get(), bytes.data(), bytes.size()));
}

std::string Digest::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned length = 0;
  require(EVP_DigestFinal_ex(state_->context.get(), bytes.data(), &length));
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned char byte : std::span(bytes).first(length)) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// Kind and length first, so that neighbouring arrays cannot pass for one another.
template <class To, class From>
void Fingerprint::add_as(std::span<const From> values) {
  const auto length = static_cast<std::int64_t>(values.size());
  digest_.add(std::is_floating_point_v<To> ? "r" : "i");
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
  digest_.add(text);
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

std::string Fingerprint::hex() { return digest_.hex().substr(0, 16); }

}  // namespace heatfront
