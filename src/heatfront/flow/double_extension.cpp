// SPDX-License-Identifier: MIT
#include "heatfront/flow/double_extension.h"

#include <algorithm>
#include <cmath>

namespace heatfront {
namespace {

constexpr std::int64_t kMostTurns = 20'000;
constexpr int kMostRestarts = 10;
constexpr double kDifferenceRounding = 4 * std::numeric_limits<double>::epsilon();  // relative to x

// A sum over rows and the largest of what there is in them.
struct SumAndMost {
  double sum = 0, most = 0;

  SumAndMost& operator+=(const SumAndMost& other) {
    sum += other.sum;
    most = std::max(most, other.most);
    return *this;
  }
};

}  // namespace

DoubleExtension::DoubleExtension(const HarmonicSystem& system, Threads& threads)
    : system_(system),
      threads_(threads),
      rows_at_once_(rows_at_once(system.graph.nodes(),
                                 system.graph.arcs() / std::max<ArcId>(1, system.graph.nodes()) + 1)),
      degrees_(at(system.graph.nodes())) {
  for (NodeId u = 0; u < system.graph.nodes(); ++u) {
    for (ArcId arc = system.graph.begin_of(u); arc < system.graph.begin_of(u + 1) && system.is_free(u);
         ++arc) {
      if (system.role(system.graph.targets()[at(arc)]) != NodeRole::absent)
        degrees_[at(u)] += system.weight(arc);
    }
  }
  std::vector<double> walk(degrees_.size());
  std::int64_t products = 0;
  const double off = settle(1, 0.25, walk, products);
  const double longest = walk.empty() ? 0 : std::ranges::max(walk);
  if (off + kDifferenceRounding * longest <= 0.5) amplification_ = 2 * longest;
}

// residual ← d · source + Σ w_uv (x_v − x_u) on free rows; returns the largest of |residual| / d.
double DoubleExtension::find_residual(double source, const std::vector<double>& x,
                                      std::vector<double>& residual) const {
  return threads_
      .sum_blocks<SumAndMost>(
          system_.graph.nodes(), rows_at_once_,
          [&](std::int64_t begin, std::int64_t end) {
            SumAndMost part;
            for (auto u = static_cast<NodeId>(begin); u < end; ++u) {
              if (!(degrees_[at(u)] > 0)) continue;
              double sum = 0;
              for (ArcId arc = system_.graph.begin_of(u); arc < system_.graph.begin_of(u + 1); ++arc) {
                const NodeId v = system_.graph.targets()[at(arc)];
                if (system_.role(v) != NodeRole::absent) sum += system_.weight(arc) * (x[at(v)] - x[at(u)]);
              }
              residual[at(u)] = source * degrees_[at(u)] + sum;
              const double move = std::abs(residual[at(u)]) / degrees_[at(u)];
              part.most = move <= part.most ? part.most : move;  // what is no number stays
            }
            return part;
          })
      .most;
}

// image ← B p; returns ⟨p, B p⟩.
double DoubleExtension::apply(const std::vector<double>& p, std::vector<double>& image) const {
  return threads_.sum_blocks<double>(
      system_.graph.nodes(), rows_at_once_, [&](std::int64_t begin, std::int64_t end) {
        double product = 0;
        for (auto u = static_cast<NodeId>(begin); u < end; ++u) {
          if (!(degrees_[at(u)] > 0)) continue;
          double sum = 0;
          for (ArcId arc = system_.graph.begin_of(u); arc < system_.graph.begin_of(u + 1); ++arc) {
            const NodeId v = system_.graph.targets()[at(arc)];
            if (system_.role(v) != NodeRole::absent) sum += system_.weight(arc) * (p[at(u)] - p[at(v)]);
          }
          image[at(u)] = sum;
          product += p[at(u)] * sum;
        }
        return product;
      });
}

// z = r/d,  s = ⟨r, z⟩/⟨p, Bp⟩,  x += s p,  r −= s Bp,  p ← z + (⟨r, z⟩ now / before) p; again from the true residual, from
// which that of the recurrence drifts away, as long as it helps.
double DoubleExtension::settle(double source, double target, std::vector<double>& x,
                               std::int64_t& products) const {
  const std::int64_t n = std::ssize(x);
  std::vector<double> residual(x.size()), direction(x.size()), image(x.size());
  double off = find_residual(source, x, residual);
  double last = std::numeric_limits<double>::infinity();
  for (int restart = 0; restart < kMostRestarts && off > target && off <= last / 2; ++restart) {
    last = off;
    std::ranges::fill(direction, 0.0);
    double before = 0;
    SumAndMost now;
    const auto along = [&](double step) {  // and ⟨r, z⟩ and |z| there
      now = threads_.sum_blocks<SumAndMost>(n, rows_at_once_, [&](std::int64_t begin, std::int64_t end) {
        SumAndMost part;
        for (std::size_t u = at(begin); u < at(end); ++u) {
          if (!(degrees_[u] > 0)) continue;
          x[u] += step * direction[u];
          residual[u] -= step * image[u];
          const double move = residual[u] / degrees_[u];
          part.sum += residual[u] * move;
          part.most = std::max(part.most, std::abs(move));
        }
        return part;
      });
    };
    along(0);
    for (std::int64_t step = 0; step < kMostTurns && now.most > target / 2; ++step) {
      const double turn = before > 0 ? now.sum / before : 0;
      threads_.for_blocks(n, rows_at_once_, [&](std::int64_t begin, std::int64_t end) {
        for (std::size_t u = at(begin); u < at(end); ++u) {
          if (degrees_[u] > 0) direction[u] = residual[u] / degrees_[u] + turn * direction[u];
        }
      });
      const double curvature = apply(direction, image);
      ++products;
      if (!(curvature > 0) || !std::isfinite(now.sum / curvature)) break;
      before = now.sum;
      along(now.sum / curvature);
    }
    off = find_residual(source, x, residual);
    ++products;
  }
  return off;
}

DoubleExtension::Report DoubleExtension::solve(double tolerance, MatrixView state) const {
  Report report;
  std::vector<double> x(degrees_.size());
  for (std::int64_t c = 0; c < state.cols; ++c) {
    double size = 0;
    for (std::int64_t u = 0; u < state.rows; ++u) {
      x[at(u)] = system_.role(u) == NodeRole::known ? static_cast<double>(state(u, c)) : 0;
      size = std::max(size, std::abs(x[at(u)]));
    }
    const double move = settle(0, tolerance / amplification_, x, report.products);
    for (std::int64_t u = 0; u < state.rows; ++u) {
      if (system_.is_free(u)) state(u, c) = static_cast<Real>(x[at(u)]);
    }
    const double error = amplification_ * (move + kDifferenceRounding * size);
    report.move = std::max(report.move, move);
    report.error = error <= report.error ? report.error : error;  // what is no number stays
  }
  if (std::isnan(report.error)) report.error = std::numeric_limits<double>::infinity();
  return report;
}

}  // namespace heatfront
