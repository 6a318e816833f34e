// SPDX-License-Identifier: MIT
// The numbers of an .npy file where they lie, in memory that the system fills from disk as they are read, and takes back.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "heatfront_io/arrays/npz.h"

namespace heatfront {

class MappedFile {
 public:
  // Error that names the file where it cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // What was read of it need not be kept in memory.
  void forget() const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// The elements of an array of one dimension and this type, in this machine's byte order; Error where it is another.
std::span<const std::byte> npy_elements(const MappedFile& file, std::string_view descr,
                                        const std::filesystem::path& path);

template <class T>
std::span<const T> mapped_numbers(const MappedFile& file, const std::filesystem::path& path) {
  const std::span<const std::byte> bytes = npy_elements(file, kNpyDescr<T>, path);
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

}  // namespace heatfront
