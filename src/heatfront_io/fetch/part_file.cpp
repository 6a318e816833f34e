// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/part_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void cannot_write(const fs::path& path, int reason) {
  fail("{}: cannot be written: {}", path.string(), std::strerror(reason));
}

// Locked, and still the file of that name: whoever held the lock before may have renamed it into place.
bool is_ours(int descriptor, const fs::path& path) {
  struct stat held, named;
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &held) == 0 &&
         stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

}  // namespace

PartFile::PartFile(fs::path target) : target_(std::move(target)), path_(target_.string() + ".part") {
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (error) cannot_write(target_.parent_path(), error.value());
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor_ < 0) cannot_write(path_, errno);
  if (!is_ours(descriptor_, path_)) {
    close(descriptor_);
    fail("{}: another program is fetching this file; wait for it to end", path_.string());
  }
  size_ = lseek(descriptor_, 0, SEEK_END);
}

PartFile::~PartFile() {
  std::error_code ignored;
  if (descriptor_ >= 0 && size_ == 0) fs::remove(path_, ignored);
  if (descriptor_ >= 0) close(descriptor_);
}

void PartFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot_write(path_, errno);
    size_ += written;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PartFile::restart() {
  if (ftruncate(descriptor_, 0) != 0) cannot_write(path_, errno);
  size_ = lseek(descriptor_, 0, SEEK_SET);
}

void PartFile::commit() {
  if (fsync(descriptor_) != 0 || std::rename(path_.c_str(), target_.c_str()) != 0)
    cannot_write(target_, errno);
  close(std::exchange(descriptor_, -1));
}

}  // namespace heatfront
