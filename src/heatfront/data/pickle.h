// SPDX-License-Identifier: MIT
// Python pickles of data, protocols 0 to 2: None, bools, numbers, strings, tuples, lists, dicts, numpy arrays
// and scipy CSR matrices. A pickle is a program for a small machine; this one can build these things and do
// nothing else.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "heatfront/data/pickle_store.h"

namespace heatfront {

class Pickle {
 public:
  explicit Pickle(const std::filesystem::path& path);
  Pickle(std::string bytes, std::string file);

  const std::string& file() const { return file_; }
  std::size_t size() const { return bytes_.size(); }
  const PickleStore& store() const { return store_; }
  PickleValue root() const { return root_; }

 private:
  std::string file_;
  std::string bytes_;  // strings of the store lie in here
  PickleStore store_;
  PickleValue root_;
};

}  // namespace heatfront
