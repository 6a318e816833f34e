// SPDX-License-Identifier: MIT
#include "heatfront/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void cannot_write(const fs::path& path) {
  const int reason = errno;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (reason == ENOENT) fail("{}: cannot be written: there is no folder {}", path.string(), folder.string());
  fail("{}: cannot be written: {}", path.string(), std::strerror(reason));
}

fs::path without_slash(fs::path path) { return path.has_filename() ? path : path.parent_path(); }

std::string template_beside(const fs::path& path) { return path.string() + ".XXXXXX"; }

// mkstemp and mkdtemp let only the owner in; results are for everyone to read.
constexpr mode_t kFileMode = 0644;
constexpr mode_t kFolderMode = 0755;

}  // namespace

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  if (fs::is_directory(path_)) fail("{}: cannot be written: it is a folder", path_.string());
  std::string name = template_beside(path_);
  descriptor_ = mkstemp(name.data());
  if (descriptor_ < 0) cannot_write(path_);
  temporary_ = name;
  fchmod(descriptor_, kFileMode);
}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) cannot_write(path_);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  // Whoever wrote to temporary() by name may have put a new file there: sync what is there now.
  const int written = open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  if (written < 0) cannot_write(path_);
  const bool synced = fsync(written) == 0;
  fchmod(written, kFileMode);
  close(written);
  if (!synced || std::rename(temporary_.c_str(), path_.c_str()) != 0) cannot_write(path_);
  close(std::exchange(descriptor_, -1));
}

void write_file(const fs::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) fail("{}: cannot be made: {}", path.string(), error.message());
}

OutputFolder::OutputFolder(fs::path path) : path_(without_slash(std::move(path))) {
  if (fs::exists(path_)) fail("{}: exists already; name a new folder", path_.string());
  std::string name = template_beside(path_);
  if (mkdtemp(name.data()) == nullptr) cannot_write(path_);
  temporary_ = name;
}

OutputFolder::~OutputFolder() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

void OutputFolder::commit() {
  chmod(temporary_.c_str(), kFolderMode);
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) cannot_write(path_);
  temporary_.clear();
}

}  // namespace heatfront
