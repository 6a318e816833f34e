// SPDX-License-Identifier: MIT
// The seam between solvers and what they solve: du/dt = A u for any linear A on states of n rows and C
// columns.
//
// A clamped row of A is zero, so the state there never changes: with F the free rows, A = F·L. Most operators are
// self-adjoint: L is symmetric in a metric, ⟨x, y⟩ = Σ_u m_u x_u y_u, with eigenvalues in [lowest(), 0]. States are
// padded: row u of every matrix begins at a multiple of `stride`, and the padding stays zero.
//
// The rows may be shared out among several processes, each with an operator for its own. Rows, spans and states
// then are those of this rank; bounds, clamps() and all yes or no answers are about the whole of A; and apply(),
// apply_adjoint() and add_gradient() are collective calls, as those of ranks() are: an operator brings the rows that it needs from
// other ranks itself. A solver adds up over rows by inner_products() or ranks(), and asks nothing of a single rank
// that decides what it does next.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/ranks.h"
#include "heatfront/base/types.h"

namespace heatfront {

// y ← α A x + β x + γ y, then sum ← sum + δ y. One pass over A; x and y must not overlap.
struct Step {
  double alpha = 1;
  double beta = 0;
  double gamma = 0;
  double delta = 0;
};

// ∂L/∂A where A has entries, in the operator's own layout, added to by add_gradient().
struct OperatorGradient {
  std::vector<Real> entries;
  std::vector<Real> diagonal;
};

class Operator {
 public:
  virtual ~Operator() = default;

  virtual std::int64_t rows() const = 0;
  virtual double lowest() const = 0;      // ≤ every eigenvalue of L; the highest is at most 0
  virtual bool self_adjoint() const = 0;  // is L symmetric in metric()?
  virtual bool clamps() const = 0;        // are there clamped rows, on any rank?
  virtual std::span<const std::uint8_t> clamped() const = 0;  // of every row: is it? empty: none is
  virtual std::span<const Real> outflow()
      const = 0;  // −diagonal of L, ≥ 0: how fast a row gives its heat away
  virtual Threads& threads() const = 0;
  virtual const Ranks& ranks() const { return Ranks::alone(); }

  // Roundings that a number goes through, at most, on its way into the sum of a row.
  virtual double sum_roundings() const = 0;

  // The user sees row u times row_scale()[u]; empty: as it is.
  virtual std::span<const Real> row_scale() const { return {}; }

  // What apply() and add_gradient() make when they are first called, made now: from then on they may run side by side.
  virtual void prepare_products() const {}

  // `sum` may be an empty view when δ = 0.
  virtual void apply(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const = 0;

  // The same with the adjoint of A in the metric, L·F: clamped rows of x are not read, all rows are written.
  virtual void apply_adjoint(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const = 0;

  virtual std::span<const Real> metric() const = 0;  // m; empty: all 1

  // ∂L/∂A += scale · M a xᵀ on the free rows: a is the adjoint state (in the metric), x the state that A was
  // applied to.
  virtual void add_gradient(double scale, ConstMatrixView a, ConstMatrixView x,
                            OperatorGradient& gradient) const = 0;

 protected:
  Operator() = default;
  Operator(const Operator&) = default;
  Operator& operator=(const Operator&) = default;
};

// each(u) for the clamped rows, in ascending order.
template <class Each>
void for_clamped_rows(const Operator& a, const Each& each) {
  const std::span<const std::uint8_t> clamped = a.clamped();
  for (std::size_t u = 0; u < clamped.size(); ++u) {
    if (clamped[u] != 0) each(static_cast<std::int64_t>(u));
  }
}

// ⟨x_c, y_c⟩ of every column over all ranks, the same bits for any number of threads.
void inner_products(const Operator& a, ConstMatrixView x, ConstMatrixView y, std::span<double> products);

// ‖x_c‖ of every column, in the operator's metric.
std::vector<double> column_norms(const Operator& a, ConstMatrixView x);

// How large an entry, as the user sees it, can be in a column of norm 1.
double largest_entry(const Operator& a);

// The largest |diagonal| of L.
double fastest_outflow(const Operator& a);

// The worst column's norm relative to its scale; columns of scale 0 do not count. What is no number is infinite.
double worst_ratio(std::span<const double> norms, std::span<const double> scales);

// 1/diagonal of σ − αA, for every row; 0 where that is no number.
std::vector<Real> inverse_diagonal(const Operator& a, double sigma, double alpha);

void clear_clamped_rows(const Operator& a, MatrixView x);

}  // namespace heatfront
