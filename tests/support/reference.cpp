// SPDX-License-Identifier: MIT
#include "support/reference.h"

#include <algorithm>

namespace heatfront::test {

Dense product(const Dense& a, const Dense& b) {
  Dense c(a.rows, b.cols);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t k = 0; k < a.cols; ++k) {
      for (std::size_t j = 0; j < b.cols; ++j) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

Dense exponential(Dense m) {
  double norm = 0;
  for (double x : m.values) norm = std::max(norm, std::abs(x));
  norm *= static_cast<double>(m.rows);
  int squarings = 0;
  while (norm > 0.5) norm /= 2, ++squarings;
  for (double& x : m.values) x = std::ldexp(x, -squarings);
  Dense sum(m.rows, m.rows), term(m.rows, m.rows);
  for (std::size_t i = 0; i < m.rows; ++i) sum(i, i) = term(i, i) = 1;
  for (int k = 1; k <= 20; ++k) {
    term = product(term, m);
    for (double& x : term.values) x /= k;
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i];
  }
  for (; squarings > 0; --squarings) sum = product(sum, sum);
  return sum;
}

}  // namespace heatfront::test
