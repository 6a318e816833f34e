// SPDX-License-Identifier: MIT
// Is one list of results better than another, both by the same runs?
//
//     d_i = a_i − b_i,     mean(d) ± t · s · √(1/n + r),     s the deviation of d, t Student's quantile
//
// r is 0 where the runs are drawn independently of each other. Folds are not: what tests in one trains in others. There
// r is the number of test nodes over that of training nodes (Nadeau and Bengio, "Inference for the generalization error",
// 2003).
#pragma once

#include <span>

namespace heatfront {

struct PairedDifference {
  double mean = 0;
  double low = 0, high = 0;  // of the interval; infinite for one run
  double deviation = 0;

  bool tells() const { return low > 0 || high < 0; }  // is one of them better?
};

PairedDifference paired_difference(std::span<const double> a, std::span<const double> b, double confidence,
                                   double dependence = 0);

// x with P(|T| ≤ x) = confidence, for Student's T of so many degrees of freedom, 1 or more.
double student_quantile(double confidence, int freedom);

}  // namespace heatfront
