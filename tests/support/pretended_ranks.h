// SPDX-License-Identifier: MIT
// Ranks that are threads of this process: they post what they have in shared memory, meet at a barrier, read what others have
// posted, and meet again. Where one fails, leaves early, or does something else than the others, all get an exception and
// nobody waits forever.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/ranks.h"
#include "heatfront/graph/halo.h"

namespace heatfront::test {

// Thrown at a barrier that not all can reach any more.
struct RanksParted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class BreakableBarrier {
 public:
  explicit BreakableBarrier(int count) : count_(count) {}

  void wait();
  void leave();  // for good: who waits from now on waits in vain

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_;
  int waiting_ = 0;
  std::int64_t meetings_ = 0;
  bool broken_ = false;
};

// What the ranks of one computation share.
class Meeting {
 public:
  explicit Meeting(int count) : posts_(static_cast<std::size_t>(count)), barrier_(count) {}

  int count() const { return static_cast<int>(posts_.size()); }
  void leave() { barrier_.leave(); }

  // Every rank posts its numbers, or its rows; then each reads what it needs of the others: read(rank, numbers or rows).
  template <class Read>
  void exchange_numbers(int rank, std::span<const double> own, const Read& read) {
    exchange(rank, {.numbers = own, .rows = {}, .columns = -1},
             [&](int other, const Post& post) { read(other, post.numbers); });
  }
  template <class Read>
  void exchange_rows(int rank, ConstMatrixView own, const Read& read) {
    exchange(rank, {.numbers = {}, .rows = own, .columns = own.cols},
             [&](int other, const Post& post) { read(other, post.rows); });
  }
  // The same of rows of so many bytes.
  template <class Read>
  void exchange_bytes(int rank, std::span<const std::byte> own, std::int64_t bytes, const Read& read) {
    exchange(rank, {.numbers = {}, .rows = {}, .columns = -1 - bytes, .bytes = own},
             [&](int other, const Post& post) { read(other, post.bytes); });
  }

 private:
  struct Post {
    std::span<const double> numbers;
    ConstMatrixView rows;
    std::int64_t columns;  // −1: numbers are posted; below: rows of so many bytes less one
    std::span<const std::byte> bytes = {};
  };

  template <class Read>
  void exchange(int rank, const Post& own, const Read& read) {
    posts_[static_cast<std::size_t>(rank)] = own;
    barrier_.wait();
    // All see the same posts, so that all go on or none: what is posted is read while its owner waits.
    for (const Post& post : posts_) {
      if (post.columns != own.columns || post.numbers.size() != own.numbers.size())
        throw RanksParted("ranks have met for different things");
    }
    for (int other = 0; other < count(); ++other) read(other, posts_[static_cast<std::size_t>(other)]);
    barrier_.wait();
  }

  std::vector<Post> posts_;
  BreakableBarrier barrier_;
};

class PretendedRanks : public Ranks {
 public:
  PretendedRanks(int rank, Meeting& meeting) : Ranks(rank, meeting.count()), meeting_(meeting) {}

 private:
  void gather(std::span<const double> own, std::span<double> all) const override;

  Meeting& meeting_;
};

// What can be wrong with a cluster, so that tests can see that it matters.
struct ClusterFault {
  bool sums_alone = false;         // ranks() says that there are no others
  bool keeps_ghosts_cold = false;  // rows of other ranks never come
};

class PretendedCluster final : public Cluster {
 public:
  PretendedCluster(int rank, Meeting& meeting, const ClusterFault& fault = {})
      : ranks_(rank, meeting), own_sums_(rank, meeting.count()), meeting_(meeting), fault_(fault) {}

  const Ranks& ranks() const override {
    return fault_.sums_alone ? static_cast<const Ranks&>(own_sums_) : ranks_;
  }
  std::unique_ptr<Halo> halo(std::int64_t own_rows, std::span<const RemoteRow> ghosts) const override;

  void set_fault(const ClusterFault& fault) { fault_ = fault; }

 private:
  class OwnSums final : public Ranks {
   public:
    OwnSums(int rank, int count) : Ranks(rank, count) {}

   private:
    void gather(std::span<const double> own, std::span<double> all) const override {
      std::ranges::fill(all, 0.0);
      std::ranges::copy(own, all.begin() + rank() * std::ssize(own));
    }
  };

  PretendedRanks ranks_;
  OwnSums own_sums_;
  Meeting& meeting_;
  ClusterFault fault_;
};

// body(rank, meeting) on `count` threads at once. If ranks throw, the first exception that is not of a broken barrier is
// thrown here.
template <class Body>
void run_on_ranks(int count, const Body& body) {
  Meeting meeting(count);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count)), partings(failures.size());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      const auto i = static_cast<std::size_t>(rank);
      try {
        body(rank, meeting);
      } catch (const RanksParted&) {
        partings[i] = std::current_exception();
      } catch (...) {
        failures[i] = std::current_exception();
      }
      meeting.leave();
    });
  }
  for (std::thread& thread : threads) thread.join();
  failures.insert(failures.end(), partings.begin(), partings.end());
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace heatfront::test
