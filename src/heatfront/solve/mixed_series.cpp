// SPDX-License-Identifier: MIT
#include "heatfront/solve/mixed_series.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

// C ← A B, all n × n by rows.
HEATFRONT_CLONES void multiply(std::size_t n, const double* a, const double* b, double* __restrict c) {
  std::fill(c, c + n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
}

// y ← y + a x
HEATFRONT_CLONES void add_multiple(double a, std::span<const double> x, double* __restrict y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += a * x[i];
}

// (e^{2a} − e^{2b}) / (a − b) · s/2 for 2a = sμ_i, 2b = sμ_j, given e^a and e^b: the difference where they are apart,
// e^{a+b} s sinh(a − b)/(a − b) by Taylor's series where that would cancel.
double divided_difference(double s, double a, double b, double exp_a, double exp_b) {
  const double apart = a - b;
  if (std::abs(apart) > 0.5) return s / 2 * (exp_a * exp_a - exp_b * exp_b) / apart;
  const double x = apart * apart;
  double sinhc = 1;
  for (double k : {12., 10., 8., 6., 4., 2.}) sinhc = 1 + sinhc * x / (k * (k + 1));
  return s * exp_a * exp_b * sinhc;
}

}  // namespace

MixedSeries::MixedSeries(const SourceSeries& series, std::int64_t size)
    : series_(series),
      size_(static_cast<std::size_t>(size)),
      eigen_(size),
      v_(size_ * size_),
      v_transposed_(size_ * size_),
      exponentials_(series.times().size() * size_),
      scaled_(size_ * size_),
      product_(size_ * size_),
      coefficients_{Matrix((series.degree() + 1) * size, size)},
      exponential_(size, size) {}

void MixedSeries::set(std::span<const double> m) {
  assert(m.size() == size_ * size_);
  eigen_.decompose(m);
  std::ranges::copy(eigen_.vectors(), v_transposed_.begin());
  for (std::size_t i = 0; i < size_; ++i) {
    for (std::size_t j = 0; j < size_; ++j) v_[i * size_ + j] = v_transposed_[j * size_ + i];
  }
  const std::span<const double> times = series_.times();
  for (std::size_t q = 0; q < times.size(); ++q) {
    for (std::size_t j = 0; j < size_; ++j)
      exponentials_[q * size_ + j] = std::exp(times[q] * eigen_.values()[j] / 2);
  }
  for (std::int64_t k = 0; k <= series_.degree(); ++k) {
    const auto coefficient = [&](std::size_t j) {
      double sum = 0;
      for (std::size_t q = 0; q < times.size(); ++q)
        sum += series_.weight(q, k) * exponentials_[q * size_ + j] * exponentials_[q * size_ + j];
      return sum;
    };
    compose(coefficient, coefficients_[k]);
  }
  compose([&](std::size_t j) { return std::exp(times.back() * eigen_.values()[j]); }, exponential_);
}

template <class Value>
void MixedSeries::compose(const Value& value, MatrixView result) {
  for (std::size_t j = 0; j < size_; ++j) {
    const double factor = value(j);
    for (std::size_t i = 0; i < size_; ++i) scaled_[i * size_ + j] = v_[i * size_ + j] * factor;
  }
  multiply(size_, scaled_.data(), v_transposed_.data(), product_.data());
  std::ranges::transform(product_, result.data, [](double x) { return static_cast<Real>(x); });
}

MixedSeries::Workspace MixedSeries::workspace() const {
  const auto terms = static_cast<std::size_t>(series_.degree()) + 1;
  return {.d_coefficients = {Matrix(coefficients_.values.rows(), coefficients_.values.cols())},
          .in_v = std::vector<double>(terms * size_ * size_),
          .sum = std::vector<double>(size_ * size_),
          .middle = std::vector<double>(size_ * size_)};
}

void MixedSeries::backward(Workspace& work, std::span<double> d_m) const {
  const std::size_t square = size_ * size_;
  assert(d_m.size() == square);
  for (std::int64_t k = 0; k <= series_.degree(); ++k) {  // in_v ← Vᵀ ∂L/∂C_k V
    const ConstMatrixView d_c = work.d_coefficients[k];
    std::copy_n(d_c.data, square, work.sum.begin());
    multiply(size_, work.sum.data(), v_.data(), work.middle.data());
    multiply(size_, v_transposed_.data(), work.middle.data(),
             work.in_v.data() + static_cast<std::size_t>(k) * square);
  }
  std::ranges::fill(d_m, 0.0);
  const std::span<const double> mu = eigen_.values();
  for (std::size_t q = 0; q < series_.times().size(); ++q) {
    std::ranges::fill(work.sum, 0.0);
    for (std::int64_t k = 0; k <= series_.degree(); ++k) {
      const std::span<const double> in_v =
          std::span(work.in_v).subspan(static_cast<std::size_t>(k) * square, square);
      add_multiple(series_.weight(q, k), in_v, work.sum.data());
    }
    const double s = series_.times()[q];
    const double* exponentials = exponentials_.data() + q * size_;
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) {
        d_m[i * size_ + j] += work.sum[i * size_ + j] * divided_difference(s, s * mu[i] / 2, s * mu[j] / 2,
                                                                           exponentials[i], exponentials[j]);
      }
    }
  }
  multiply(size_, v_.data(), d_m.data(), work.middle.data());
  multiply(size_, work.middle.data(), v_transposed_.data(), d_m.data());
}

}  // namespace heatfront
