// SPDX-License-Identifier: MIT
#include "heatfront/base/ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heatfront {
namespace {

class OneRank final : public Ranks {
 public:
  OneRank() : Ranks(0, 1) {}

 private:
  void gather(std::span<const double> own, std::span<double> all) const override {
    std::ranges::copy(own, all.begin());
  }
};

}  // namespace

const Ranks& Ranks::alone() {
  static const OneRank kAlone;
  return kAlone;
}

std::vector<double> Ranks::gathered(std::span<const double> values) const {
  std::vector<double> all(static_cast<std::size_t>(count_) * values.size());
  gather(values, all);
  return all;
}

void Ranks::add_up(std::span<double> values) const {
  const std::vector<double> all = gathered(values);
  std::ranges::fill(values, 0.0);
  for (std::size_t i = 0; i < all.size(); ++i) values[i % values.size()] += all[i];
}

void Ranks::largest(std::span<double> values) const {
  for (double& value : values) {
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
  }
  if (count_ == 1) return;
  const std::vector<double> all = gathered(values);
  for (std::size_t i = 0; i < all.size(); ++i)
    values[i % values.size()] = std::max(values[i % values.size()], all[i]);
}

}  // namespace heatfront
