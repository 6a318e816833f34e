// SPDX-License-Identifier: MIT
// A file that is written from its beginning to its end, then read the same way. For source files only.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "heatfront_io/files/descriptor.h"

namespace heatfront {

class AppendedFile {
 public:
  explicit AppendedFile(std::filesystem::path path);  // which must not be there

  void add(const void* data, std::size_t bytes) {
    buffer_.append(static_cast<const char*>(data), bytes);
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void flush();

  // each(bytes) from the beginning, in pieces of whole records.
  void read(std::size_t record, const std::function<void(std::string_view)>& each);

  void remove();
  const std::filesystem::path& path() const { return path_; }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 20;

  [[noreturn]] void cannot_write() const;

  std::filesystem::path path_;
  Descriptor file_;
  std::string buffer_;
  off_t end_ = 0;
};

}  // namespace heatfront
