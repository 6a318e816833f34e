// SPDX-License-Identifier: MIT
#include "heatfront/flow/energies/p_laplacian.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heatfront/flow/energies/clamped_graph.h"
#include "heatfront/flow/energies/total_variation.h"

namespace heatfront {
namespace {

constexpr double kSettled = 1e-9;  // of the harmonic function within a step
constexpr std::int64_t kMostNewtonSteps = 200;
constexpr double kFirstFloor = 0.03, kLeastFloor = 1e-7;  // of differences, beside the largest

class PColumn {
 public:
  PColumn(const ClampedGraph& graph, const EnergyOptions& options) : graph_(graph), options_(options) {}

  ColumnReport solve(std::vector<double>& f) const {
    ColumnReport report{.gap = std::numeric_limits<double>::infinity(), .reached = false};
    report.steps = settle(graph_, graph_.weights, kSettled, f);
    double floor = kFirstFloor;
    for (std::int64_t step = 0; step < kMostNewtonSteps && report.steps < options_.steps; ++step) {
      const std::vector<double> d = differences(f);
      const double largest = std::abs(*std::ranges::max_element(d, {}, [](double x) { return std::abs(x); }));
      if (largest == 0) return {.steps = report.steps};
      const std::vector<double> h = strengths(d, floor * largest);
      std::vector<double> x = f;
      report.steps += settle(graph_, h, kSettled, x);
      const std::vector<double> dx = differences(x);
      report.gap = 1 - bound(h, dx) / energy(d);
      for (std::size_t u = 0; u < f.size(); ++u)
        report.error = std::max(u == 0 ? 0 : report.error, std::abs(x[u] - f[u]));
      report.reached = report.gap <= options_.tolerance;
      if (report.reached) break;
      const double length = best_length(d, dx);
      for (std::size_t u = 0; u < f.size(); ++u) f[u] += length * (x[u] - f[u]);
      floor = std::max(kLeastFloor, floor / 2);
    }
    report.gap = std::max(0.0, report.gap);
    return report;
  }

 private:
  std::vector<double> differences(const std::vector<double>& f) const {
    std::vector<double> d(graph_.weights.size());
    for (std::size_t e = 0; e < d.size(); ++e) d[e] = f[graph_.from[e]] - f[graph_.to[e]];
    return d;
  }

  double energy(const std::vector<double>& d) const {
    double sum = 0;
    for (std::size_t e = 0; e < d.size(); ++e)
      sum += graph_.weights[e] * std::pow(std::abs(d[e]), options_.p);
    return sum / options_.p;
  }

  // Differences below the floor count as large as it, so that no edge breaks nor outweighs all others.
  std::vector<double> strengths(const std::vector<double>& d, double floor) const {
    std::vector<double> h(d.size());
    for (std::size_t e = 0; e < d.size(); ++e)
      h[e] = graph_.weights[e] * std::pow(d[e] * d[e] + floor * floor, options_.p / 2 - 1);
    return h;
  }

  // What no f is below.
  double bound(const std::vector<double>& h, const std::vector<double>& dx) const {
    const double dual = options_.p / (options_.p - 1);
    double a = 0, s = 0;
    for (std::size_t e = 0; e < h.size(); ++e) {
      const double w = graph_.weights[e];
      a += h[e] * dx[e] * dx[e];
      s += w * std::pow(h[e] / w * std::abs(dx[e]), dual);
    }
    return s > 0 ? std::pow(a / s, options_.p) * s / options_.p : 0;
  }

  // Where the slope of E along the direction is 0: it ascends.
  double best_length(const std::vector<double>& d, const std::vector<double>& dx) const {
    const auto slope = [&](double length) {
      double sum = 0;
      for (std::size_t e = 0; e < d.size(); ++e) {
        const double along = dx[e] - d[e], now = d[e] + length * along;
        if (now != 0)
          sum += graph_.weights[e] * std::pow(std::abs(now), options_.p - 1) * (now > 0 ? along : -along);
      }
      return sum;
    };
    double low = 0, high = 1;
    while (slope(high) < 0 && high < 64) high *= 2;
    for (int i = 0; i < 24; ++i) {
      const double middle = (low + high) / 2;
      (slope(middle) < 0 ? low : high) = middle;
    }
    return (low + high) / 2;
  }

  const ClampedGraph& graph_;
  const EnergyOptions& options_;
};

}  // namespace

Temperatures solve_p_laplacian(const DirichletProblem& problem, const EnergyOptions& options,
                               Threads& threads) {
  if (options.p == 1) return solve_total_variation(problem, options, threads);
  const ClampedGraph graph(problem);
  const PColumn column(graph, options);
  return solve_columns(problem, threads, [&](std::vector<double>& f) { return column.solve(f); });
}

}  // namespace heatfront
