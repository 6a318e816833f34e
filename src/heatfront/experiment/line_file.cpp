// SPDX-License-Identifier: MIT
#include "heatfront/experiment/line_file.h"

#include <iterator>
#include <utility>

#include "heatfront/base/fail.h"

namespace heatfront {

LineFile::LineFile(std::filesystem::path path) : path_(std::move(path)) {
  if (path_.empty() || !std::filesystem::exists(path_)) return;
  if (std::filesystem::is_directory(path_)) fail("{}: is a folder; a file is needed here", path_.string());
  std::ifstream file(path_, std::ios::binary);
  torn_.assign(std::istreambuf_iterator<char>(file), {});
  if (!file) fail("{}: cannot be read", path_.string());
  std::size_t begin = 0;
  for (std::size_t end; (end = torn_.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines_.push_back(torn_.substr(begin, end - begin));
  torn_.erase(0, begin);
}

void LineFile::open() {
  if (path_.empty()) return;
  if (!torn_.empty()) std::filesystem::resize_file(path_, std::filesystem::file_size(path_) - torn_.size());
  file_.open(path_, std::ios::binary | std::ios::app);
  if (!file_) fail("{}: cannot be written", path_.string());
}

void LineFile::append(std::string_view line) {
  if (path_.empty()) return;
  file_ << line << '\n' << std::flush;
  if (!file_) fail("{}: cannot be written; is the disk full?", path_.string());
}

}  // namespace heatfront
