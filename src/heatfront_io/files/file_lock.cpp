// SPDX-License-Identifier: MIT
#include "heatfront_io/files/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include "heatfront_io/files/descriptor.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront {
namespace {

// Some file systems lock only what is open for writing.
Descriptor open_to_lock(const std::filesystem::path& path) {
  constexpr int kFlags = O_CLOEXEC | O_NONBLOCK;
  Descriptor file(open(path.c_str(), O_RDWR | kFlags));
  return file ? std::move(file) : Descriptor(open(path.c_str(), O_RDONLY | kFlags));
}

bool wait_for(const Descriptor& file) {
  while (flock(file.number(), LOCK_EX) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace

struct FileLock::Held {
  Descriptor file;
};

FileLock::FileLock(const std::filesystem::path& path) : held_(std::make_unique<Held>()) {
  if (path.empty() || path == kStandardOutput) return;
  do {
    held_->file = open_to_lock(path);
  } while (held_->file && wait_for(held_->file) && !is_at(held_->file, path));
}

FileLock::~FileLock() = default;

}  // namespace heatfront
