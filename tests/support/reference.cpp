// SPDX-License-Identifier: MIT
#include "support/reference.h"

#include <algorithm>
#include <utility>

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

namespace {

// Twenty terms of Taylor's series.
Dense exponential_series(const Dense& m) {
  Dense sum(m.rows, m.rows), term(m.rows, m.rows);
  for (std::size_t i = 0; i < m.rows; ++i) sum(i, i) = term(i, i) = 1;
  for (int k = 1; k <= 20; ++k) {
    term = product(term, m);
    for (double& x : term.values) x /= k;
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += term.values[i];
  }
  return sum;
}

}  // namespace

Dense exponential(Dense m) {
  double norm = 0;
  for (double x : m.values) norm = std::max(norm, std::abs(x));
  norm *= static_cast<double>(m.rows);
  int squarings = 0;
  while (norm > 0.5) norm /= 2, ++squarings;
  for (double& x : m.values) x = std::ldexp(x, -squarings);
  Dense sum = exponential_series(m);
  for (; squarings > 0; --squarings) sum = product(sum, sum);
  return sum;
}

// exp(tL) = e^−ρt exp(t(L + ρ)) with ρ the largest |diagonal|, for a part of t below 1/2, and squared as often as that takes.
Dense flow(Dense laplacian, double time) {
  const std::size_t n = laplacian.rows;
  double rho = 0;
  for (std::size_t i = 0; i < n; ++i) rho = std::max(rho, -laplacian(i, i));
  int squarings = 0;
  while (std::ldexp(rho * time, -squarings) > 0.25) ++squarings;
  const double part = std::ldexp(time, -squarings);
  for (std::size_t i = 0; i < n; ++i) laplacian(i, i) += rho;
  Dense result = exponential_series(scaled(std::move(laplacian), part));
  for (double& x : result.values) x *= std::exp(-rho * part);
  for (; squarings > 0; --squarings) result = product(result, result);
  return result;
}

Dense harmonic_extension(const Graph& graph, const std::vector<Real>& weights,
                         const LaplacianOptions& options, const std::vector<NodeId>& clamped, Dense values) {
  const std::size_t n = values.rows;
  Dense w(n, n);
  std::vector<double> d(n, options.self_loop), root(n, 1.0);
  for (std::size_t u = 0; u < n; ++u) {
    const auto node = static_cast<NodeId>(u);
    for (ArcId a = graph.begin_of(node); a < graph.begin_of(node + 1); ++a) {
      const auto arc = static_cast<std::size_t>(a);
      const double weight = weights.empty() ? 1 : static_cast<double>(weights[arc]);
      w(u, static_cast<std::size_t>(graph.targets()[arc])) = weight;
      d[u] += weight;
    }
    if (options.kind == LaplacianKind::symmetric && d[u] > 0) root[u] = std::sqrt(d[u]);
  }
  std::vector<bool> there(n, true), is_clamped(n);
  for (std::size_t u = 0; u < n; ++u) {
    if (d[u] < static_cast<double>(std::numeric_limits<float>::min()))
      there[u] = false;  // as good as no edge
  }
  for (NodeId u : clamped) is_clamped[static_cast<std::size_t>(u)] = true;
  std::vector<std::size_t> taken_out;
  Dense shares(n, n);
  for (std::size_t x = 0; x < n; ++x) {
    if (is_clamped[x]) continue;
    taken_out.push_back(x);
    if (!there[x]) continue;
    there[x] = false;
    double sum = 0;
    for (std::size_t v = 0; v < n; ++v) sum += there[v] ? w(x, v) : 0;
    for (std::size_t v = 0; v < n && sum > 0; ++v) shares(x, v) = there[v] ? w(x, v) / sum : 0;
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        if (u != v && there[u] && there[v]) w(u, v) += w(u, x) * shares(x, v);
      }
    }
  }
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t c = 0; c < values.cols; ++c) values(u, c) /= root[u];
  }
  for (auto x = taken_out.rbegin(); x != taken_out.rend(); ++x) {
    for (std::size_t c = 0; c < values.cols; ++c) {
      double mean = 0, all = 0;
      for (std::size_t v = 0; v < n; ++v) {
        if (shares(*x, v) > 0) mean += shares(*x, v) * values(v, c), all += shares(*x, v);
      }
      values(*x, c) = all > 0 ? mean : std::numeric_limits<double>::quiet_NaN();
    }
  }
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t c = 0; c < values.cols; ++c) values(u, c) *= root[u];
  }
  return values;
}

}  // namespace heatfront::test
