// SPDX-License-Identifier: MIT
#include "heatfront_io/files/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/descriptor.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kUnfinished = ".unfinished-";
constexpr std::size_t kRandomDigits = 8;
constexpr int kMostLinks = 40;  // as Linux has it
constexpr int kMostTries = 100;

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : "."; }

[[noreturn]] void cannot_write(const fs::path& path) {
  const int reason = errno;
  std::error_code ignored;
  if (reason == ENOENT && !fs::exists(folder_of(path), ignored))
    fail("{}: cannot be written: there is no folder {}", path.string(), folder_of(path).string());
  fail("{}: cannot be written: {}", path.string(), std::strerror(reason));
}

fs::path without_slash(fs::path path) { return path.has_filename() ? path : path.parent_path(); }

// Where a link leads, also where nothing is there yet.
fs::path target_of(const fs::path& path) {
  fs::path target = path;
  std::error_code none;
  for (int links = 0; fs::is_symlink(target, none); ++links) {
    if (links == kMostLinks) fail("{}: cannot be written: too many links", path.string());
    const fs::path next = fs::read_symlink(target, none);
    target = next.is_absolute() ? next : folder_of(target) / next;
  }
  return target;
}

bool flush_to_disk(const Descriptor& file) {
  while (fsync(file.number()) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

// So that the new name outlives a power cut. Not every file system can, and not every folder may be opened.
bool flush_folder_of(const fs::path& path) {
  const Descriptor folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return !folder || flush_to_disk(folder) || errno == EINVAL || errno == ENOTSUP;
}

bool lock(const Descriptor& file) {
  return flock(file.number(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

bool is_unfinished(std::string_view name, std::string_view of) {
  if (!name.starts_with(of)) return false;
  name.remove_prefix(of.size());
  if (!name.starts_with(kUnfinished)) return false;
  name.remove_prefix(kUnfinished.size());
  return name.size() == kRandomDigits && name.find_first_not_of("0123456789abcdef") == name.npos;
}

// Whoever writes holds a lock, which ends with the program.
void remove_abandoned(const fs::path& target) {
  std::error_code ignored;
  const std::string name = target.filename().string();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(target), ignored)) {
    if (!is_unfinished(entry.path().filename().string(), name)) continue;
    const Descriptor found(open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (found && flock(found.number(), LOCK_EX | LOCK_NB) == 0) fs::remove_all(entry.path(), ignored);
  }
}

}  // namespace

class Unfinished {
 public:
  // make(path) makes it and opens it; false: errno says why not.
  template <class Make>
  Unfinished(fs::path target, const fs::path& called, const Make& make) : target_(std::move(target)) {
    remove_abandoned(target_);
    for (int tries = 0; tries < kMostTries; ++tries) {
      path_ = target_.string() + std::string(kUnfinished) + fmt::format("{:08x}", std::random_device()());
      file_ = make(path_);
      if (!file_ && errno != EEXIST) cannot_write(called);
      if (file_ && lock(file_) && is_there()) return;
    }
    errno = EEXIST;
    cannot_write(called);
  }
  ~Unfinished() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

  const fs::path& path() const { return path_; }
  const fs::path& target() const { return target_; }
  const Descriptor& file() const { return file_; }

  // False: errno says why not, and where the name could not be changed, nothing is in place.
  bool commit() {
    if (!flush_to_disk(file_) || std::rename(path_.c_str(), target_.c_str()) != 0) return false;
    path_.clear();
    return flush_folder_of(target_);
  }

 private:
  // Nobody took it for abandoned before it was locked.
  bool is_there() const {
    struct stat status;
    return fstat(file_.number(), &status) == 0 && status.st_nlink > 0;
  }

  fs::path target_, path_;
  Descriptor file_;
};

OutputFile::OutputFile(const fs::path& path) : path_(path) {
  if (path == kStandardOutput) return;
  const fs::path target = target_of(path);
  struct stat there;
  const bool replaces = stat(target.c_str(), &there) == 0;
  if (replaces && S_ISDIR(there.st_mode)) fail("{}: cannot be written: it is a folder", path.string());
  if (replaces && !S_ISREG(there.st_mode))
    fail("{}: cannot be written: it is not a plain file", path.string());
  if (replaces && faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0) cannot_write(path);
  // A file that others may not read is not theirs to read while it is written.
  const mode_t mode = replaces ? 0600 : 0666;
  unfinished_ = std::make_unique<Unfinished>(target, path, [&](const fs::path& name) {
    return Descriptor(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  });
}

OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view text) { write_at(end_, text); }

void OutputFile::write_at(std::int64_t offset, std::string_view text) {
  if (unfinished_ == nullptr) {
    streamed_.resize(std::max(streamed_.size(), static_cast<std::size_t>(offset) + text.size()));
    std::ranges::copy(text, streamed_.begin() + static_cast<std::ptrdiff_t>(offset));
  } else if (!write_whole(unfinished_->file(), text, offset)) {
    cannot_write(path_);
  }
  end_ = std::max(end_, offset + static_cast<std::int64_t>(text.size()));
}

void OutputFile::commit() {
  if (unfinished_ == nullptr) {
    if (std::fwrite(streamed_.data(), 1, streamed_.size(), stdout) != streamed_.size() ||
        std::fflush(stdout) != 0)
      fail("standard output cannot be written: {}", std::strerror(errno));
    return;
  }
  struct stat there;
  if (stat(unfinished_->target().c_str(), &there) == 0 &&
      fchmod(unfinished_->file().number(), there.st_mode & 0777) != 0)
    cannot_write(path_);
  if (!unfinished_->commit()) cannot_write(path_);
}

bool is_same_output(const fs::path& a, const fs::path& b) {
  const fs::path first = target_of(a), second = target_of(b);
  struct stat one, other;
  const bool first_there = stat(first.c_str(), &one) == 0, second_there = stat(second.c_str(), &other) == 0;
  if (first_there && second_there) return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
  std::error_code ignored;
  const auto place = [&](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path), ignored); };
  return first_there == second_there && place(first) == place(second);
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
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path_, ignored)))
    fail("{}: exists already; name a new folder", path_.string());
  unfinished_ = std::make_unique<Unfinished>(path_, path_, [](const fs::path& name) {
    if (mkdir(name.c_str(), 0777) != 0) return Descriptor();
    Descriptor folder(open(name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    const int reason = errno;
    if (!folder) rmdir(name.c_str());
    errno = reason;
    return folder;
  });
}

OutputFolder::~OutputFolder() = default;

const fs::path& OutputFolder::temporary() const { return unfinished_->path(); }

void OutputFolder::commit() {
  if (!unfinished_->commit()) cannot_write(path_);
}

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
