// SPDX-License-Identifier: MIT
// Exact nearest neighbours from inexact distances. faiss computes f(x, y) = ‖x̃‖² + ‖ỹ‖² − 2 x̃·ỹ by matrix
// products in single precision and gives the candidates with the smallest f. With u = 2^-24 and d
// coordinates, its roundings and those of x̃ amount to
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
#include <faiss/utils/distances.h>

#include <algorithm>
#include <numeric>

#include "heatfront/graph/float_points.h"
#include "heatfront/graph/knn_search.h"

namespace heatfront::knn {
namespace {

constexpr int kRounds = 3;
constexpr int kFew = 20;             // fewer points are sooner compared with all than asked about
constexpr std::int64_t kGrowth = 4;  // of the number of candidates from round to round

std::int64_t first_width(int k) { return k + 1 + std::max(8, k / 2); }

class ExactSearch {
 public:
  ExactSearch(ConstMatrixView points, int k) : points_(points), k_(k), floats_(points) {
    const OneOpenMpThread one;
    rows_.reserve(static_cast<std::size_t>(points.rows * points.cols));
    for (NodeId u = 0; u < points.rows; ++u) floats_.append(u, rows_);
    norms_.resize(static_cast<std::size_t>(points.rows));
    faiss::fvec_norms_L2sqr(norms_.data(), rows_.data(), cols(), norms_.size());
  }

  void search(std::int64_t begin, std::int64_t end, Neighbours& result) const {
    std::vector<NodeId> open(static_cast<std::size_t>(end - begin));  // points without an answer
    std::iota(open.begin(), open.end(), static_cast<NodeId>(begin));
    std::int64_t width = first_width(k_);
    for (int round = 0; round < kRounds && std::ssize(open) >= kFew; ++round, width *= kGrowth) {
      open = answer(open, std::min(width, points_.rows), result);
    }
    for (NodeId u : open) put_row(nearest_of_all(points_, u, k_), u, result);
  }

 private:
  std::size_t cols() const { return static_cast<std::size_t>(points_.cols); }

  // Puts the rows that `width` candidates decide, and returns the others.
  std::vector<NodeId> answer(std::span<const NodeId> queries, std::int64_t width, Neighbours& result) const {
    std::vector<float> rows;
    rows.reserve(queries.size() * cols());
    for (NodeId u : queries) floats_.append(u, rows);
    const auto wide = static_cast<std::size_t>(width);
    std::vector<float> f(queries.size() * wide);
    std::vector<std::int64_t> ids(queries.size() * wide);
    faiss::knn_L2sqr(rows.data(), rows_.data(), cols(), queries.size(), norms_.size(), wide, f.data(),
                     ids.data(), norms_.data());
    std::vector<NodeId> undecided;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      const NodeId u = queries[q];
      const auto nearest = nearest_among(points_, u, std::span(ids).subspan(q * wide, wide), k_);
      const double worst = static_cast<double>(f[(q + 1) * wide - 1]);
      if (width == points_.rows || nearest.back().squared < bound_of_others(u, worst)) {
        put_row(nearest, u, result);
      } else {
        undecided.push_back(u);
      }
    }
    return undecided;
  }

  // No point outside the candidates has a smaller squared distance to u.
  double bound_of_others(NodeId u, double worst) const {
    const double mu = (2.0 * static_cast<double>(points_.cols) + 16) * 0x1p-24;
    if (mu > 0.5) return 0;
    const double epsilon = mu / (1 - mu);
    const double underflow = static_cast<double>(points_.cols) * 0x1p-120;  // of coordinates and products
    const double norm = static_cast<double>(norms_[static_cast<std::size_t>(u)]) * (1 + epsilon);
    return (worst - 3 * epsilon * norm - underflow) / (1 + 2 * epsilon) / floats_.scale() / floats_.scale();
  }

  ConstMatrixView points_;
  int k_;
  FloatPoints floats_;
  std::vector<float> rows_;   // x̃
  std::vector<float> norms_;  // ‖x̃‖²
};

}  // namespace

void search_exactly(ConstMatrixView points, Threads& threads, const ProgressCallback& progress,
                    Neighbours& result) {
  const ExactSearch exact(points, result.k);
  for_points(points.rows, threads, progress,
             [&](std::int64_t begin, std::int64_t end) { exact.search(begin, end, result); });
}

}  // namespace heatfront::knn
