// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/front_confidence.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace heatfront {

double fitted_confidence(ConstMatrixView scores, std::span<const ClassId> labels,
                         std::span<const double> offset, std::span<const double> weights) {
  const double doubt = 1.0 / (static_cast<double>(labels.size()) + 2);
  // d/dβ Σ_i log Σ_c exp(β s_ic) − Σ_c q_ic β s_ic, and how fast it rises with β.
  struct Slope {
    double value = 0, rise = 0;
  };
  const auto slope = [&](double beta) {
    Slope sum;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto row = scores.row(static_cast<std::int64_t>(i));
      const auto logit = [&](std::size_t c) {
        return beta * static_cast<double>(row[c]) + (offset.empty() ? 0 : offset[c]);
      };
      double most = logit(0);
      for (std::size_t c = 1; c < row.size(); ++c) most = std::max(most, logit(c));
      double total = 0, first = 0, second = 0, mean = 0;
      for (std::size_t c = 0; c < row.size(); ++c) {
        const auto s = static_cast<double>(row[c]);
        const double share = std::exp(logit(c) - most);
        total += share;
        first += share * s;
        second += share * s * s;
        mean += s / static_cast<double>(row.size());
      }
      first /= total;
      const double weight = weights.empty() ? 1 : weights[at(labels[i])];
      sum.value += weight * (first - (1 - doubt) * static_cast<double>(row[at(labels[i])]) - doubt * mean);
      sum.rise += weight * (second / total - first * first);
    }
    return sum;
  };
  double low = kLeastConfidence, high = kLargestConfidence;
  if (slope(low).value >= 0) return low;
  if (slope(high).value <= 0) return high;
  double beta = std::sqrt(low * high);
  for (int step = 0; step < 60; ++step) {  // Newton's, or halving where that leads out
    const Slope here = slope(beta);
    (here.value < 0 ? low : high) = beta;
    double next = here.rise > 0 ? beta - here.value / here.rise : low;
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    const bool done = std::abs(next - beta) <= 1e-6 * beta;
    beta = next;
    if (done) break;
  }
  return beta;
}

std::vector<double> offset_of_shares(const KnownLabels& known, ClassId classes) {
  std::vector<double> counts(at(classes));
  for (ClassId label : known.classes) ++counts[at(label)];
  if (std::ranges::adjacent_find(counts, std::not_equal_to()) == counts.end()) return {};
  const double all = static_cast<double>(known.classes.size()) + 0.5 * static_cast<double>(classes);
  for (double& count : counts)
    count = static_cast<double>(static_cast<Real>(0.5 * std::log((count + 0.5) / all)));
  return counts;
}

}  // namespace heatfront
