// SPDX-License-Identifier: MIT
// All that is wrong with the tables of a data set, said at once: readers add a line for each problem, go on where they can, and
// whoever began ends with throw_if_any().
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heatfront/base/error.h"

namespace heatfront {

class Problems {
 public:
  static constexpr std::size_t kMostListed = 20;

  void add(std::string line);
  bool any() const { return count_ > 0; }

  // One problem is an Error of its line; several are an Error of a line each, with how many there are before them.
  void throw_if_any() const;

  // Does the work; an Error that ends it is a problem more, and false comes back.
  template <class Work>
  bool collect(const Work& work) {
    try {
      work();
      return true;
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      add(error.what());
      return false;
    }
  }

 private:
  std::vector<std::string> lines_;
  std::int64_t count_ = 0;
};

}  // namespace heatfront
