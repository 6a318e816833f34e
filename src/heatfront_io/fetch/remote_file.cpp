// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/remote_file.h"

#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <span>
#include <stdexcept>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/fingerprint.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

void require_digest(int success) {
  if (success != 1) throw std::runtime_error("libcrypto cannot compute this digest");
}

struct Check {
  const char* name;
  std::string_view expected;
  Digest digest;
};

std::vector<Check> checks_of(const RemoteFile& file, std::uintmax_t bytes) {
  std::vector<Check> checks;
  if (!file.sha256.empty()) checks.push_back({"SHA-256", file.sha256, Digest("sha256")});
  if (!file.md5.empty()) checks.push_back({"MD5", file.md5, Digest("md5")});
  if (!file.git_blob.empty()) {
    checks.push_back({"git blob id", file.git_blob, Digest("sha1")});
    const std::string head = fmt::format("blob {}", bytes);
    checks.back().digest.add(std::string_view(head.c_str(), head.size() + 1));  // with the zero at its end
  }
  return checks;
}

}  // namespace

Digest::Digest(const char* algorithm) : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
  require_digest(EVP_DigestInit_ex(context_.get(), EVP_get_digestbyname(algorithm), nullptr));
}

void Digest::add(std::string_view bytes) {
  require_digest(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

std::string Digest::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned length = 0;
  require_digest(EVP_DigestFinal_ex(context_.get(), bytes.data(), &length));
  return hex_of(std::as_bytes(std::span(bytes).first(length)));
}

std::string difference(const fs::path& path, const RemoteFile& file) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (error) return "cannot be read";
  if (file.bytes > 0 && bytes != static_cast<std::uintmax_t>(file.bytes)) {
    return fmt::format("has {} bytes, not {}", bytes, file.bytes);
  }
  std::vector<Check> checks = checks_of(file, bytes);
  std::ifstream stream(path, std::ios::binary);
  std::array<char, 1 << 16> block;
  while (stream.read(block.data(), block.size()), stream.gcount() > 0) {
    for (Check& check : checks) {
      check.digest.add(std::string_view(block.data(), static_cast<std::size_t>(stream.gcount())));
    }
  }
  if (stream.bad()) return "cannot be read";
  for (Check& check : checks) {
    const std::string found = check.digest.hex();
    if (found != check.expected)
      return fmt::format("has the {} {}, not {}", check.name, found, check.expected);
  }
  return "";
}

bool is_copy(const fs::path& path, const RemoteFile& file) {
  if (difference(path, file).empty()) return true;
  if (file.unpacked_md5.empty()) return false;
  try {
    Digest digest("md5");
    digest.add(read_bytes(path));
    return digest.hex() == file.unpacked_md5;
  } catch (const Error&) {
    return false;  // a damaged gzip file is no copy
  }
}

}  // namespace heatfront
