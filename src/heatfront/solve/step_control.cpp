// SPDX-License-Identifier: MIT
#include "heatfront/solve/step_control.h"

#include <algorithm>
#include <cmath>

namespace heatfront {
namespace {

constexpr std::int64_t kRowsASum = 4096;  // rows summed before the sums are added in order

// √ mean of part(i, scale of the row)² over the entries i.
template <class Part>
double root_mean_square(const Operator& a, ConstMatrixView like, const Part& part) {
  const std::span<const Real> scales = a.row_scale();
  const double sum =
      a.threads().sum_blocks<double>(like.rows, kRowsASum, [&](std::int64_t begin, std::int64_t end) {
        double block = 0;
        for (std::int64_t u = begin; u < end; ++u) {
          const double scale = scales.empty() ? 1 : static_cast<double>(scales[static_cast<std::size_t>(u)]);
          for (std::int64_t i = u * like.stride; i < u * like.stride + like.cols; ++i) {
            const double value = part(i, scale);
            block += value * value;
          }
        }
        return block;
      });
  const double entries = static_cast<double>(like.rows) * static_cast<double>(like.cols);
  return entries == 0 ? 0 : std::sqrt(sum / entries);
}

double magnitude(ConstMatrixView x, std::int64_t i) { return std::abs(static_cast<double>(x.data[i])); }

}  // namespace

double StepControl::error_ratio(const Operator& a, ConstMatrixView error, ConstMatrixView before,
                                ConstMatrixView after) const {
  return root_mean_square(a, before, [&](std::int64_t i, double scale) {
    const double size = std::max(magnitude(before, i), magnitude(after, i));
    return scale * magnitude(error, i) / (atol_ + rtol_ * scale * size);
  });
}

double StepControl::next_step(double step, double ratio) const {
  constexpr double kSafety = 0.9, kMostGrowth = 10, kMostShrinking = 0.2;
  if (ratio == 0) return step * kMostGrowth;
  if (!std::isfinite(ratio)) return step * kMostShrinking;
  const double least = ratio < 1 ? 1 : kMostShrinking;
  return step * std::clamp(kSafety * std::pow(ratio, -1.0 / order_), least, kMostGrowth);
}

double StepControl::first_step(const Operator& a, ConstMatrixView state, ConstMatrixView slope,
                               ConstMatrixView curvature, double unit) const {
  const auto norm = [&](ConstMatrixView x) {
    return root_mean_square(a, state, [&](std::int64_t i, double scale) {
      return scale * magnitude(x, i) / (atol_ + rtol_ * scale * magnitude(state, i));
    });
  };
  constexpr double kTiny = 1e-5, kFlat = 1e-15, kShort = 1e-6;
  const double d0 = norm(state), d1 = norm(slope);
  const double guess = d0 < kTiny || d1 < kTiny ? kShort : 0.01 * d0 / d1;
  // After an Euler step of this length the slope has changed by guess · A A u.
  const double steepest = std::max(d1, unit * norm(curvature));
  const double step =
      steepest <= kFlat ? std::max(kShort, guess * 1e-3) : std::pow(0.01 / steepest, 1.0 / order_);
  return std::min(100 * guess, step);
}

}  // namespace heatfront
