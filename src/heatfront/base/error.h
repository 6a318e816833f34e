// SPDX-License-Identifier: MIT
// What a user can cause: one line that says what, where, and what would be right. Lines quote files and names of files, so
// they are made printable().
#pragma once

#include <stdexcept>
#include <string>

namespace heatfront {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& line);
};

// The user, or a progress callback, asked to stop.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace heatfront
