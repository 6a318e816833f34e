// SPDX-License-Identifier: MIT
// The processes that share one computation, each with some of its rows: how many there are, and sums and maxima over
// all of them, with the same bits on every one.
//
// A call is collective: every rank makes it, in the same order and with as many numbers, from one thread. Whoever decides
// by these numbers (when to stop, how long a step is) therefore decides alike everywhere.
#pragma once

#include <span>
#include <vector>

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

}  // namespace heatfront
