// SPDX-License-Identifier: MIT
// What a user can cause: one line that says what, where, and what would be right. Lines quote files and names of files, so
// they are made printable().
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace heatfront {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& line);
  explicit Error(const std::vector<std::string>& lines);  // where all that is wrong is said at once
};

// The user, or a progress callback, asked to stop.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace heatfront
