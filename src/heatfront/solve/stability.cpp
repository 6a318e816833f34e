// SPDX-License-Identifier: MIT
#include "heatfront/solve/stability.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace heatfront {
namespace {

constexpr double kRoundingInR = 1e-12;
constexpr double kFar = 1e4;  // a method stable up to here is stable anywhere

bool stable_at(const StabilityFunction& r, double x) { return std::abs(1 + r(-x)) <= 1 + kRoundingInR; }

}  // namespace

StabilityFunction polynomial(std::span<const double> coefficients) {
  return [c = std::vector<double>(coefficients.begin(), coefficients.end())](double z) {
    double value = 0;
    for (std::size_t j = c.size(); j-- > 1;) value = (value + c[j]) * z;
    return value;
  };
}

double stable_interval(const StabilityFunction& r) {
  constexpr double kStride = 1e-2;
  double inside = 0, outside = kStride;
  while (stable_at(r, outside)) {
    inside = outside;
    outside = std::max(outside + kStride, outside * 1.001);
    if (outside > kFar) return std::numeric_limits<double>::infinity();
  }
  while (outside - inside > 1e-12 * outside) {
    const double middle = (inside + outside) / 2;
    (stable_at(r, middle) ? inside : outside) = middle;
  }
  return inside;
}

// Even in z where R has its wiggles, and even in log z where exp(tz) lives.
Amplification::Amplification(StabilityFunction r, double lowest, double time) : r_(std::move(r)) {
  constexpr int kSamples = 250;
  const double nearest = 1e-4 / (1 - lowest * time);
  for (int i = 0; i <= kSamples; ++i) {
    const double share = static_cast<double>(i) / kSamples;
    z_.push_back(lowest * std::pow(nearest, 1 - share));
    if (i > 0) z_.push_back(lowest * share);
  }
  logs_.assign(z_.size(), 0.0);
  negative_.assign(z_.size(), 0);
}

void Amplification::take(double step, std::int64_t times) {
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double growth = r_(step * z_[i]);
    const double log = growth > -1 ? std::log1p(growth) : std::log(-1 - growth);
    logs_[i] += static_cast<double>(times) * log;
    if (growth < -1 && times % 2 != 0) negative_[i] = negative_[i] == 0 ? 1 : 0;
  }
  time_ += step * static_cast<double>(times);
}

double Amplification::error_bound(bool clamped) const {
  double worst = 0, worst_at_boundary = 0;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double truth = std::exp(time_ * z_[i]), off = logs_[i] - time_ * z_[i];
    const double factor = negative_[i] != 0 ? -std::exp(logs_[i]) : std::exp(logs_[i]);
    const double error =
        factor > 0 && std::abs(off) < 1 ? truth * std::abs(std::expm1(off)) : std::abs(factor - truth);
    worst = std::max(worst, error);
    if (z_[i] < 0) worst_at_boundary = std::max(worst_at_boundary, error / std::sqrt(-z_[i]));
  }
  constexpr double kBetweenSamples = 1.01;
  const double lowest = z_.back();
  return kBetweenSamples * (clamped ? std::hypot(worst, std::sqrt(-lowest) * worst_at_boundary) : worst);
}

}  // namespace heatfront
