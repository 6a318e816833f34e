// SPDX-License-Identifier: MIT
// NAME.part, a download on its way to NAME: it outlives the program, so that the next one can go on from its
// end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace heatfront {

class PartFile {
 public:
  // Opens TARGET.part or makes it, and the folders above; throws Error where another program is at work on
  // it.
  explicit PartFile(std::filesystem::path target);
  ~PartFile();  // an empty one does not stay
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }
  void append(std::string_view bytes);
  void restart();  // empty again
  void commit();   // to disk, then into place

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace heatfront
