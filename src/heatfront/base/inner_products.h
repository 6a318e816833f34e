// SPDX-License-Identifier: MIT
// Sums over the rows of states, one for each column, in double precision and with a weight for each row:
//
//     ⟨x_c, y_c⟩ = Σ_u m_u x_uc y_uc        (no weights: all 1)
//
// States are padded (padded_matrix). Rows are summed in blocks and the sums of the blocks in order, so the bits are the
// same for any number of threads, and for a column alone or in company.
#pragma once

#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"

namespace heatfront {

void inner_products(std::span<const Real> m, ConstMatrixView x, ConstMatrixView y, std::span<double> products,
                    Threads& threads);

// A step of conjugate gradients in one pass: x ← x + s p and r ← r − s q with a factor s_c for each column, then
// ⟨r_c, r_c⟩ and ⟨r_c, D r_c⟩ for the diagonal D.
struct Descent {
  std::span<const double> along;  // s
  ConstMatrixView direction;      // p
  ConstMatrixView image;          // q
  std::span<const Real> diagonal;
};
void descend(const Descent& step, std::span<const Real> m, MatrixView x, MatrixView r,
             std::span<double> squares, std::span<double> preconditioned, Threads& threads);

// p ← D r + t p with a factor t_c for each column.
void turn(std::span<const Real> diagonal, ConstMatrixView r, std::span<const double> t, MatrixView p,
          Threads& threads);

}  // namespace heatfront
