// SPDX-License-Identifier: MIT
// What rounding makes of a flow, and so how far its answer can be from the truth. With ε half the machine epsilon, β the
// largest |diagonal| of A, g the roundings that a number goes through on its way into the sum of a row:
//
//     rounding ≤ G (e^{ε r} − 1),   r = 5/2 |lowest| t + p √(g + 5) β t + q + 4
//
// √: a product rounds up and down. 5/2: the entries of A and what a step makes of them, each rounded, the same for all of the flow: another A. p: what the
// products round, each time; a solver says how much of that stays. q: its additions to the state. 4: into the operator's
// coordinates and back, where it has such. G: how large the state is on the way, relative to the start. A free flow
// enlarges nothing. In a clamped one heat comes in through the clamped rows c, and with f the free ones
//
//     ‖u_f(s)‖ ≤ ‖u_f(0)‖ + 0.64 √(|lowest| t) ‖u_c‖,      ‖u_f(s)‖ ≤ 2 ‖u_f(0)‖ + ‖u_f(t)‖      for s ≤ t
//
// the second because what comes in only grows. docs/method.md has the argument.
#pragma once

#include <limits>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/solve/operator.h"
#include "heatfront/solve/solver.h"

namespace heatfront {

// What a solver's way of computing costs.
struct Roundings {
  double products = 1;   // p
  double additions = 0;  // q
};

inline constexpr double kHalfUnit = static_cast<double>(std::numeric_limits<Real>::epsilon()) / 2;

// Of A x, relative to x.
double product_rounding(const Operator& a);

// Of a state that stays as large as it is.
double rounding_error(const Operator& a, double time, const Roundings& roundings);

class Certificate {
 public:
  Certificate(const Operator& a, ConstMatrixView start);

  // Writes into the report what ‖answer − truth‖ / ‖start‖ is at most: of every column, whatever columns are beside it, and of the
  // worst. Never more than both of them are large.
  void certify(double time, double truncation, const Roundings& roundings, ConstMatrixView answer,
               SolveReport& report) const;

 private:
  const Operator& a_;
  std::vector<double> start_, clamped_;  // norms of the columns, and of their clamped rows
};

// The report of a flow that takes no time, where only coordinates are entered and left.
SolveReport unmoved(const Operator& a, ConstMatrixView state);

}  // namespace heatfront
