// SPDX-License-Identifier: MIT
// A file descriptor with an owner, and calls that go on where a signal or the system cut them short. For source files only.
#pragma once

#include <unistd.h>

#include <cerrno>
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
