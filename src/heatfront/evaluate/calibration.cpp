// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "heatfront/base/checks.h"

namespace heatfront {
namespace {

constexpr double kLeastGain = 1;

std::size_t bin_of(double confidence, std::size_t bins) {
  const double place = std::ceil(confidence * static_cast<double>(bins)) - 1;
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(bins - 1)));
}

double brier_of(std::span<const double> shares, ClassId label) {
  double sum = 0;
  for (std::size_t c = 0; c < shares.size(); ++c) {
    const double difference = shares[c] - (c == at(label) ? 1 : 0);
    sum += difference * difference;
  }
  return sum;
}

// d/dβ of −log p_y at the shares p^β: the mean of log p under them, less log p_y.
double slope_of(std::span<const double> shares, ClassId label, double beta) {
  const double highest = std::ranges::max(shares);
  double weights = 0, sum = 0;
  for (double share : shares) {
    if (share <= 0) continue;
    const double log_share = std::log(share), weight = std::exp(beta * (log_share - std::log(highest)));
    weights += weight;
    sum += weight * log_share;
  }
  return sum / weights - std::log(shares[at(label)]);
}

double slope_of(const JudgedShares& judged, double beta) {
  double sum = 0;
  for (std::size_t i = 0; i < judged.nodes(); ++i) {
    if (judged.row(i)[at(judged.labels[i])] > 0) sum += slope_of(judged.row(i), judged.labels[i], beta);
  }
  return sum;
}

// Σ log p(label)^{1/T} / Σ p^{1/T}; what has share 0 at every softening does not count.
double log_likelihood(const JudgedShares& judged, double softening) {
  double sum = 0;
  for (std::size_t i = 0; i < judged.nodes(); ++i) {
    std::vector<double> shares(judged.row(i).begin(), judged.row(i).end());
    if (shares[at(judged.labels[i])] <= 0) continue;
    scale_shares(softening, shares);
    sum += std::log(std::max(shares[at(judged.labels[i])], std::numeric_limits<double>::min()));
  }
  return sum;
}

}  // namespace

Calibration calibration(const JudgedShares& judged, int bins) {
  check(judged);
  if (bins < 1) fail("calibration: {} bins; there must be 1 or more", bins);
  Calibration result{.bins = std::vector<ReliabilityBin>(static_cast<std::size_t>(bins))};
  std::vector<double> variances(result.bins.size());
  for (std::size_t i = 0; i < judged.nodes(); ++i) {
    const double confidence = judged.confidence(i);
    const std::size_t b = bin_of(confidence, result.bins.size());
    ++result.bins[b].nodes;
    result.bins[b].confidence += confidence;
    result.bins[b].accuracy += judged.right(i) ? 1 : 0;
    variances[b] += confidence * (1 - confidence);
    result.confidence += confidence;
    result.brier += brier_of(judged.row(i), judged.labels[i]);
  }
  const auto n = static_cast<double>(judged.nodes());  // 0/0 is NaN, as it should be
  for (std::size_t b = 0; b < result.bins.size(); ++b) {
    ReliabilityBin& bin = result.bins[b];
    bin.low = static_cast<double>(b) / bins;
    bin.high = static_cast<double>(b + 1) / bins;
    result.ece += std::abs(bin.accuracy - bin.confidence) / n;
    result.ece_by_chance += std::sqrt(2 / std::numbers::pi * std::max(0.0, variances[b])) / n;
    bin.confidence /= static_cast<double>(bin.nodes);
    bin.accuracy /= static_cast<double>(bin.nodes);
  }
  result.confidence /= n;
  result.brier /= n;
  return result;
}

double fitted_softening(const JudgedShares& judged) {
  check(judged);
  if (judged.nodes() == 0) return std::numeric_limits<double>::quiet_NaN();
  if (slope_of(judged, 1 / kLeastSoftening) <= 0) return kLeastSoftening;
  if (slope_of(judged, 1 / kMostSoftening) >= 0) return kMostSoftening;
  double low = std::log(1 / kMostSoftening), high = std::log(1 / kLeastSoftening);  // of β = 1/T
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    (slope_of(judged, std::exp(middle)) < 0 ? low : high) = middle;
  }
  return std::exp(-(low + high) / 2);
}

double usable_softening(const JudgedShares& judged) {
  if (static_cast<std::int64_t>(judged.nodes()) < kLeastToSoften) return 1;
  const double softening = fitted_softening(judged);
  const bool bounded = softening > kLeastSoftening && softening < kMostSoftening;
  return bounded && log_likelihood(judged, softening) - log_likelihood(judged, 1) > kLeastGain ? softening
                                                                                               : 1;
}

}  // namespace heatfront
