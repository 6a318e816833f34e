// SPDX-License-Identifier: MIT
// Where commands write: results to standard output (a text for people, or one JSON object), progress to
// standard error and only when that is a terminal.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"

namespace heatfront::cli {

using Json = nlohmann::ordered_json;

// Lines to standard output, at once; throws Error where it cannot be written. What is not printable, from whatever file it came,
// is escaped here for all commands; a name within a line goes through printable() before, as it could end the line.
void print(std::string_view text);

// The same to standard error. Where that cannot be written, there is nobody to tell.
void tell(std::string_view text);

class Console {
 public:
  Console() = default;
  ~Console();  // no progress is left standing, also in front of an error
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  bool json = false;                // --json
  int thread_count = 0;             // --threads, 0: all cores available
  std::string* captured = nullptr;  // results are added to this instead of being printed, remarks left out

  Threads& threads();

  // The result of a command: `text` for people or `object` for machines, as --json says.
  void result(const Json& object, const std::string& text) const;

  // What a user should know beside the result: to standard error, a line each.
  void remark(const std::vector<std::string>& notes) const;

  // A line with percentage and time left, cut to the terminal's width and drawn over itself; it also carries Ctrl-C, and
  // being asked to end, into the library.
  ProgressCallback progress();

 private:
  void draw(const Progress& progress);
  void clear_line() const;

  std::unique_ptr<Threads> threads_;
  mutable bool drawn_ = false;  // a line of progress stands on the terminal
  std::string stage_;
  std::chrono::steady_clock::time_point stage_begin_, last_drawn_;
};

// 0.0000226 → "22.6 µs", 0.35 → "350 ms", 75 → "75 s": three digits in the unit that fits.
std::string time_text(double seconds);

// 0.8312 → "83.12 %"; a dash for NaN.
std::string percent(double share);

// null where it is not finite, which JSON cannot say.
Json json_number(double value);

// A file's name within a line.
std::string path_text(const std::filesystem::path& path);

// null where it is empty: there is no such file.
Json json_path(const std::filesystem::path& path);

// Rows of cells, made printable, under each other; the first row is the heading. Columns that hold numbers align right.
std::string table(std::vector<std::vector<std::string>> rows);

}  // namespace heatfront::cli
