// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/appended_file.h"

#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace fs = std::filesystem;

AppendedFile::AppendedFile(fs::path path)
    : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
  if (!file_) cannot_write();
}

void AppendedFile::flush() {
  if (!write_whole(file_, buffer_, end_)) cannot_write();
  end_ += static_cast<off_t>(buffer_.size());
  buffer_.clear();
}

void AppendedFile::read(std::size_t record, const std::function<void(std::string_view)>& each) {
  flush();
  std::string piece(kBufferBytes / record * record, '\0');
  for (off_t at_byte = 0; at_byte < end_;) {
    const std::size_t wanted = std::min(piece.size(), static_cast<std::size_t>(end_ - at_byte));
    std::size_t got = 0;
    while (got < wanted) {
      const ssize_t bytes =
          pread(file_.number(), piece.data() + got, wanted - got, at_byte + static_cast<off_t>(got));
      if (bytes < 0 && errno == EINTR) continue;
      if (bytes <= 0) fail("{}: cannot be read: {}", path_.string(), std::strerror(errno));
      got += static_cast<std::size_t>(bytes);
    }
    each(std::string_view(piece).substr(0, wanted));
    at_byte += static_cast<off_t>(wanted);
  }
}

void AppendedFile::remove() {
  std::error_code ignored;
  fs::remove(path_, ignored);
  file_.reset();
}

void AppendedFile::cannot_write() const {
  fail("{}: cannot be written: {}", path_.string(), std::strerror(errno));
}

}  // namespace heatfront
