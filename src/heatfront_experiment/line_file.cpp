// SPDX-License-Identifier: MIT
#include "heatfront_experiment/line_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstring>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/descriptor.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace {

[[noreturn]] void cannot_append(const std::filesystem::path& path) {
  fail("{}: cannot be written: {}", path.string(), std::strerror(errno));
}

}  // namespace

struct LineFile::Opened {
  Descriptor file;
};

LineFile::LineFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  if (path_.empty() || std::filesystem::file_size(path_, error) == 0 ||
      error == std::errc::no_such_file_or_directory)
    return;
  torn_ = read_bytes(path_);
  std::size_t begin = 0;
  for (std::size_t end; (end = torn_.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines_.push_back(torn_.substr(begin, end - begin));
  torn_.erase(0, begin);
  end_ = static_cast<std::int64_t>(begin);
}
LineFile::~LineFile() = default;

void LineFile::open() {
  if (path_.empty()) return;
  Descriptor file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  struct stat status;
  if (!file || fstat(file.number(), &status) != 0) cannot_append(path_);
  if (flock(file.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    fail("{}: another program is writing to it; wait for it to end, or name another place", path_.string());
  if (status.st_size != end_ + static_cast<std::int64_t>(torn_.size()))
    fail("{}: another program has written to it meanwhile; give the same command again", path_.string());
  if (!torn_.empty() && ftruncate(file.number(), end_) != 0) cannot_append(path_);
  opened_ = std::make_unique<Opened>(Opened{std::move(file)});
}

void LineFile::append(std::string_view line) {
  if (path_.empty()) return;
  const std::string text = std::string(line) + '\n';
  if (!write_whole(opened_->file, text, end_)) {
    const int reason = errno;
    if (ftruncate(opened_->file.number(), end_) == 0) errno = reason;
    cannot_append(path_);
  }
  end_ += static_cast<std::int64_t>(text.size());
}

}  // namespace heatfront
