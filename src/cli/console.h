// SPDX-License-Identifier: MIT
// Where commands write: results to standard output (a text for people, or one JSON object), progress to
// standard error and only when that is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/graph/halo.h"
#include "heatfront/graph/partition.h"
#include "heatfront_report/figures.h"

namespace heatfront::cli {

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

  bool json = false;          // --json
  bool quiet = false;         // -q: no notes, no progress
  bool output_taken = false;  // a file goes to standard output: results for people go to standard error
  int thread_count = 0;       // --threads, 0: all cores available
  const Cluster* cluster = &Cluster::alone();  // the ranks that work on one command; only the first is heard
  std::vector<std::int32_t> (*scotch)(const GraphRows& graph, int parts) = nullptr;  // where it is linked
  std::string* captured = nullptr;  // results are added to this instead of being printed, remarks left out

  Threads& threads();
  bool writes_files() const { return cluster->ranks().rank() == 0; }  // one process does for all

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

}  // namespace heatfront::cli
