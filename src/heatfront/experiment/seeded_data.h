// SPDX-License-Identifier: MIT
// A data set with the split of one seed after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "heatfront/data/choose_split.h"
#include "heatfront/data/dataset.h"

namespace heatfront {

class SeededData {
 public:
  // The data set is lent; `split` as choose_split() takes it.
  SeededData(const Dataset& dataset, std::string split) : dataset_(&dataset), split_(std::move(split)) {}

  // The data set itself where every seed has its own split, else one copy, which changes its split. Lent until the next
  // call.
  const Dataset& at_seed(std::uint32_t seed) {
    if (dataset_->split && (split_.empty() || split_ == "file")) return *dataset_;
    if (!copy_) copy_ = *dataset_;
    copy_->split = choose_split(*dataset_, split_, seed);
    return *copy_;
  }

 private:
  const Dataset* dataset_;
  std::string split_;
  std::optional<Dataset> copy_;
};

}  // namespace heatfront
