// SPDX-License-Identifier: MIT
#include "heatfront/solve/chebyshev.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/solve/certificate.h"
#include "heatfront/solve/chebyshev_series.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

double half_width(const Operator& a) { return ChebyshevRecurrence::half_width(a); }

// What is rounded in T_j comes into the state by Σ_k c_k U_{k−j−1}, in all Σ c_k k²/2 = τ/2 times: of 2X, which is rounded
// 2/h times as much as A, so once for all of the time. The terms go up and down, and so do the roundings of their sum.
Roundings roundings_of(std::int64_t degree) {
  constexpr double kOfFactors = 2;
  return {.products = 1, .additions = degree == 0 ? 0 : std::sqrt(static_cast<double>(degree)) + kOfFactors};
}

// The cut whose error stays below the tolerance together with rounding, where there is room for both; where rounding alone is more, further
// terms would not be seen.
ChebyshevCut choose_cut(const Operator& a, double time, double tolerance) {
  const double tau = a.lowest() < 0 ? half_width(a) * time : 0;  // nothing flows: any series will do
  const ChebyshevCut cut = cut_series(tau, tolerance, a.clamps());
  const double rounding = rounding_error(a, time, roundings_of(cut.degree()));
  return rounding < tolerance ? cut_series(tau, std::max(tolerance - rounding, tolerance / 4), a.clamps())
                              : cut;
}

// Columns whose polynomials are made together: a row of them fits the registers of a product, and the states stay in a cache.
constexpr std::int64_t kColumnsTogether = 40;

constexpr std::int64_t kBlocksAtOnce = 16;  // side by side, so that their memory can be foretold

// body(first, count) for blocks of the columns of a state, side by side; none where ranks have to wait for each other, or for so
// few columns that rows are shared out instead.
template <class Body>
bool for_blocks_of_columns(const Operator& a, std::int64_t columns, const Body& body) {
  if (Chebyshev::columns_beside(columns) == 0 || a.ranks().count() > 1) return false;
  a.prepare_products();
  const std::int64_t blocks = (columns + kColumnsTogether - 1) / kColumnsTogether;
  a.threads().for_blocks(std::min(blocks, kBlocksAtOnce), 1, [&](std::int64_t lane, std::int64_t) {
    for (std::int64_t i = lane; i < blocks; i += kBlocksAtOnce) {
      const std::int64_t first = i * kColumnsTogether;
      body(first, std::min(kColumnsTogether, columns - first));
    }
  });
  return true;
}

void copy_block(ConstMatrixView from, std::int64_t from_column, MatrixView to, std::int64_t to_column,
                std::int64_t count) {
  for (std::int64_t u = 0; u < from.rows; ++u)
    std::copy_n(from.data + u * from.stride + from_column, count, to.data + u * to.stride + to_column);
}

// states[i] ← Σ_k c_ik T_k u.
void sum_series(const Operator& a, std::span<const ChebyshevCut> cuts, ConstMatrixView start,
                std::span<const MatrixView> states, ChebyshevRecurrence& recurrence) {
  constexpr std::int64_t kNumbersTogether = 1 << 15;
  const std::int64_t rows =
      std::max<std::int64_t>(1, kNumbersTogether / std::max<std::int64_t>(1, start.stride));
  const auto longest = std::ranges::max_element(cuts, {}, &ChebyshevCut::degree);
  recurrence.visit(a, longest->degree(), start, [&](std::int64_t k, ConstMatrixView t_k) {
    a.threads().for_blocks(t_k.rows, rows, [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t i = 0; i < cuts.size(); ++i) {
        if (k <= cuts[i].degree())
          add_scaled(cuts[i].coefficients[static_cast<std::size_t>(k)], t_k.rows_between(begin, end),
                     states[i].rows_between(begin, end), a.threads());
      }
    });
  });
}

// Each column of the state by the series of its own.
void sum_column_series(const Operator& a, std::span<const ChebyshevCut> cuts,
                       std::span<const std::size_t> cut_of, MatrixView state,
                       ChebyshevRecurrence& recurrence) {
  std::int64_t degree = 0;
  for (std::size_t which : cut_of) degree = std::max(degree, cuts[which].degree());
  std::vector<double> factors(cut_of.size());
  recurrence.visit(a, degree, state, [&](std::int64_t k, ConstMatrixView t_k) {
    for (std::size_t c = 0; c < factors.size(); ++c) {
      const ChebyshevCut& cut = cuts[cut_of[c]];
      factors[c] = k <= cut.degree() ? cut.coefficients[static_cast<std::size_t>(k)] : 0;
    }
    if (k == 0) {
      scale_columns(factors, state, a.threads());
    } else {
      add_scaled_columns(factors, t_k, state, a.threads());
    }
  });
}

}  // namespace

std::int64_t Chebyshev::columns_beside(std::int64_t columns) {
  return columns <= kColumnsTogether ? 0 : std::min(columns, kColumnsTogether * kBlocksAtOnce);
}

SolveReport Chebyshev::solve(const Operator& a, double time, MatrixView state, Trace* trace) {
  admit("chebyshev", a);
  const Stopwatch watch;
  const ChebyshevCut cut = choose_cut(a, time, tolerance_);
  std::optional<Certificate> certificate;
  if (certify_) certificate.emplace(a, state);
  Threads& threads = a.threads();
  if (trace != nullptr)
    trace->states.resize(trace->for_operator ? static_cast<std::size_t>(cut.degree()) : 0);
  const auto keep = [&](std::int64_t k, ConstMatrixView t_k) {
    if (trace == nullptr || k >= std::ssize(trace->states)) return;
    Matrix& kept = trace->states[static_cast<std::size_t>(k)];
    shape_like(kept, t_k);
    copy(t_k, kept, threads);
  };
  held_.clear();
  std::int64_t clamped = 0;
  for_clamped_rows(a, [&](std::int64_t) { ++clamped; });
  held_.reserve(at(clamped * state.cols));
  for_clamped_rows(a, [&](std::int64_t u) {
    const std::span<const Real> row = state.row(u);
    held_.insert(held_.end(), row.begin(), row.end());
  });
  recurrence_.sum(a, cut.coefficients, state, keep);
  auto held = held_.cbegin();  // Σ c_k = 1 holds up to rounding; clamped rows are exact
  for_clamped_rows(a, [&](std::int64_t u) {
    std::copy_n(held, state.cols, state.row(u).begin());
    held += state.cols;
  });
  SolveReport report{.products = cut.degree(), .steps = 1, .reached = cut.error_bound <= tolerance_};
  if (certificate) certificate->certify(time, cut.error_bound, roundings_of(cut.degree()), state, report);
  report.seconds = watch.seconds();
  return report;
}

std::vector<SolveReport> Chebyshev::solve_many(const Operator& a, std::span<const double> times,
                                               ConstMatrixView start, std::span<const MatrixView> states) {
  admit("chebyshev", a);
  assert(times.size() == states.size() && !times.empty());
  std::vector<ChebyshevCut> cuts;
  for (double time : times) cuts.push_back(choose_cut(a, time, tolerance_));
  const bool wide = for_blocks_of_columns(a, start.cols, [&](std::int64_t first, std::int64_t count) {
    Matrix begin = padded_matrix(start.rows, count);
    copy_block(start, first, begin, 0, count);
    std::vector<Matrix> sums(states.size(), padded_matrix(start.rows, count));
    const std::vector<MatrixView> views(sums.begin(), sums.end());
    ChebyshevRecurrence own;
    sum_series(a, cuts, begin, views, own);
    for (std::size_t i = 0; i < sums.size(); ++i) copy_block(sums[i], 0, states[i], first, count);
  });
  if (!wide) sum_series(a, cuts, start, states, recurrence_);
  for_clamped_rows(a, [&](std::int64_t u) {
    for (const MatrixView& state : states) std::ranges::copy(start.row(u), state.row(u).begin());
  });
  std::optional<Certificate> certificate;
  if (certify_) certificate.emplace(a, start);
  std::vector<SolveReport> reports;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    SolveReport& report = reports.emplace_back(
        SolveReport{.products = cuts[i].degree(), .steps = 1, .reached = cuts[i].error_bound <= tolerance_});
    if (certificate)
      certificate->certify(times[i], cuts[i].error_bound, roundings_of(cuts[i].degree()), states[i], report);
  }
  return reports;
}

SolveReport Chebyshev::solve_columns(const Operator& a, std::span<const double> times, MatrixView state) {
  admit("chebyshev", a);
  assert(std::ssize(times) == state.cols && !a.clamps());
  const Stopwatch watch;
  std::vector<double> distinct;
  std::vector<ChebyshevCut> cuts;
  std::vector<std::size_t> cut_of;  // by column
  SolveReport report{.steps = 1};
  for (double time : times) {
    const auto found = std::ranges::find(distinct, time) - distinct.begin();
    cut_of.push_back(at(found));
    if (found < std::ssize(distinct)) continue;
    distinct.push_back(time);
    cuts.push_back(choose_cut(a, time, tolerance_));
    report.products = std::max(report.products, cuts.back().degree());
    report.reached = report.reached && cuts.back().error_bound <= tolerance_;
  }
  const bool wide = for_blocks_of_columns(a, state.cols, [&](std::int64_t first, std::int64_t count) {
    Matrix block = padded_matrix(state.rows, count);
    copy_block(state, first, block, 0, count);
    ChebyshevRecurrence own;
    sum_column_series(a, cuts, std::span(cut_of).subspan(at(first), at(count)), block, own);
    copy_block(block, 0, state, first, count);
  });
  if (!wide) sum_column_series(a, cuts, cut_of, state, recurrence_);
  report.seconds = watch.seconds();
  return report;
}

SolveReport Chebyshev::backward(const Operator& a, double time, const Trace& trace, MatrixView adjoint,
                                OperatorGradient* gradient) {
  admit("chebyshev", a);
  if (gradient == nullptr && !a.clamps()) return solve(a, time, adjoint, nullptr);  // A is its own adjoint
  const Stopwatch watch;
  const double h = half_width(a);
  const ChebyshevCut cut = choose_cut(a, time, tolerance_);
  assert(gradient == nullptr || std::ssize(trace.states) == cut.degree());
  const auto add_source = [&](std::int64_t k, MatrixView a_k) {
    add_scaled(cut.coefficients[static_cast<std::size_t>(k)], adjoint, a_k, a.threads());
  };
  const auto use = [&](std::int64_t k, ConstMatrixView a_next) {  // ∂X/∂A = 1/h
    if (gradient == nullptr) return;
    a.add_gradient((k == 0 ? 1 : 2) / h, a_next, trace.states[static_cast<std::size_t>(k)], *gradient);
  };
  copy(recurrence_.backward(a, cut.degree(), adjoint, add_source, use), adjoint, a.threads());
  return {.products = cut.degree(),
          .steps = 1,
          .reached = cut.error_bound <= tolerance_,
          .seconds = watch.seconds()};
}

}  // namespace heatfront
