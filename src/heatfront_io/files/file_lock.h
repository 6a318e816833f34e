// SPDX-License-Identifier: MIT
// While it lives, no other program that asks for the same lock reads, changes and writes this file: what one of them wrote,
// the next one reads.
#pragma once

#include <filesystem>
#include <memory>

namespace heatfront {

class FileLock {
 public:
  // Waits for whoever has it. Nothing is locked where there is no such file, or where the file system has no locks.
  explicit FileLock(const std::filesystem::path& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  struct Held;
  std::unique_ptr<Held> held_;
};

}  // namespace heatfront
