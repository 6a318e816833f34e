// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/principal_axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "heatfront/base/simd.h"
#include "heatfront_neighbours/float_sums.h"

namespace heatfront::knn {
namespace {

constexpr std::int64_t kAxes = 128;
constexpr std::int64_t kSampled = 1024;
constexpr int kIterations = 2;
constexpr std::int64_t kJudges = 64;  // points of the sample whose nearest are looked at
constexpr float kDependent = 1e-4F;   // what is left of a row that others make up, by rounding
constexpr double kKept = 0.7;         // the least share of their squared distance

HEATFRONT_CLONES float inner(const float* x, const float* y, std::size_t size) {
  return quick_product(x, y, size);
}

HEATFRONT_CLONES float squared_difference(const float* x, const float* y, std::size_t size) {
  return quick_squared_distance(x, y, size);
}

HEATFRONT_CLONES void add_times(float factor, const float* x, std::size_t size, float* y) {
  for (std::size_t i = 0; i < size; ++i) y[i] += factor * x[i];
}

// Rows of length 1, each orthogonal to those before it; rows that depend on them become 0.
void make_orthonormal(BasicMatrixView<float> rows) {
  const std::size_t size = at(rows.cols);
  for (std::int64_t i = 0; i < rows.rows; ++i) {
    float* row = rows.row(i).data();
    const float before = std::sqrt(inner(row, row, size));
    for (std::int64_t j = 0; j < i; ++j) {
      const float* other = rows.row(j).data();
      add_times(-inner(row, other, size), other, size, row);
    }
    const float length = std::sqrt(inner(row, row, size));
    const float factor = length > kDependent * before ? 1 / length : 0;
    for (float& x : rows.row(i)) x *= factor;
  }
}

// The mean share of its squared distance to the nearest other row that each of the first rows keeps; a row with a copy
// does not count.
double share_kept(const FloatPoints& whole, const FloatPoints& few) {
  const auto squared = [](const FloatPoints& rows, std::int64_t i, std::int64_t j) {
    return squared_difference(rows.row(i).data(), rows.row(j).data(), at(rows.cols()));
  };
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < kJudges; ++i) {
    float least = std::numeric_limits<float>::infinity();
    std::int64_t nearest = i;
    for (std::int64_t j = 0; j < whole.rows(); ++j) {
      const float f = j == i ? least : squared(whole, i, j);
      if (f < least) least = f, nearest = j;
    }
    if (least == 0) continue;
    sum += static_cast<double>(squared(few, i, nearest) / least);
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

FloatPoints sample_of(const FloatPoints& points, const Random& random) {
  FloatPoints sample(kSampled, points.cols());
  for (std::int64_t i = 0; i < kSampled; ++i) {
    const auto u = random.below(static_cast<std::uint64_t>(points.rows()), static_cast<std::uint64_t>(i));
    std::ranges::copy(points.row(static_cast<std::int64_t>(u)), sample.view().row(i).begin());
  }
  return sample;
}

FloatPoints axes_of(const FloatPoints& sample, const Random& random, Threads& threads) {
  FloatPoints across(sample.cols(), kSampled), axes(kAxes, sample.cols()), shares(kAxes, kSampled);
  for (std::int64_t i = 0; i < kSampled; ++i) {
    for (std::int64_t j = 0; j < sample.cols(); ++j) across.view()(j, i) = sample.view()(i, j);
  }
  for (std::int64_t i = 0; i < kAxes; ++i) {
    const auto first = random.below(static_cast<std::uint64_t>(kSampled), static_cast<std::uint64_t>(i));
    std::ranges::copy(sample.row(static_cast<std::int64_t>(first)), axes.view().row(i).begin());
  }
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    multiply_by_transposed(axes, sample, threads, shares);
    multiply_by_transposed(shares, across, threads, axes);
    make_orthonormal(axes.view());
  }
  return axes;
}

}  // namespace

std::optional<FloatPoints> in_few_coordinates(const FloatPoints& points, const Random& random,
                                              Threads& threads) {
  if (points.cols() < 2 * kAxes || points.rows() < 4 * kSampled) return {};
  const FloatPoints sample = sample_of(points, random.part(0));
  const FloatPoints axes = axes_of(sample, random.part(1), threads);
  FloatPoints few_of_sample(kSampled, kAxes);
  multiply_by_transposed(sample, axes, threads, few_of_sample);
  if (share_kept(sample, few_of_sample) < kKept) return {};
  FloatPoints few(points.rows(), kAxes);
  multiply_by_transposed(points, axes, threads, few);
  return few;
}

}  // namespace heatfront::knn
