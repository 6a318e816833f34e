// SPDX-License-Identifier: MIT
// Files appear whole or not at all: written beside their place as NAME.unfinished-XXXXXXXX, renamed into it by
// commit(). What a killed program left of that kind goes when the same file is written again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace heatfront {

// In the place of a file: standard output, which gets all of it at commit().
inline constexpr std::string_view kStandardOutput = "-";

class Unfinished;  // a file or folder under its passing name

class OutputFile {
 public:
  // Makes an empty file with an unguessable name in the folder of `path`, which must exist. A link is followed.
  // What is no plain file, or may not be written to, is refused.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();  // without commit() nothing stays behind
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);                          // appends
  void write_at(std::int64_t offset, std::string_view text);  // over what is there, or after it
  void commit();  // to disk, then into place, with the permissions of the file that was there

 private:
  std::filesystem::path path_;              // as it was given
  std::unique_ptr<Unfinished> unfinished_;  // none: standard output
  std::string streamed_;                    // what goes there
  std::int64_t end_ = 0;
};

// Whether files written under these two names would be one: the same name, another way to write it, or links.
bool is_same_output(const std::filesystem::path& a, const std::filesystem::path& b);

// A whole text at once.
void write_file(const std::filesystem::path& path, std::string_view text);

// Unless it is there already.
void make_folder(const std::filesystem::path& path);

// What OutputFile is to a file: fill temporary(), then commit(). An existing folder is refused.
class OutputFolder {
 public:
  explicit OutputFolder(std::filesystem::path path);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& temporary() const;
  void commit();

 private:
  std::filesystem::path path_;
  std::unique_ptr<Unfinished> unfinished_;
};

// While it lives, no other program that asks for the same lock reads, changes and writes this file: what one of them wrote,
// the next one reads.
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
