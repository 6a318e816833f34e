// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/mapped_array.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "heatfront/base/fail.h"
#include "heatfront_io/arrays/npy_header.h"
#include "heatfront_io/files/descriptor.h"

namespace heatfront {

MappedFile::MappedFile(const std::filesystem::path& path) {
  const auto cannot_read = [&] { fail("{}: cannot be read: {}", path.string(), std::strerror(errno)); };
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (!file || fstat(file.number(), &status) != 0) cannot_read();
  if (!S_ISREG(status.st_mode)) fail("{}: it is no file", path.string());
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;
  void* const data = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.number(), 0);
  if (data == MAP_FAILED) cannot_read();
  data_ = static_cast<const std::byte*>(data);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

void MappedFile::forget() const {
  if (data_ != nullptr) madvise(const_cast<std::byte*>(data_), size_, MADV_DONTNEED);
}

std::span<const std::byte> npy_elements(const MappedFile& file, std::string_view descr,
                                        const std::filesystem::path& path) {
  const std::string where = path.string();
  const std::span<const std::byte> bytes = file.bytes();
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               std::min(bytes.size(), kLongestNpyHeader));
  const NpyHeader header = parse_npy_header(start, where);
  if (header.type.descr != descr || header.shape.size() != 1)
    fail("{}: '{}' of {} dimensions; it must be '{}' of one", where, header.type.descr, header.shape.size(),
         descr);
  check_npy_payload(header, bytes.size() - header.length, where);
  const std::span<const std::byte> elements = bytes.subspan(header.length);
  if (reinterpret_cast<std::uintptr_t>(elements.data()) % 8 != 0)
    fail("{}: its numbers begin at byte {}; they must begin at a multiple of 8", where, header.length);
  return elements;
}

}  // namespace heatfront
