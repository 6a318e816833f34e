// SPDX-License-Identifier: MIT
// What a one-step method makes of an eigenvector of A with eigenvalue z: R(hz) times itself, where the truth
// is exp(hz) times itself. So the error after steps h_1 … h_n, t = Σ h_i, is known for every start: with
//
//     e(z) = Π_i R(h_i z) − exp(tz),      z in [lowest, 0]
//
//     free:     ‖error‖ ≤ max |e(z)| ‖start‖
//     clamped:  ‖error‖ ≤ hypot(max |e(z)|, √|lowest| max |e(z)|/√|z|) ‖start‖      (see chebyshev_series.h)
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace heatfront {

using StabilityFunction = std::function<double(double)>;  // R(z) − 1, which keeps its digits near z = 0

// R(z) = Σ r_j z^j with r_0 = 1.
StabilityFunction polynomial(std::span<const double> coefficients);

// The largest x with |R| ≤ 1 on [−x, 0], infinity where there is none.
double stable_interval(const StabilityFunction& r);

class Amplification {
 public:
  Amplification(StabilityFunction r, double lowest, double time);

  void take(double step, std::int64_t times = 1);

  // Of the steps taken so far, from samples of e and a hundredth more for what lies between them.
  double error_bound(bool clamped) const;

 private:
  StabilityFunction r_;
  std::vector<double> z_;
  std::vector<double> logs_;    // of |Π R|
  std::vector<char> negative_;  // is Π R below 0?
  double time_ = 0;
};

}  // namespace heatfront
