// SPDX-License-Identifier: MIT
// Dropout on what a network sees, new in every step. Of sparse rows the stored entries are drawn, by their number;
// others are zero anyway.
#pragma once

#include <cstdint>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/nn/dropout.h"
#include "heatfront/nn/network_input.h"

namespace heatfront {

class InputDropout {
 public:
  // The input is lent and must outlive this. A share of 0 drops nothing.
  InputDropout(const NetworkInput& input, double share);

  InputDropout(const InputDropout&) = delete;  // drawn() looks into this one
  InputDropout& operator=(const InputDropout&) = delete;

  // What is left; lent until the next call, and to be had again as drawn().
  const InputView& draw(const Random& random, Threads& threads);
  const InputView& drawn() const { return drawn_; }

 private:
  void draw_entries(const Random& random, Threads& threads);

  const NetworkInput& input_;
  Dropout dropout_;
  bool drops_;
  InputView drawn_;
  Matrix dense_;
  std::vector<Real> values_, transposed_values_;
  std::vector<std::int32_t> entries_;  // entry i of the transpose is this one of the input
};

}  // namespace heatfront
