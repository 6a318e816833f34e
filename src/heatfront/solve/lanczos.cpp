// SPDX-License-Identifier: MIT
#include "heatfront/solve/lanczos.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "heatfront/base/linear_algebra.h"

namespace heatfront {
namespace {

constexpr std::size_t kMostVectors = 64;
constexpr std::size_t kCheckEvery = 4;
constexpr double kLeastNorm = 1e-36;   // whose inverse is a number, too
constexpr double kShortestCut = 1e-3;  // of the time; the bound is rounding alone where this is too long

// t^k φ_k(tz)
double integral_of_exponential(int k, double t, double z) {
  const double x = t * z;
  switch (k) {
    case 0: return std::exp(x);
    case 1: return z == 0 ? t : std::expm1(x) / z;
    default:
      assert(k == 2);
      if (std::abs(x) < 1e-3) return t * t * (1.0 / 2 + x * (1.0 / 6 + x * (1.0 / 24 + x / 120)));
      return (std::expm1(x) - x) / (z * z);
  }
}

// f(T)_{i1} = Σ_k Q_ik f(λ_k) Q_1k
double entry_of_first_column(const TridiagonalEigen& eigen, std::size_t i, int k, double t) {
  double sum = 0;
  for (std::size_t j = 0; j < eigen.values.size(); ++j) {
    sum += eigen.entry(i, j) * integral_of_exponential(k, t, eigen.values[j]) * eigen.entry(0, j);
  }
  return sum;
}

// t^k / k!
double integral_of_one(int k, double t) { return std::pow(t, k) / (k == 2 ? 2 : 1); }

}  // namespace

double Lanczos::build(const Operator& a, ConstMatrixView start, int k, double time,
                      std::span<const double> allowed) {
  begin(a, start);
  const auto good_until = [&](double t) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (error_bound(columns_[c], k, t) > allowed[c] * (t / time)) return false;
    }
    return true;
  };
  std::size_t worst = 0;  // of the columns, when last asked; it is asked first
  while (size_ < kMostVectors) {
    grow(a);
    if (size_ % kCheckEvery != 0 && size_ < kMostVectors) continue;
    std::size_t good = 0;
    for (; good < columns_.size(); ++good) {
      const std::size_t c = (worst + good) % columns_.size();
      Column& column = columns_[c];
      column.eigen = decompose_tridiagonal(column.diagonal, std::span(column.off_diagonal).first(size_ - 1));
      if (size_ < kMostVectors && error_bound(column, k, time) > allowed[c]) {
        worst = c;
        break;
      }
    }
    if (good == columns_.size() && good_until(time)) return time;
  }
  double reach = time, beyond = time;
  while (!good_until(reach) && reach > kShortestCut * time) beyond = reach, reach /= 2;
  for (int halving = 0; halving < 5; ++halving) {
    const double middle = (reach + beyond) / 2;
    (good_until(middle) ? reach : beyond) = middle;
  }
  return reach;
}

void Lanczos::begin(const Operator& a, ConstMatrixView start) {
  std::vector<double> norms(static_cast<std::size_t>(start.cols));
  inner_products(a, start, start, norms);
  columns_.assign(norms.size(), {});
  std::vector<double> inverse(norms.size());
  for (std::size_t c = 0; c < norms.size(); ++c) {
    const double norm = std::sqrt(norms[c]);
    (norm > kLeastNorm ? columns_[c].norm : columns_[c].left_out) = norm;
    inverse[c] = norm > kLeastNorm ? 1 / norm : 0;
  }
  size_ = 0;
  if (basis_.empty()) basis_.emplace_back();
  shape_like(basis_[0], start);
  copy(start, basis_[0], a.threads());
  scale_columns(inverse, basis_[0], a.threads());
}

// β_{j+1} v_{j+1} = A v_j − α_j v_j − β_j v_{j−1}; a column whose space is exhausted goes on with zeros.
void Lanczos::grow(const Operator& a) {
  Threads& threads = a.threads();
  const double negligible = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * -a.lowest();
  const std::size_t j = size_++, count = columns_.size();
  if (basis_.size() == size_) basis_.emplace_back();
  const Matrix& last = basis_[j];
  Matrix& next = basis_[size_];
  shape_like(next, last);
  a.apply({}, last, next, {});
  std::vector<double> products(count), factors(count);
  const auto subtract = [&](const Matrix& vector) {
    for (std::size_t c = 0; c < count; ++c) factors[c] = -factors[c];
    add_scaled_columns(factors, vector, next, threads);
  };
  inner_products(a, last, next, products);
  factors = products;
  for (std::size_t c = 0; c < count; ++c) columns_[c].diagonal.push_back(products[c]);
  subtract(last);
  if (j > 0) {
    for (std::size_t c = 0; c < count; ++c) factors[c] = columns_[c].off_diagonal.back();
    subtract(basis_[j - 1]);
  }
  inner_products(a, next, next, products);
  for (std::size_t c = 0; c < count; ++c) {
    const double beta = std::sqrt(products[c]);
    if (beta <= negligible && columns_[c].exhausted == 0) {
      columns_[c].exhausted = size_;
      columns_[c].last_residual = beta;
    }
    columns_[c].off_diagonal.push_back(beta > negligible ? beta : 0);
    factors[c] = beta > negligible ? 1 / beta : 0;
  }
  scale_columns(factors, next, threads);
}

void Lanczos::add(const Operator& a, int k, double t, MatrixView sum) const {
  std::vector<double> factors(columns_.size());
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      factors[c] = columns_[c].norm * entry_of_first_column(columns_[c].eigen, i, k, t);
    }
    add_scaled_columns(factors, basis_[i], sum, a.threads());
  }
}

double Lanczos::error_bound(const Column& column, int k, double t) {
  const std::size_t last = column.diagonal.size() - 1;
  return column.norm * column.off_diagonal[last] *
         std::abs(entry_of_first_column(column.eigen, last, k + 1, t));
}

std::vector<double> Lanczos::error_bounds(int k, double t, double defect) const {
  std::vector<double> bounds;
  for (const Column& column : columns_) {
    double bound = error_bound(column, k, t) + column.left_out * integral_of_one(k, t);
    for (std::size_t i = 0; i < size_; ++i) {
      const double residual = defect + (i + 1 == column.exhausted ? column.last_residual : 0);
      bound += column.norm * residual * std::abs(entry_of_first_column(column.eigen, i, k + 1, t));
    }
    bounds.push_back(bound);
  }
  return bounds;
}

}  // namespace heatfront
