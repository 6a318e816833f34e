// SPDX-License-Identifier: MIT
// The processes that share one computation, each with some of its rows: how many there are, and sums and maxima over
// all of them, with the same bits on every one.
//
// A call is collective: every rank makes it, in the same order and with as many numbers, from one thread. Whoever decides
// by these numbers (when to stop, how long a step is) therefore decides alike everywhere.
#pragma once

#include <new>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/error.h"
#include "heatfront/base/types.h"

namespace heatfront {

class Ranks {
 public:
  static const Ranks& alone();  // one rank: sums and maxima are what they are given

  virtual ~Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }  // 0 … count() − 1
  int count() const { return count_; }

  // values ← their sums, each added in the order of the ranks.
  void sum(std::span<double> values) const {
    if (count_ > 1) add_up(values);
  }
  double sum(double value) const {
    sum({&value, 1});
    return value;
  }

  // The same of numbers as models have them, added in double precision, a stretch of them at a time.
  void sum_reals(std::span<Real> values) const;

  // values ← the largest of each. What is no number is infinite, alone as well.
  void largest(std::span<double> values) const;
  double largest(double value) const {
    largest({&value, 1});
    return value;
  }

 protected:
  Ranks(int rank, int count) : rank_(rank), count_(count) {}

  // all ← the values of rank 0, then those of rank 1, and so on.
  virtual void gather(std::span<const double> own, std::span<double> all) const = 0;

 private:
  std::vector<double> gathered(std::span<const double> values) const;
  void add_up(std::span<double> values) const;

  int rank_;
  int count_;
};

// Work that can fail on one rank alone, as reading its own files can: where it does, all ranks fail, with one message. Without
// that the others would wait for it forever. The work itself makes no collective call. The Error is thrown on all ranks alike.
class AgreedError : public Error {
 public:
  using Error::Error;
};

// Collective: AgreedError with the first problem in the order of the ranks, unless all of them are empty.
void agree(const Ranks& ranks, const std::string& problem);

template <class Work>
void agreed(const Ranks& ranks, const Work& work) {
  if (ranks.count() == 1) return work();
  std::string problem;
  try {
    work();
  } catch (const std::bad_alloc&) {
    problem = "not enough memory on rank " + std::to_string(ranks.rank());
  } catch (const std::exception& error) {
    problem = error.what();
  }
  agree(ranks, problem);
}

}  // namespace heatfront
