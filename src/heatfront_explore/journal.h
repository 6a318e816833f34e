// SPDX-License-Identifier: MIT
// Labels on disk as they are set, so that nothing is lost when the page or the program is closed: a file beside the model with a line of
// JSON for each step, taken up at the next start and removed once the model is saved.
//
//     {"log":12}                                        how many changes the model had when the journal was begun
//     {"time":1767225600,"classes":["new"],"set":[["n17","new"]],"unset":["n3"]}
//     {"rename":["1","calm"]}                                   a class has another name from here on
//     {"undo":true,"set":[["n3","old"]],"unset":["n17"]}          the step before is taken back, by setting these
//
// Nodes and classes stand by name. Where the model is no longer the one that the journal was begun with, steps that take back are done by
// what they set, which does the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "heatfront/label/session.h"

namespace heatfront::explore {

struct NamedLabel {
  std::string node, label;
};

struct Step {
  std::int64_t time = 0;
  bool undo = false;
  std::string old_name, new_name;    // of a class; empty: none is renamed
  std::vector<std::string> classes;  // that are new
  std::vector<NamedLabel> set;
  std::vector<std::string> unset;
};

class Journal {
 public:
  explicit Journal(std::filesystem::path path) : path_(std::move(path)) {}  // empty: nothing is kept

  const std::filesystem::path& path() const { return path_; }

  // What an earlier start left, done again in the session; returns how many steps. A line that the program died over is left out; any
  // other that cannot be read is an Error.
  std::int64_t replay(Session& session);

  void add(const Step& step, std::size_t log_before);  // to disk before it returns
  void remove();                                       // what is in it is saved

 private:
  std::filesystem::path path_;
  bool begun_ = false;
};

}  // namespace heatfront::explore
