// SPDX-License-Identifier: MIT
// Exact nearest neighbours from inexact distances. Products of matrices in single precision give f(x, y) = ‖x̃‖² + ‖ỹ‖² −
// 2 x̃·ỹ, and the smallest f the candidates. With u = 2^-24 and d coordinates, its roundings and those of x̃ amount to
//
//     |f(x, y) − s²‖x − y‖²| ≤ ε (‖x̃‖² + ‖ỹ‖²)        ε = m u / (1 − m u),  m = 2d + 16
//
// whatever the order of summation: d a norm and d the product, which counts twice but is at most half of the
// squares; 3 the two sums, 4 the roundings of x̃ and ỹ, the rest for products of errors and for our own
// distances. A point y that is no candidate has f(x, y) ≥ w, the worst candidate's. With ‖ỹ‖² ≤ 2‖x̃‖² + 2‖x̃ −
// ỹ‖² follows
//
//     s²‖x − y‖² ≥ (w − 3 ε ‖x̃‖²) / (1 + 2 ε).
//
// If the k-th distance among the candidates, in double precision, is below that, no other point can be among
// the k nearest or tie with them. Otherwise we ask for more candidates, and in the end look at every point.
#include <algorithm>
#include <numeric>
#include <vector>

#include "heatfront/base/matrix_product.h"
#include "heatfront/base/simd.h"
#include "heatfront_neighbours/float_points.h"
#include "heatfront_neighbours/float_sums.h"
#include "heatfront_neighbours/knn_exact.h"
#include "heatfront_neighbours/knn_search.h"
#include "heatfront_neighbours/near_lists.h"

namespace heatfront::knn {
namespace {

constexpr int kRounds = 3;
constexpr int kFew = 20;             // fewer points are sooner compared with all than asked about
constexpr std::int64_t kGrowth = 4;  // of the number of candidates from round to round

std::int64_t first_width(int k) { return k + 1 + std::max(8, k / 2); }

constexpr std::int64_t kPointsABlock = 1024;  // that a product compares with the queries

HEATFRONT_CLONES float quick_square(const float* x, std::size_t size) { return quick_product(x, x, size); }

// Offers `list` the points first, first + 1, …, whose norms and products with a point of the norm `own` are given.
HEATFRONT_CLONES void offer(float own, std::span<const float> norms, const float* products,
                            std::int64_t first, std::span<Near> list) {
  constexpr std::size_t kTogether = 64;
  float f[kTogether];
  for (std::size_t begin = 0; begin < norms.size(); begin += kTogether) {
    const std::size_t count = std::min(kTogether, norms.size() - begin);
    const float worst = list.back().squared;
    int nearer = 0;
    if (count == kTogether) {
      for (std::size_t j = 0; j < kTogether; ++j) {
        f[j] = own + norms[begin + j] - 2 * products[begin + j];
        nearer |= f[j] < worst;
      }
    } else {
      for (std::size_t j = 0; j < count; ++j) f[j] = own + norms[begin + j] - 2 * products[begin + j];
      nearer = 1;
    }
    if (nearer == 0) continue;
    for (std::size_t j = 0; j < count; ++j) {
      if (f[j] < list.back().squared)
        insert({f[j], static_cast<NodeId>(first + static_cast<std::int64_t>(begin + j))}, list);
    }
  }
}

}  // namespace

ExactSearch::ExactSearch(ConstMatrixView points, const FloatPoints& floats, int k, Threads& threads)
    : points_(points), floats_(floats), k_(k), norms_(at(points.rows)) {
  threads.for_blocks(points.rows, 1024, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u)
      norms_[at(u)] = quick_square(floats.row(u).data(), at(floats.cols()));
  });
}

void ExactSearch::search(std::span<const NodeId> queries, const PutNearest& put) const {
  std::vector<NodeId> open(queries.begin(), queries.end());  // points without an answer
  std::int64_t width = first_width(k_);
  for (int round = 0; round < kRounds && std::ssize(open) >= kFew; ++round, width *= kGrowth) {
    open = answer(open, std::min(width, points_.rows), put);
  }
  for (NodeId u : open) put(u, nearest_of_all(points_, u, k_));
}

// Puts what `width` candidates decide, and returns the other queries.
std::vector<NodeId> ExactSearch::answer(std::span<const NodeId> queries, std::int64_t width,
                                        const PutNearest& put) const {
  const std::int64_t cols = points_.cols, count = std::ssize(queries);
  std::vector<float> rows;
  rows.reserve(at(count * cols));
  for (NodeId u : queries) rows.insert(rows.end(), floats_.row(u).begin(), floats_.row(u).end());
  std::vector<float> products(at(count * std::min(kPointsABlock, points_.rows)));
  NearLists lists(count, width);
  for (std::int64_t begin = 0; begin < points_.rows; begin += kPointsABlock) {
    const std::int64_t end = std::min(begin + kPointsABlock, points_.rows);
    const BasicMatrixView<float> product{products.data(), count, end - begin, end - begin};
    multiply_by_transposed_here({rows.data(), count, cols, cols}, floats_.view().rows_between(begin, end),
                                product);
    const auto norms = std::span(norms_).subspan(at(begin), at(end - begin));
    for (std::int64_t q = 0; q < count; ++q) {
      offer(norms_[at(queries[at(q)])], norms, product.row(q).data(), begin, lists.of(q));
    }
  }
  std::vector<NodeId> undecided;
  std::vector<std::int64_t> ids(at(width));
  for (std::int64_t q = 0; q < count; ++q) {
    const NodeId u = queries[at(q)];
    const auto list = lists.of(q);
    std::ranges::transform(list, ids.begin(), &Near::id);
    const auto nearest = nearest_among(points_, u, ids, k_);
    const double worst = static_cast<double>(list.back().squared);
    if (width == points_.rows || nearest.back().squared < bound_of_others(u, worst)) {
      put(u, nearest);
    } else {
      undecided.push_back(u);
    }
  }
  return undecided;
}

// No point outside the candidates has a smaller squared distance to u.
double ExactSearch::bound_of_others(NodeId u, double worst) const {
  const double mu = (2.0 * static_cast<double>(points_.cols) + 16) * 0x1p-24;
  if (mu > 0.5) return 0;
  const double epsilon = mu / (1 - mu);
  const double underflow = static_cast<double>(points_.cols) * 0x1p-120;  // of coordinates and products
  const double norm = static_cast<double>(norms_[at(u)]) * (1 + epsilon);
  return (worst - 3 * epsilon * norm - underflow) / (1 + 2 * epsilon) / floats_.scale() / floats_.scale();
}

void search_exactly(ConstMatrixView points, Threads& threads, const ProgressCallback& progress,
                    Neighbours& result) {
  const FloatPoints floats(points, threads);
  const ExactSearch exact(points, floats, result.k, threads);
  for_points(points.rows, "finding neighbours", threads, progress, [&](std::int64_t begin, std::int64_t end) {
    std::vector<NodeId> queries(at(end - begin));
    std::iota(queries.begin(), queries.end(), static_cast<NodeId>(begin));
    exact.search(queries, [&](NodeId u, std::span<const Candidate> nearest) { put_row(nearest, u, result); });
  });
}

}  // namespace heatfront::knn
