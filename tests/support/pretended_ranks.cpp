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

namespace {

class PretendedHalo final : public Halo {
 public:
  PretendedHalo(int rank, Meeting& meeting, std::span<const RemoteRow> ghosts, const ClusterFault& fault)
      : rank_(rank), meeting_(meeting), ghosts_(ghosts.begin(), ghosts.end()), fault_(fault) {}

  void begin(std::span<const std::byte> own, std::span<std::byte> ghosts, std::int64_t bytes) override {
    own_ = own;
    to_ = ghosts;
    bytes_ = bytes;
  }
  void end() override {
    meeting_.exchange_bytes(rank_, own_, bytes_, [&](int owner, std::span<const std::byte> theirs) {
      for (std::size_t i = 0; i < ghosts_.size(); ++i) {
        if (ghosts_[i].owner != owner || fault_.keeps_ghosts_cold) continue;
        std::ranges::copy(theirs.subspan(at(ghosts_[i].row * bytes_), at(bytes_)),
                          to_.begin() + static_cast<std::int64_t>(i) * bytes_);
      }
    });
  }

 private:
  int rank_;
  Meeting& meeting_;
  std::vector<RemoteRow> ghosts_;
  const ClusterFault& fault_;
  std::span<const std::byte> own_;
  std::span<std::byte> to_;
  std::int64_t bytes_ = 0;
};

}  // namespace

std::unique_ptr<Halo> PretendedCluster::halo(std::int64_t, std::span<const RemoteRow> ghosts) const {
  return std::make_unique<PretendedHalo>(ranks_.rank(), meeting_, ghosts, fault_);
}

}  // namespace heatfront::test
