// SPDX-License-Identifier: MIT
#include "heatfront_io/files/mapped_text.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/descriptor.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kUnpackedAtOnce = 1 << 20, kStandInBytes = 1 << 12;

// The unpacked file, which has no name any more: it goes with whoever has it open.
Descriptor unpacked(const fs::path& path, const fs::path& folder) {
  std::string name = (folder / "unpacked-XXXXXX").string();
  Descriptor file(mkostemp(name.data(), O_CLOEXEC));
  if (!file) fail("{}: cannot be written: {}", name, std::strerror(errno));
  unlink(name.c_str());
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> packed(gzopen(path.c_str(), "rbe"), gzclose);
  if (!packed) fail("{}: {}", path.string(), std::strerror(errno));
  std::string piece(kUnpackedAtOnce, '\0');
  for (off_t end = 0;;) {
    const int got = gzread(packed.get(), piece.data(), static_cast<unsigned>(piece.size()));
    int code = Z_OK;
    gzerror(packed.get(), &code);
    if (got < 0 || code == Z_BUF_ERROR)
      fail("{}: damaged gzip file, or it ends too early, after {} unpacked bytes; fetch or copy it again",
           path.string(), end);
    if (got == 0) return file;
    if (!write_whole(file, std::string_view(piece).substr(0, static_cast<std::size_t>(got)), end))
      fail("{}: cannot be unpacked into {}: {}", path.string(), folder.string(), std::strerror(errno));
    end += got;
  }
}

}  // namespace

MappedText::MappedText(const fs::path& path, const fs::path& folder) {
  require_file(path);
  const std::string begin = first_bytes(path, kStandInBytes);
  const bool packed = begin.starts_with("\x1f\x8b");
  const Descriptor file =
      packed ? unpacked(path, folder) : Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status;
  if (!file || fstat(file.number(), &status) != 0) fail("{}: {}", path.string(), std::strerror(errno));
  size_ = static_cast<std::size_t>(status.st_size);
  // The file over zeros of the same length and one more, of which at least that one stays.
  mapped_ = size_ + 1;
  void* const zeros = mmap(nullptr, mapped_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (zeros == MAP_FAILED) fail("{}: {}", path.string(), std::strerror(errno));
  data_ = static_cast<char*>(zeros);
  if (size_ > 0 && mmap(zeros, size_, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.number(), 0) == MAP_FAILED) {
    const int reason = errno;
    munmap(zeros, mapped_);
    fail("{}: {}", path.string(), std::strerror(reason));
  }
  try {
    refuse_stand_in(text().substr(0, kStandInBytes), path.string());
  } catch (const Error&) {
    munmap(data_, mapped_);
    throw;
  }
}

MappedText::~MappedText() { munmap(data_, mapped_); }

}  // namespace heatfront
