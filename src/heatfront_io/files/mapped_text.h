// SPDX-License-Identifier: MIT
// The text of a file where it lies, for files larger than memory: the system reads what is looked at, and forgets it again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace heatfront {

class MappedText {
 public:
  // Of a gzip file what is packed in it, which is unpacked into `folder`. Error as of read_data(), but no file is too large.
  MappedText(const std::filesystem::path& path, const std::filesystem::path& folder);
  ~MappedText();
  MappedText(const MappedText&) = delete;
  MappedText& operator=(const MappedText&) = delete;

  std::string_view text() const { return {data_, size_}; }  // '\0' follows

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0, mapped_ = 0;
};

}  // namespace heatfront
