// SPDX-License-Identifier: MIT
// Every solver of the table with an operator that is not symmetric in any metric: it is refused, or the answer is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/solve/solvers.h"
#include "support/error_text.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;

// Heat goes round and never back: row u takes from row u − 1, the first one from the last, A = P − I.
class OneWayRing : public Operator {
 public:
  OneWayRing(std::int64_t rows, bool holds_first)
      : outflow_(at(rows), 1), clamped_(holds_first ? at(rows) : 0) {
    if (holds_first) clamped_[0] = 1;
  }

  std::int64_t rows() const override { return std::ssize(outflow_); }
  double lowest() const override { return -2; }
  bool self_adjoint() const override { return false; }
  bool clamps() const override { return !clamped_.empty(); }
  std::span<const std::uint8_t> clamped() const override { return clamped_; }
  std::span<const Real> outflow() const override { return outflow_; }
  Threads& threads() const override { return threads_; }
  double sum_roundings() const override { return 1; }
  std::span<const Real> metric() const override { return {}; }
  void apply(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const override {
    step_with(matrix(), step, x, y, sum);
  }
  void apply_adjoint(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const override {
    step_with(transposed(matrix()), step, x, y, sum);
  }
  void add_gradient(double, ConstMatrixView, ConstMatrixView, OperatorGradient&) const override {}

  Dense matrix() const {
    const std::size_t n = outflow_.size();
    Dense a(n, n);
    for (std::size_t u = clamps() ? 1 : 0; u < n; ++u) {
      a(u, (u + n - 1) % n) = 1;
      a(u, u) = -1;
    }
    return a;
  }
  static Dense transposed(const Dense& a) {
    Dense result(a.cols, a.rows);
    for (std::size_t i = 0; i < a.rows; ++i) {
      for (std::size_t j = 0; j < a.cols; ++j) result(j, i) = a(i, j);
    }
    return result;
  }

 private:
  static void step_with(const Dense& a, const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) {
    const Dense image = product(a, test::dense_of(x));
    for (std::int64_t u = 0; u < x.rows; ++u) {
      for (std::int64_t c = 0; c < x.cols; ++c) {
        y(u, c) =
            static_cast<Real>(step.alpha * image(at(u), at(c)) + step.beta * static_cast<double>(x(u, c)) +
                              step.gamma * static_cast<double>(y(u, c)));
        if (sum.data != nullptr) sum(u, c) += static_cast<Real>(step.delta * static_cast<double>(y(u, c)));
      }
    }
  }

  mutable Threads threads_{1};
  std::vector<Real> outflow_;
  std::vector<std::uint8_t> clamped_;
};

constexpr std::int64_t kRing = 7;
constexpr double kRingTime = 2, kRingTolerance = 1e-4;

Matrix ring_state() {
  Matrix state = padded_matrix(kRing, 2);
  for (std::int64_t u = 0; u < kRing; ++u) {
    state(u, 0) = static_cast<Real>(u % 3);
    state(u, 1) = u == 0 ? Real(1) : Real(0);
  }
  return state;
}

class EverySolverOnAOneWayRing : public testing::TestWithParam<SolverEntry> {};

std::string name_on_ring(const testing::TestParamInfo<SolverEntry>& info) {
  std::string name(info.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Table, EverySolverOnAOneWayRing,
                         testing::ValuesIn(solvers().begin(), solvers().end()), name_on_ring);

TEST_P(EverySolverOnAOneWayRing, SaysThatItNeedsASymmetricOperatorOrIsRight) {
  const SolverEntry& entry = GetParam();
  const bool for_time = entry.for_time != nullptr;
  for (bool clamped : {false, true}) {
    if (!for_time && !clamped) continue;
    const OneWayRing ring(kRing, clamped);
    Matrix state = ring_state(), adjoint = ring_state();
    SolveReport report;
    const std::string error = test::error_text([&] {
      if (!for_time) {
        report = entry.for_steady_state({.tolerance = kRingTolerance})->solve(ring, state);
        return;
      }
      const auto solver = entry.for_time({.tolerance = kRingTolerance});
      Trace trace;
      report = solver->solve(ring, kRingTime, state, &trace);
      solver->backward(ring, kRingTime, trace, adjoint, nullptr);
    });
    if (entry.needs_self_adjoint) {
      EXPECT_EQ(error,
                "solver " + std::string(entry.name) +
                    " needs an operator that is symmetric in its metric, and this one is not; take one of: " +
                    (for_time ? "dopri5, bosh3" : "jacobi"));
      continue;
    }
    EXPECT_EQ(error, "");
    EXPECT_TRUE(report.reached);
    const Dense start = test::dense_of(ring_state());
    if (for_time) {
      const Dense flow = test::exponential(scaled(ring.matrix(), kRingTime));
      EXPECT_LT(largest_difference(test::dense_of(state), product(flow, start)), 10 * kRingTolerance);
      EXPECT_LT(largest_difference(test::dense_of(adjoint), product(OneWayRing::transposed(flow), start)),
                10 * kRingTolerance);
      EXPECT_TRUE(std::isnan(report.error_bound)) << "there is no proof without symmetry";
      EXPECT_FALSE(std::isnan(report.error_estimate));
    } else {
      for (std::int64_t u = 0; u < kRing; ++u) {
        for (std::int64_t c = 0; c < 2; ++c)
          EXPECT_NEAR(static_cast<double>(state(u, c)), start(0, at(c)), 10 * kRingTolerance);
      }
    }
  }
}

TEST(OneWayRing, IsRefusedBackwardsTooWhereTheAdjointIsTakenForTheSame) {
  const OneWayRing ring(kRing, false);
  Matrix adjoint = ring_state();
  EXPECT_NE(test::error_text(
                [&] { time_solver("chebyshev", {})->backward(ring, kRingTime, {}, adjoint, nullptr); }),
            "");
}

}  // namespace
}  // namespace heatfront
