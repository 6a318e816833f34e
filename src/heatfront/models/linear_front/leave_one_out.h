// SPDX-License-Identifier: MIT
// What ridge regression would say of each labelled node if its own label had not been there, exactly and for all nodes at once.
// With rows z_i of Z, targets y_i = e_label − 1/C (zero in the mean over the classes), and
//
//     κ = mean |z_i|²,     K = Z_L Z_Lᵀ / κ,     G = (K + λ)⁻¹,     α = G y
//
// the answer without label i is  y_i − α_i / G_ii.  Where there are fewer features than labels, the same comes from
// the matrix of the features:  α_i = (y_i − f_i)/λ,  G_ii = (1 − z_iᵀ P z_i / κ)/λ  with  P = (Z_Lᵀ Z_L / κ + λ)⁻¹.
#pragma once

#include <optional>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"

namespace heatfront {

struct LeftOutFit {
  Matrix alpha;   // (|L|, C)
  Matrix scores;  // (|L|, C): the answers without each label
};

// What a fit scribbles on; the same again and again spares the memory being made anew.
struct LeftOutRoom {
  Matrix system, inverse, whitened;
};

class LeaveOneOut {
 public:
  // `rows`: Z_Lᵀ (d, |L|); targets y (|L|, C). Both are lent.
  LeaveOneOut(ConstMatrixView rows, double kappa, ConstMatrixView targets, Threads& threads);

  // `gram`: Z_L Z_Lᵀ (|L|, |L|), of which the lower half is read.
  LeaveOneOut(Matrix gram, double kappa, ConstMatrixView targets);

  // With this ridge λ, on the calling thread; nothing where rounding leaves no answer.
  std::optional<LeftOutFit> with(double ridge, LeftOutRoom& room) const;

 private:
  ConstMatrixView rows_ = {}, targets_;
  double kappa_;
  bool by_features_;
  Matrix gram_;  // Z_L Z_Lᵀ, or Z_Lᵀ Z_L where that is smaller
};

}  // namespace heatfront
