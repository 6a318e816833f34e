// SPDX-License-Identifier: MIT
// The step size of an adaptive method (Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I,
// II.4), with the constants of torchdiffeq, which the paper used. With err the estimate of a step's error,
//
//     ratio = RMS of err / (atol + rtol max(|u|, |u'|))  over all entries, atol = rtol/10
//
// A step is taken if ratio ≤ 1; the next one is 0.9 ratio^(−1/order) times as long, within [0.2, 10].
// Entries are weighed as the user sees them, not in the operator's coordinates.
#pragma once

#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/solve/operator.h"

namespace heatfront {

class StepControl {
 public:
  StepControl(double tolerance, int order) : rtol_(tolerance), atol_(tolerance / 10), order_(order) {}

  // u and u' are the states before and after the step.
  double error_ratio(const Operator& a, ConstMatrixView error, ConstMatrixView before,
                     ConstMatrixView after) const;

  double next_step(double step, double ratio) const;

  // From the slope A u and A A u, the change of the slope along it, which is `unit` times `curvature`.
  double first_step(const Operator& a, ConstMatrixView state, ConstMatrixView slope,
                    ConstMatrixView curvature, double unit) const;

 private:
  double rtol_;
  double atol_;
  int order_;
};

}  // namespace heatfront
