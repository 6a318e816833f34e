// SPDX-License-Identifier: MIT
// The state at rest by conjugate gradients in double precision, column by column, with a proof of how far off it is. With
// (B x)_u = Σ_v w_uv (x_u − x_v), always added up from differences, and d_u = Σ_v w_uv:
//
//     B v ≥ d / 2   ⇒   |x − truth| ≤ 2 max(v) max_u |r_u| / d_u,    r the residual of x
//
// because B⁻¹ ≥ 0 in every entry. v, about the steps of a random walk to a known node, is solved for in the same way, and
// that it fulfils its inequality is checked.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/flow/harmonic_system.h"

namespace heatfront {

class DoubleExtension {
 public:
  DoubleExtension(const HarmonicSystem& system, Threads& threads);

  // 2 max(v): how much larger errors can be than how far nodes are from the mean of their neighbours. Infinite: not
  // found out.
  double amplification() const { return amplification_; }

  struct Report {
    double error = 0;  // of an entry is at most this, but for the rounding to Real; infinite: not known
    double move = 0;   // how far a node is from the mean of its neighbours, at most
    std::int64_t products = 0;
  };

  // Writes the free rows of `state`, if possible with errors of at most `tolerance`.
  Report solve(double tolerance, MatrixView state) const;

 private:
  // Improves x until nodes are no further than `target` from where they belong: d_u · source + Σ w_uv (x_v − x_u) = 0.
  // Returns how far they are.
  double settle(double source, double target, std::vector<double>& x, std::int64_t& products) const;
  double find_residual(double source, const std::vector<double>& x, std::vector<double>& residual) const;
  double apply(const std::vector<double>& p, std::vector<double>& image) const;

  const HarmonicSystem& system_;
  Threads& threads_;
  std::int64_t rows_at_once_;
  std::vector<double> degrees_;  // 0: not free
  double amplification_ = std::numeric_limits<double>::infinity();
};

}  // namespace heatfront
