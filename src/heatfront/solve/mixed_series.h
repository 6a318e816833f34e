// SPDX-License-Identifier: MIT
// The coefficients C_k of a SourceSeries for a given M = V diag(μ) Vᵀ, symmetric and small:
//
//     C_k = V diag(Σ_q w_q c_k(hs_q) e^{s_q μ_j}) Vᵀ
//
// and back, with e^{sM} differentiated in the coordinates of V (Daleckii and Krein), good for equal μ too:
//
//     ∂L/∂M = V (Σ_q E_q ∘ Σ_k w_q c_k(hs_q) Vᵀ ∂L/∂C_k V) Vᵀ,    E_q[i,j] = (e^{s_q μ_i} − e^{s_q μ_j}) / (μ_i − μ_j)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/solve/source_series.h"
#include "heatfront/solve/symmetric_eigen.h"

namespace heatfront {

// Square matrices of one size, one below the other.
struct MatrixStack {
  Matrix values;

  ConstMatrixView operator[](std::int64_t k) const {
    return values.view().rows_between(k * values.cols(), (k + 1) * values.cols());
  }
  MatrixView operator[](std::int64_t k) {
    return values.view().rows_between(k * values.cols(), (k + 1) * values.cols());
  }
};

class MixedSeries {
 public:
  MixedSeries(const SourceSeries& series, std::int64_t size);

  void set(std::span<const double> m);  // M by rows
  const MatrixStack& coefficients() const { return coefficients_; }
  ConstMatrixView exponential() const { return exponential_; }  // e^{tM}

  struct Workspace {
    MatrixStack d_coefficients;             // ∂L/∂C_k
    std::vector<double> in_v, sum, middle;  // what backward() scribbles on
  };
  Workspace workspace() const;
  void backward(Workspace& work, std::span<double> d_m) const;  // d_m ← ∂L/∂M by rows

 private:
  // result ← V diag(value(j)) Vᵀ
  template <class Value>
  void compose(const Value& value, MatrixView result);

  SourceSeries series_;
  std::size_t size_;
  SymmetricEigen eigen_;
  std::vector<double> v_, v_transposed_;  // by rows
  std::vector<double> exponentials_;      // e^{s_q μ_j / 2}
  std::vector<double> scaled_, product_;  // what compose() scribbles on
  MatrixStack coefficients_;
  Matrix exponential_;
};

}  // namespace heatfront
