// SPDX-License-Identifier: MIT
// A file descriptor with an owner, and calls that go on where a signal or the system cut them short. For source files only.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <utility>

namespace heatfront {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }

  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void reset() {
    if (number_ >= 0) close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

// Whether it is still the file of that name: whoever held a lock before may have renamed another into its place.
inline bool is_at(const Descriptor& file, const std::filesystem::path& path) {
  struct stat held, named;
  return fstat(file.number(), &held) == 0 && stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

// The whole text at this place of the file; false: errno says why not.
inline bool write_whole(const Descriptor& file, std::string_view text, off_t offset) {
  while (!text.empty()) {
    const ssize_t written = pwrite(file.number(), text.data(), text.size(), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    offset += written;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace heatfront
