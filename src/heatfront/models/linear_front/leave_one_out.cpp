// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/leave_one_out.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/cholesky.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"

namespace heatfront {
namespace {

Matrix product_with_few(ConstMatrixView a, ConstMatrixView b) {
  Matrix result = padded_matrix(a.rows, b.cols);
  multiply_here(a, b, result);
  return result;
}

Matrix transposed_with_few(ConstMatrixView a, ConstMatrixView b) {
  Matrix result = padded_matrix(a.cols, b.cols);
  multiply_transposed_here(a, b, result);
  return result;
}

// Σ_k x_ki² by column, in parts of so many rows that single precision is enough for each.
std::vector<double> column_squares(ConstMatrixView x) {
  constexpr std::int64_t kPart = 32;
  std::vector<double> squares(at(x.cols));
  std::vector<Real> part(squares.size());
  for (std::int64_t first = 0; first < x.rows; first += kPart) {
    std::ranges::fill(part, Real(0));
    for (std::int64_t k = first; k < std::min(first + kPart, x.rows); ++k) {
      const Real* const row = x.data + k * x.stride;
      for (std::size_t i = 0; i < part.size(); ++i) part[i] += row[i] * row[i];
    }
    for (std::size_t i = 0; i < part.size(); ++i) squares[i] += static_cast<double>(part[i]);
  }
  return squares;
}

void make_room(Matrix& matrix, std::int64_t rows, std::int64_t cols) {
  if (matrix.rows() != rows || matrix.cols() != cols) matrix = spread_matrix(rows, cols);
}

// room.inverse ← the inverse of the factor of matrix/κ + λ; false where that cannot be had.
bool invert_ridge_factor(ConstMatrixView matrix, double kappa, double ridge, LeftOutRoom& room) {
  make_room(room.system, matrix.rows, matrix.cols);
  make_room(room.inverse, matrix.rows, matrix.cols);
  const auto unit = static_cast<Real>(1 / kappa);
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const auto from = matrix.row(i);
    const auto to = room.system.row(i);
    for (std::size_t j = 0; j <= at(i); ++j) to[j] = unit * from[j];
    to[at(i)] += static_cast<Real>(ridge);
  }
  return invert_factor(room.system.view(), room.inverse.view());
}

// y_i − α_i / G_ii; nothing where that is rounding, which would else take after the label itself.
LeftOutFit left_out(Matrix alpha, std::span<const double> diagonal, ConstMatrixView targets) {
  constexpr double kRounding = 256 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  Matrix scores = padded_matrix(alpha.rows(), alpha.cols());
  for (std::int64_t i = 0; i < alpha.rows(); ++i) {
    double largest = 0;
    for (std::int64_t c = 0; c < alpha.cols(); ++c) {
      const double score =
          static_cast<double>(targets(i, c)) - static_cast<double>(alpha(i, c)) / diagonal[at(i)];
      scores(i, c) = static_cast<Real>(score);
      largest = std::max(largest, std::abs(score));
    }
    if (largest < kRounding) std::ranges::fill(scores.row(i), Real(0));
  }
  return {std::move(alpha), std::move(scores)};
}

std::optional<LeftOutFit> by_labels(ConstMatrixView gram, double kappa, double ridge, ConstMatrixView targets,
                                    LeftOutRoom& room) {
  if (!invert_ridge_factor(gram, kappa, ridge, room)) return std::nullopt;
  const Matrix& x = room.inverse;
  return left_out(transposed_with_few(x, product_with_few(x, targets)), column_squares(x), targets);
}

std::optional<LeftOutFit> by_features(ConstMatrixView gram, ConstMatrixView rows, double kappa, double ridge,
                                      ConstMatrixView targets, LeftOutRoom& room) {
  if (!invert_ridge_factor(gram, kappa, ridge, room)) return std::nullopt;
  make_room(room.whitened, rows.rows, rows.cols);  // (d, |L|)
  multiply_here(ConstMatrixView(room.inverse), rows, room.whitened);
  const Matrix& whitened = room.whitened;
  const Matrix fitted = transposed_with_few(whitened, product_with_few(whitened, targets));
  std::vector<double> diagonal = column_squares(whitened);
  for (double& value : diagonal) value = std::max((1 - value / kappa) / ridge, 1e-12);
  Matrix alpha = padded_matrix(targets.rows, targets.cols);
  for (std::int64_t i = 0; i < alpha.rows(); ++i) {
    for (std::int64_t c = 0; c < alpha.cols(); ++c)
      alpha(i, c) = static_cast<Real>(
          (static_cast<double>(targets(i, c)) - static_cast<double>(fitted(i, c)) / kappa) / ridge);
  }
  return left_out(std::move(alpha), diagonal, targets);
}

}  // namespace

LeaveOneOut::LeaveOneOut(ConstMatrixView rows, double kappa, ConstMatrixView targets, Threads& threads)
    : rows_(rows), targets_(targets), kappa_(kappa), by_features_(rows.rows < rows.cols) {
  assert(rows.cols == targets.rows && kappa > 0);
  const std::int64_t size = std::min(rows.rows, rows.cols);
  gram_ = padded_matrix(size, size);
  if (by_features_) {
    multiply_by_transposed(rows, rows, gram_, threads);
  } else {
    multiply_by_itself(rows, gram_, threads);
  }
}

LeaveOneOut::LeaveOneOut(Matrix gram, double kappa, ConstMatrixView targets)
    : targets_(targets), kappa_(kappa), by_features_(false), gram_(std::move(gram)) {
  assert(gram_.rows() == targets.rows && kappa > 0);
}

std::optional<LeftOutFit> LeaveOneOut::with(double ridge, LeftOutRoom& room) const {
  return by_features_ ? by_features(gram_, rows_, kappa_, ridge, targets_, room)
                      : by_labels(gram_, kappa_, ridge, targets_, room);
}

}  // namespace heatfront
