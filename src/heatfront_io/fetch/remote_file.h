// SPDX-License-Identifier: MIT
// A file as it is published: where, how long, with which digests; and whether a file here is the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace heatfront {

// A message digest, by libcrypto.
class Digest {
 public:
  explicit Digest(const char* algorithm);  // "md5", "sha1" or "sha256"
  void add(std::string_view bytes);
  std::string hex();  // the digest of all that was added; ends it

 private:
  std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

// A digest that is not known is empty; each file has at least one.
struct RemoteFile {
  std::string path;           // below its home; the last part is its name here too
  std::int64_t bytes = 0;     // 0: not known
  std::string git_blob = {};  // SHA-1 of "blob <bytes>\0" + content
  std::string sha256 = {};
  std::string md5 = {};
  std::string unpacked_md5 = {};  // of what a gzip file holds: tells a copy packed anew from a damaged one

  std::string name() const { return path.substr(path.rfind('/') + 1); }
};

// What tells the file at `path` from the published one, as a clause ("has 7 bytes, not 9"); empty: nothing.
std::string difference(const std::filesystem::path& path, const RemoteFile& file);

// Whether `path` holds the published bytes, or the same packed anew.
bool is_copy(const std::filesystem::path& path, const RemoteFile& file);

}  // namespace heatfront
