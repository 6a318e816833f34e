// SPDX-License-Identifier: MIT
// Files appear whole or not at all: written beside their place under another name, renamed into it by
// commit().
#pragma once

#include <filesystem>
#include <string_view>

namespace heatfront {

class OutputFile {
 public:
  // Makes an empty file with an unguessable name in the folder of `path`, which must exist.
  explicit OutputFile(std::filesystem::path path);
  ~OutputFile();  // without commit() nothing stays behind
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::filesystem::path& temporary() const { return temporary_; }  // where to write meanwhile
  void write(std::string_view text);                                     // appends
  void commit();                                                         // to disk, then into place

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

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

  const std::filesystem::path& temporary() const { return temporary_; }
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
};

}  // namespace heatfront
