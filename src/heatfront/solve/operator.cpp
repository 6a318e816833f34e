// SPDX-License-Identifier: MIT
#include "heatfront/solve/operator.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/inner_products.h"

namespace heatfront {

void inner_products(const Operator& a, ConstMatrixView x, ConstMatrixView y, std::span<double> products) {
  inner_products(a.metric(), x, y, products, a.threads());
}

std::vector<double> column_norms(const Operator& a, ConstMatrixView x) {
  std::vector<double> norms(static_cast<std::size_t>(x.cols));
  inner_products(a, x, x, norms);
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

double worst_ratio(std::span<const double> norms, std::span<const double> scales) {
  double worst = 0;
  for (std::size_t c = 0; c < norms.size(); ++c) {
    if (scales[c] > 0) worst = std::max(worst, norms[c] / scales[c]);
  }
  return worst;
}

void clear_clamped_rows(const Operator& a, MatrixView x) {
  for (std::int64_t u = 0; a.clamps() && u < x.rows; ++u) {
    if (a.clamped(u)) std::ranges::fill(x.row(u), Real(0));
  }
}

}  // namespace heatfront
