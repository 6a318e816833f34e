// SPDX-License-Identifier: MIT
#include "support/pretended_ranks.h"

#include <algorithm>

namespace heatfront::test {

void BreakableBarrier::wait() {
  std::unique_lock lock(mutex_);
  const std::int64_t meeting = meetings_;
  if (!broken_ && ++waiting_ == count_) {
    waiting_ = 0;
    ++meetings_;
    changed_.notify_all();
    return;
  }
  changed_.wait(lock, [&] { return broken_ || meetings_ != meeting; });
  if (meetings_ == meeting) throw RanksParted("another rank has left");
}

void BreakableBarrier::leave() {
  const std::lock_guard lock(mutex_);
  broken_ = true;
  changed_.notify_all();
}

void PretendedRanks::gather(std::span<const double> own, std::span<double> all) const {
  meeting_.exchange_numbers(rank(), own, [&](int other, std::span<const double> numbers) {
    std::ranges::copy(numbers, all.begin() + other * std::ssize(own));
  });
}

}  // namespace heatfront::test
