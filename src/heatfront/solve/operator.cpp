// SPDX-License-Identifier: MIT
#include "heatfront/solve/operator.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heatfront/base/inner_products.h"

namespace heatfront {

void inner_products(const Operator& a, ConstMatrixView x, ConstMatrixView y, std::span<double> products) {
  inner_products(a.metric(), x, y, products, a.threads());
  a.ranks().sum(products);
}

std::vector<double> column_norms(const Operator& a, ConstMatrixView x) {
  std::vector<double> norms(static_cast<std::size_t>(x.cols));
  inner_products(a, x, x, norms);
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

double largest_entry(const Operator& a) {
  const std::span<const Real> m = a.metric(), scale = a.row_scale();
  double most = 0;
  for (std::int64_t u = 0; u < a.rows(); ++u) {
    const double own = m.empty() ? 1 : static_cast<double>(m[at(u)]);
    const double seen = scale.empty() ? 1 : static_cast<double>(scale[at(u)]);
    most = std::max(most, seen / std::sqrt(own));
  }
  return a.ranks().largest(most);
}

double fastest_outflow(const Operator& a) {
  double most = 0;
  for (Real out : a.outflow()) most = std::max(most, static_cast<double>(out));
  return a.ranks().largest(most);
}

double worst_ratio(std::span<const double> norms, std::span<const double> scales) {
  double worst = 0;
  for (std::size_t c = 0; c < norms.size(); ++c) {
    if (scales[c] == 0) continue;
    const double ratio = norms[c] / scales[c];
    worst = std::isnan(ratio) ? std::numeric_limits<double>::infinity() : std::max(worst, ratio);
  }
  return worst;
}

std::vector<Real> inverse_diagonal(const Operator& a, double sigma, double alpha) {
  const std::span<const Real> outflow = a.outflow();
  std::vector<Real> inverse(outflow.size());
  for (std::size_t u = 0; u < outflow.size(); ++u) {
    const double diagonal = sigma + alpha * static_cast<double>(outflow[u]);
    if (diagonal >= static_cast<double>(std::numeric_limits<Real>::min()))
      inverse[u] = static_cast<Real>(1 / diagonal);
  }
  return inverse;
}

void clear_clamped_rows(const Operator& a, MatrixView x) {
  for_clamped_rows(a, [&](std::int64_t u) { std::ranges::fill(x.row(u), Real(0)); });
}

}  // namespace heatfront
