// SPDX-License-Identifier: MIT
// Is one list of results better than another, both by the same runs?
//
//     d_i = a_i − b_i,     mean(d) ± t · s · √(1/n + r),     s the deviation of d, t Student's quantile
//
// r is 0 where runs differ in the seed of training alone. Splits that are drawn from the same nodes, and folds, share training nodes, so
// that their results are alike by more than the models' doing: there r is the number of test nodes over that of training nodes,
// and the variance of the mean s² (1/n + n_test/n_train) (Nadeau and Bengio, "Inference for the generalization error", 2003).
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

// Mean and deviation of what runs came to.
// The deviation is that of a sample, √(Σ(x−mean)²/(n−1)); 0 for one value.
struct Spread {
  double mean = 0, deviation = 0;
};
Spread spread_of(std::span<const double> values);

}  // namespace heatfront
