// SPDX-License-Identifier: MIT
// Slow, dense and obvious, in double precision: what the fast code is checked against. By definition, not by
// cleverness.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/random.h"
#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/build.h"

namespace heatfront::test {

struct Dense {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values;

  Dense(std::size_t r, std::size_t c) : rows(r), cols(c), values(r * c) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * cols + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * cols + j]; }
};

Dense product(const Dense& a, const Dense& b);

// exp(M) by scaling to norm below 1/2, twenty terms of Taylor's series, and squaring.
Dense exponential(Dense m);

// exp(tL) for an L whose entries off the diagonal are ≥ 0, every entry good to its own size: nothing is ever subtracted.
Dense flow(Dense laplacian, double time);

// The Laplacian by its definition; clamped rows are zero.
inline Dense dense_laplacian(const Graph& graph, const std::vector<Real>& weights,
                             const LaplacianOptions& options, const std::vector<NodeId>& clamped) {
  const auto n = static_cast<std::size_t>(graph.nodes());
  Dense w(n, n);
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    for (ArcId a = graph.begin_of(u); a < graph.begin_of(u + 1); ++a) {
      const auto arc = static_cast<std::size_t>(a);
      const auto v = static_cast<std::size_t>(graph.targets()[arc]);
      w(static_cast<std::size_t>(u), v) = weights.empty() ? 1 : static_cast<double>(weights[arc]);
    }
    w(static_cast<std::size_t>(u), static_cast<std::size_t>(u)) = options.self_loop;
  }
  std::vector<double> d(n), to_others(n);
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      d[u] += w(u, v);
      if (u != v) to_others[u] += w(u, v);
    }
  }
  Dense laplacian(n, n);
  for (std::size_t u = 0; u < n; ++u) {
    if (d[u] < static_cast<double>(std::numeric_limits<float>::min())) continue;  // as good as no edge
    for (std::size_t v = 0; v < n; ++v) {
      if (u == v && options.kind != LaplacianKind::combinatorial) {
        laplacian(u, u) =
            -to_others[u] / d[u];  // ℓ/d − 1, which has no digits left where the weights are small
        continue;
      }
      switch (options.kind) {
        case LaplacianKind::symmetric:
          laplacian(u, v) = d[v] < static_cast<double>(std::numeric_limits<float>::min())
                                ? 0
                                : w(u, v) / std::sqrt(d[u] * d[v]);
          break;
        case LaplacianKind::random_walk: laplacian(u, v) = w(u, v) / d[u]; break;
        case LaplacianKind::combinatorial:  // the loop takes nothing away
          if (u == v) break;
          laplacian(u, v) = w(u, v);
          laplacian(u, u) -= w(u, v);
          break;
      }
    }
  }
  for (NodeId u : clamped) {
    for (std::size_t v = 0; v < n; ++v) laplacian(static_cast<std::size_t>(u), v) = 0;
  }
  return laplacian;
}

// The harmonic extension of `values` from the clamped nodes by taking node after node out: who was joined to it is then
// joined by w_uv + w_ux w_xv / Σ_y w_xy, and it has the mean of those later. Nothing is ever subtracted, so that no weights are
// too far apart. Rows that no clamped node reaches get NaN.
Dense harmonic_extension(const Graph& graph, const std::vector<Real>& weights,
                         const LaplacianOptions& options, const std::vector<NodeId>& clamped, Dense values);

inline Dense scaled(Dense m, double factor) {
  for (double& x : m.values) x *= factor;
  return m;
}

inline Dense dense_of(ConstMatrixView x) {
  Dense dense(static_cast<std::size_t>(x.rows), static_cast<std::size_t>(x.cols));
  for (std::int64_t i = 0; i < x.rows; ++i) {
    for (std::int64_t j = 0; j < x.cols; ++j) {
      dense(static_cast<std::size_t>(i), static_cast<std::size_t>(j)) = static_cast<double>(x(i, j));
    }
  }
  return dense;
}

inline double largest(const Dense& m) {
  double most = 0;
  for (double x : m.values) most = std::max(most, std::abs(x));
  return most;
}

inline double largest_difference(const Dense& a, const Dense& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    most = std::max(most, std::abs(a.values[i] - b.values[i]));
  return most;
}

// A random graph with about `arcs_a_node` arcs a node; some nodes stay isolated, and there may be several
// components.
struct RandomProblem {
  Graph graph;
  std::vector<Real> weights;  // empty for every other seed
  std::vector<NodeId> known;  // a few nodes
  Matrix front;               // normal numbers, padded

  RandomProblem(std::uint64_t seed, NodeId nodes, std::int64_t columns, double arcs_a_node = 3) {
    const Random random(seed);
    const auto n = static_cast<std::uint64_t>(nodes);
    ArcList arcs{.nodes = nodes};
    const auto edges = static_cast<std::uint64_t>(arcs_a_node * static_cast<double>(nodes) / 2);
    for (std::uint64_t i = 0; i < edges; ++i) {
      arcs.from.push_back(static_cast<NodeId>(random.below(n, 3 * i)));
      arcs.to.push_back(static_cast<NodeId>(random.below(n, 3 * i + 1)));
      if (seed % 2 == 1) arcs.weights.push_back(static_cast<Real>(0.05 + random.uniform(3 * i + 2)));
    }
    Threads threads(1);
    WeightedGraph built = build_graph(std::move(arcs), threads);
    graph = std::move(built.graph);
    weights = std::move(built.weights);
    for (NodeId u = 0; u < nodes; ++u) {
      if (random.part(1).below(5, static_cast<std::uint64_t>(u)) == 0) known.push_back(u);
    }
    front = Matrix(nodes, columns, (columns + 3) / 4 * 4);
    for (std::int64_t u = 0; u < nodes; ++u) {
      for (std::int64_t c = 0; c < columns; ++c) {
        front(u, c) = static_cast<Real>(random.part(2).normal(static_cast<std::uint64_t>(u * columns + c)));
      }
    }
  }
};

inline bool all_finite(const Matrix& values) {
  for (std::int64_t u = 0; u < values.rows(); ++u) {
    for (Real x : values.row(u)) {
      if (!std::isfinite(x)) return false;
    }
  }
  return true;
}

}  // namespace heatfront::test
