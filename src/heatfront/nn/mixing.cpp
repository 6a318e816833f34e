// SPDX-License-Identifier: MIT
#include "heatfront/nn/mixing.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace heatfront {
namespace {

double clamped(Real m) { return std::clamp(static_cast<double>(m), 0.0, 1.0); }

}  // namespace

void mixing(ConstMatrixView w, std::span<const Real> m, std::span<double> matrix) {
  assert(std::ssize(matrix) == w.rows * w.rows && std::ssize(m) == w.cols);
  for (std::int64_t i = 0; i < w.rows; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) {
      double sum = i == j ? -1 : 0;
      for (std::int64_t k = 0; k < w.cols; ++k)
        sum += static_cast<double>(w(i, k)) * clamped(m[at(k)]) * static_cast<double>(w(j, k));
      matrix[at(i * w.rows + j)] = matrix[at(j * w.rows + i)] = sum;
    }
  }
}

void mixing_backward(ConstMatrixView w, std::span<const Real> m, std::span<const double> d_matrix,
                     MatrixView d_w, std::span<Real> d_m) {
  for (std::int64_t k = 0; k < w.cols; ++k) {
    double along = 0;  // w_kᵀ (P + Pᵀ) w_k
    for (std::int64_t i = 0; i < w.rows; ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < w.rows; ++j)
        sum += (d_matrix[at(i * w.rows + j)] + d_matrix[at(j * w.rows + i)]) * static_cast<double>(w(j, k));
      d_w(i, k) = static_cast<Real>(sum * clamped(m[at(k)]));
      along += static_cast<double>(w(i, k)) * sum;
    }
    const bool inside = m[at(k)] >= 0 && m[at(k)] <= 1;
    d_m[at(k)] = inside ? static_cast<Real>(along / 2) : 0;
  }
}

void pull_to_orthogonal(MatrixView w) {
  const std::int64_t q = w.rows;
  assert(w.cols == q);
  std::vector<double> squared(at(q * q)), row(at(q));
  for (std::int64_t i = 0; i < q; ++i) {  // Wᵀ W
    for (std::int64_t j = 0; j < q; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < q; ++k) sum += static_cast<double>(w(k, i)) * static_cast<double>(w(k, j));
      squared[at(i * q + j)] = sum;
    }
  }
  for (std::int64_t i = 0; i < q; ++i) {
    for (std::int64_t j = 0; j < q; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < q; ++k) sum += static_cast<double>(w(i, k)) * squared[at(k * q + j)];
      row[at(j)] = 1.5 * static_cast<double>(w(i, j)) - 0.5 * sum;
    }
    std::ranges::transform(row, w.row(i).begin(), [](double x) { return static_cast<Real>(x); });
  }
}

}  // namespace heatfront
