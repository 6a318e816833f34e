// SPDX-License-Identifier: MIT
// A data set with the split of one seed after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "heatfront/data/dataset.h"
#include "heatfront_io/formats/choose_split.h"

namespace heatfront {

class SeededData {
 public:
  // The data set is lent; `split` as choose_split() takes it.
  SeededData(const Dataset& dataset, std::string split) : dataset_(&dataset), split_(std::move(split)) {}

  // The data set itself where every seed has its own split, else one copy, which changes its split. Lent until the next
  // call.
  const Dataset& at_seed(std::uint32_t seed) {
    if (dataset_->split && (split_.empty() || split_ == "file")) return *dataset_;
    return copy_with(choose_split(*dataset_, split_, seed));
  }

  // The same with the test nodes withheld; always a copy.
  const Dataset& at_seed_without_test(std::uint32_t seed) {
    return copy_with(without_test(choose_split(*dataset_, split_, seed)));
  }

 private:
  const Dataset& copy_with(Split split) {
    if (!copy_) copy_ = *dataset_;
    copy_->split = std::move(split);
    return *copy_;
  }

  const Dataset* dataset_;
  std::string split_;
  std::optional<Dataset> copy_;
};

}  // namespace heatfront
