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

void Ranks::sum_reals(std::span<Real> values) const {
  constexpr std::size_t kGathered = 1 << 23;  // numbers of all ranks together: 64 MB
  if (count_ == 1) return;
  const std::size_t at_once = std::max<std::size_t>(1, kGathered / static_cast<std::size_t>(count_));
  std::vector<double> sums;
  for (std::size_t begin = 0; begin < values.size(); begin += at_once) {
    const auto some = values.subspan(begin, std::min(at_once, values.size() - begin));
    sums.assign(some.begin(), some.end());
    add_up(sums);
    std::ranges::transform(sums, some.begin(), [](double sum) { return static_cast<Real>(sum); });
  }
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

void agree(const Ranks& ranks, const std::string& problem) {
  const double longest = ranks.largest(static_cast<double>(problem.size()));
  if (longest == 0) return;
  const double first = -ranks.largest(problem.empty() ? -static_cast<double>(ranks.count())
                                                      : -static_cast<double>(ranks.rank()));
  // Letters as numbers: only the first one that failed adds any.
  std::vector<double> letters(static_cast<std::size_t>(longest));
  if (ranks.rank() == static_cast<int>(first))
    std::ranges::transform(problem, letters.begin(), [](char c) { return static_cast<unsigned char>(c); });
  ranks.sum(letters);
  std::string text;
  for (double letter : letters) text += static_cast<char>(static_cast<unsigned char>(letter));
  while (!text.empty() && text.back() == '\0') text.pop_back();
  throw AgreedError(text);
}

}  // namespace heatfront
