// SPDX-License-Identifier: MIT
#include "heatfront_io/files/digest.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

#include "heatfront/base/fingerprint.h"

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
  return hex_of(std::as_bytes(std::span(bytes).first(length)));
}

}  // namespace heatfront
