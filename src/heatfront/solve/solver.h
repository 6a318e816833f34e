// SPDX-License-Identifier: MIT
// Solvers of du/dt = A u from 0 to t, and of A u = 0, behind one interface and in one table.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/solve/operator.h"

namespace heatfront {

struct SolveOptions {
  double tolerance =
      1e-6;         // error (time solvers) or residual (steady state), relative to the norm of the start
  double step = 0;  // of the solvers with fixed steps; 0: chosen from stability and tolerance
  std::int64_t witnesses =
      0;  // of the steady state: the last columns that are solved along with others and not waited for
  bool certify =
      true;  // false, where nobody asks how far the answer can be from the truth: chebyshev then leaves out the
             // passes over start and answer that a bound takes
};

OptionFields fields(SolveOptions& options);  // those that a user chooses

// What an answer is worth. Norms are the operator's, over each column; the worst column counts.
struct SolveReport {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  std::int64_t products = 0;  // of A with a state
  std::int64_t steps = 0;     // accepted
  std::int64_t rejected = 0;  // steps tried and taken back
  double error_bound = kNone;  // ‖answer − truth‖ / ‖start‖ is at most this; kNone: the solver cannot promise
  std::vector<double> column_bounds;  // the same of every column, where there is a bound
  double error_estimate =
      kNone;  // where there is no bound: what it probably is at most; of a harmonic extension that of
              // an entry, as it is
  double residual = kNone;  // of the steady state: ‖A u‖ / ‖A g‖, with g the clamped rows and zeros elsewhere
  double least_residual = kNone;  // about what rounding the exact answer would leave of it
  double largest_move =
      kNone;            // of the steady state: how far a row is from the mean of its neighbours, at most
  bool reached = true;  // what the solver steers by (bound, residual, local error) came below the tolerance
  double seconds = 0;
};

// What solve() leaves for backward(): a state for every step (chebyshev: every product).
struct Trace {
  std::vector<Matrix> states;
  std::vector<double> steps;
  bool for_operator = true;  // will backward() be asked for ∂L/∂A?
};

class TimeSolver {
 public:
  virtual ~TimeSolver() = default;

  // state: u(0) → u(t). With a trace, backward() can follow.
  virtual SolveReport solve(const Operator& a, double time, MatrixView state, Trace* trace) = 0;

  // Exact for what solve() computed. In the operator's metric: adjoint: ∂L/∂u(t) → ∂L/∂u(0); ∂L/∂A is added
  // to `gradient` unless that is null.
  virtual SolveReport backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                               OperatorGradient* gradient) = 0;

 protected:
  TimeSolver() = default;
  TimeSolver(const TimeSolver&) = default;
  TimeSolver& operator=(const TimeSolver&) = default;
};

// state: any start with the clamped rows set → A u = 0 on the free rows that a clamped row can reach.
class SteadySolver {
 public:
  virtual ~SteadySolver() = default;
  virtual SolveReport solve(const Operator& a, MatrixView state) = 0;

 protected:
  SteadySolver() = default;
  SteadySolver(const SteadySolver&) = default;
  SteadySolver& operator=(const SteadySolver&) = default;
};

}  // namespace heatfront
