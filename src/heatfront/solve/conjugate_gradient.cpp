// SPDX-License-Identifier: MIT
#include "heatfront/solve/conjugate_gradient.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/inner_products.h"
#include "heatfront/base/linear_algebra.h"

namespace heatfront {
namespace {

constexpr std::int64_t kMostIterations = 20'000;

// Factors beyond this come of numbers that single precision no longer holds.
double usable(double factor) {
  constexpr double kLargestFactor = 1e30;
  return std::abs(factor) <= kLargestFactor ? factor : 0;
}

template <class Condition>
bool all_of_columns(std::size_t columns, const Condition& condition) {
  for (std::size_t c = 0; c < columns; ++c) {
    if (!condition(c)) return false;
  }
  return true;
}

}  // namespace

ConjugateGradient::ConjugateGradient(const Operator& a, double sigma, double alpha)
    : a_(a), sigma_(sigma), alpha_(alpha), inverse_diagonal_(inverse_diagonal(a, sigma, alpha)) {}

// z = P r,  s = ⟨r, z⟩/⟨p, Bp⟩,  x += s p,  r −= s Bp,  p ← z + (⟨r, z⟩ now / before) p
ConjugateGradient::Report ConjugateGradient::solve(MatrixView residual, MatrixView x,
                                                   std::span<const double> targets, std::size_t witnesses) {
  Threads& threads = a_.threads();
  const std::size_t columns = targets.size();
  std::vector<double> sums(2 * columns), before(columns), curvature(columns);
  const std::span<double> squares = std::span(sums).first(columns), now = std::span(sums).last(columns);
  std::vector<double> along(columns), turns(columns);
  Report report;
  for (Matrix* matrix : {&direction_, &image_}) shape_like(*matrix, residual);
  turn(inverse_diagonal_, residual, turns, direction_, threads);
  inner_products(a_, residual, direction_, now);
  inner_products(a_, residual, residual, squares);
  const auto rests = [&](std::size_t c) { return std::sqrt(squares[c]) <= targets[c]; };
  while (!all_of_columns(columns - witnesses, rests)) {
    if (report.products == kMostIterations) return {report.products, false};
    a_.apply({.alpha = -alpha_, .beta = sigma_}, direction_, image_, {});
    ++report.products;
    inner_products(a_, direction_, image_, curvature);
    for (std::size_t c = 0; c < columns; ++c)
      along[c] = !rests(c) && curvature[c] > 0 ? usable(now[c] / curvature[c]) : 0;
    if (all_of_columns(columns, [&](std::size_t c) { return along[c] == 0; }))
      return {report.products, false};
    std::ranges::copy(now, before.begin());
    descend({.along = along, .direction = direction_, .image = image_, .diagonal = inverse_diagonal_},
            a_.metric(), x, residual, squares, now, threads);
    a_.ranks().sum(sums);
    for (std::size_t c = 0; c < columns; ++c) turns[c] = before[c] > 0 ? usable(now[c] / before[c]) : 0;
    turn(inverse_diagonal_, residual, turns, direction_, threads);
  }
  return report;
}

}  // namespace heatfront
