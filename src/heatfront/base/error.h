// SPDX-License-Identifier: MIT
// What a user can cause: one line that says what, where, and what would be right.
#pragma once

#include <stdexcept>
#include <string>

namespace heatfront {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& line) : std::runtime_error(line) {}
};

// The user, or a progress callback, asked to stop.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted") {}
};

}  // namespace heatfront
