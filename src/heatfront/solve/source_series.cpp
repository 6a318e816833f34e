// SPDX-License-Identifier: MIT
#include "heatfront/solve/source_series.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "heatfront/solve/chebyshev_series.h"
#include "heatfront/solve/symmetric_eigen.h"

namespace heatfront {
namespace {

// N nodes are exact for polynomials of degree 2N − 1, so they err on exp(sz), |z| ≤ reach, by at most
// 2t Σ_{k≥2N} c_k(reach t/2): N where those c_k no longer count.
std::size_t quadrature_nodes(double reach, double time) {
  return exponential_coefficients(reach * time / 2).size() / 2 + 1;
}

struct Quadrature {
  std::vector<double> nodes, weights;  // on [−1, 1]
};

// Golub and Welsch: the eigenvalues of Legendre's recurrence, and 2 q_0² of its eigenvectors.
Quadrature gauss_legendre(std::size_t count) {
  const std::vector<double> diagonal(count);
  std::vector<double> beside(count - 1);
  for (std::size_t k = 1; k < count; ++k) {
    const auto x = static_cast<double>(k);
    beside[k - 1] = x / std::sqrt(4 * x * x - 1);
  }
  TridiagonalEigen eigen = decompose_tridiagonal(diagonal, beside);
  std::vector<double> weights(count);
  for (std::size_t i = 0; i < count; ++i) weights[i] = 2 * eigen.entry(0, i) * eigen.entry(0, i);
  return {std::move(eigen.values), std::move(weights)};
}

}  // namespace

SourceSeries::SourceSeries(double half_width, double reach, double time, double tolerance) {
  assert(half_width > 0 && time >= 0 && tolerance > 0);
  const ChebyshevCut cut = cut_series(half_width * time, tolerance, false);
  degree_ = cut.degree();
  error_bound_ = cut.error_bound;

  const Quadrature legendre = gauss_legendre(quadrature_nodes(reach, time));
  std::vector<double> shares;  // w
  for (std::size_t q = 0; q < legendre.nodes.size(); ++q) {
    times_.push_back(time * (1 + legendre.nodes[q]) / 2);
    shares.push_back(time / 2 * legendre.weights[q]);
  }
  times_.push_back(time);
  shares.push_back(1);

  const auto terms = static_cast<std::size_t>(degree_) + 1;
  coefficients_.resize(terms);
  for (std::size_t q = 0; q < times_.size(); ++q) {
    std::vector<double> c = exponential_coefficients(half_width * times_[q]);
    for (std::size_t k = terms; k < c.size(); ++k) c[terms - 1] += c[k];
    c.resize(terms);
    for (std::size_t k = 0; k < terms; ++k) {
      weights_.push_back(shares[q] * c[k]);
      coefficients_[k] += weights_.back();
    }
  }
}

}  // namespace heatfront
