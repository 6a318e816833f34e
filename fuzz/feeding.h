// SPDX-License-Identifier: MIT
// What the feeds share: files of a folder that lasts as long as the process, and what may come out of a reader.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/error.h"
#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "support/temporary_folder.h"

namespace heatfront::fuzz {

// A reader that is wrong: it took what makes no sense, or refused it badly.
class Finding : public std::logic_error {
  using std::logic_error::logic_error;
};
void require(bool true_of_a_good_reader, const std::string& otherwise);

// A line that a terminal can show: not empty, UTF-8, without control characters.
void require_line(std::string_view line);
void require_lines(std::string_view lines);  // one or more of them

// Whether it was done; where it was refused, the lines must be good.
template <class Action>
bool done_or_refused(const Action& action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    require_lines(error.what());
    return false;
  }
}

const test::TemporaryFolder& scratch();
Threads& one_thread();

using Files = std::vector<std::pair<std::string, std::string>>;  // name, content

// Small good sets of files. An input is a byte that names one file of one set, and what to put in its place.
class FileSets {
 public:
  explicit FileSets(std::vector<Files> sets) : sets_(std::move(sets)) {}

  // The set that is named, changed.
  Files changed(std::string_view input) const;

  // The inputs that change nothing, one per file.
  std::vector<std::string> seeds() const;

 private:
  std::vector<Files> sets_;
};

// The files, and nothing else, in scratch()/name.
std::filesystem::path put_files(std::string_view name, const Files& files);

// Throws a Finding unless it is all that readers promise, and the same once written as npz and read again.
void require_whole(const Dataset& dataset);
void require_same(const Dataset& dataset, const Dataset& again, const std::string& how);

}  // namespace heatfront::fuzz
