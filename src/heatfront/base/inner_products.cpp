// SPDX-License-Identifier: MIT
#include "heatfront/base/inner_products.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::int64_t kSummedRows = 4096;  // before the sums are added in order

using Doubles4 [[gnu::vector_size(4 * sizeof(double))]] = double;

[[gnu::always_inline]] inline void add_four(Doubles4& sum, const Real* m, std::int64_t u, const Vector4& x,
                                            const Vector4& y) {
  const Doubles4 product = __builtin_convertvector(x, Doubles4) * __builtin_convertvector(y, Doubles4);
  sum += m == nullptr ? product : static_cast<double>(m[u]) * product;
}

// Even and odd rows by themselves: an addition takes longer than to load the next row.
template <class Row>
[[gnu::always_inline]] inline void for_pairs(std::int64_t begin, std::int64_t end, const Row& row) {
  std::int64_t u = begin;
  for (; u + 2 <= end; u += 2) {
    row(u, 0);
    row(u + 1, 1);
  }
  if (u < end) row(u, 0);
}

// Each of these takes four columns of the rows begin … end−1; the views begin at the first of them.

HEATFRONT_CLONES void add_products(const Real* m, ConstMatrixView x, ConstMatrixView y, std::int64_t begin,
                                   std::int64_t end, double* sums) {
  Doubles4 both[2] = {};
  for_pairs(
      begin, end, [&](std::int64_t u, int parity) __attribute__((always_inline)) {
        Vector4 left, right;
        load(x.data + u * x.stride, left);
        load(y.data + u * y.stride, right);
        add_four(both[parity], m, u, left, right);
      });
  const Doubles4 sum = both[0] + both[1];
  __builtin_memcpy(sums, &sum, sizeof sum);
}

HEATFRONT_CLONES void descend_rows(const Real* along, const Real* diagonal, const Real* m, ConstMatrixView p,
                                   ConstMatrixView q, MatrixView x, MatrixView r, std::int64_t begin,
                                   std::int64_t end, double* squares, double* preconditioned) {
  Vector4 s;
  load(along, s);
  Doubles4 square[2] = {}, other[2] = {};
  for_pairs(
      begin, end, [&](std::int64_t u, int parity) __attribute__((always_inline)) {
        Vector4 direction, image, state, rest;
        load(p.data + u * p.stride, direction);
        load(q.data + u * q.stride, image);
        load(x.data + u * x.stride, state);
        load(r.data + u * r.stride, rest);
        state += s * direction;
        rest -= s * image;
        store(state, x.data + u * x.stride);
        store(rest, r.data + u * r.stride);
        add_four(square[parity], m, u, rest, rest);
        add_four(other[parity], m, u, rest, diagonal[u] * rest);
      });
  const Doubles4 sum = square[0] + square[1], other_sum = other[0] + other[1];
  __builtin_memcpy(squares, &sum, sizeof sum);
  __builtin_memcpy(preconditioned, &other_sum, sizeof other_sum);
}

HEATFRONT_CLONES void turn_rows(const Real* diagonal, const Real* factors, ConstMatrixView r, MatrixView p,
                                std::int64_t begin, std::int64_t end) {
  Vector4 t;
  load(factors, t);
  for (std::int64_t u = begin; u < end; ++u) {
    Vector4 rest, direction;
    load(r.data + u * r.stride, rest);
    load(p.data + u * p.stride, direction);
    direction = diagonal[u] * rest + t * direction;
    store(direction, p.data + u * p.stride);
  }
}

template <class View>
View from_column(View view, std::int64_t first) {
  view.data += first;
  return view;
}

// A factor for each column, and zeros for the padding.
std::vector<Real> padded(std::span<const double> factors) {
  std::vector<Real> result(factors.begin(), factors.end());
  result.resize(static_cast<std::size_t>(padded_width(std::ssize(factors))));
  return result;
}

// The sums that each(begin, end, first column, sums) writes for four columns, of `kinds` kinds, over all blocks.
class BlockSums {
 public:
  BlockSums(ConstMatrixView like, std::int64_t kinds)
      : width_(padded_width(like.cols)),
        kinds_(kinds),
        rows_(like.rows),
        parts_(at(blocks() * kinds * width_)) {}

  template <class Each>
  void run(Threads& threads, const Each& each) {
    threads.for_blocks(rows_, kSummedRows, [&](std::int64_t begin, std::int64_t end) {
      double* part = parts_.data() + begin / kSummedRows * kinds_ * width_;
      for (std::int64_t first = 0; first < width_; first += 4) each(begin, end, first, part + first);
    });
  }

  void total(std::int64_t kind, std::span<double> sums) const {
    std::ranges::fill(sums, 0.0);
    for (std::int64_t block = 0; block < blocks(); ++block) {
      for (std::size_t c = 0; c < sums.size(); ++c)
        sums[c] += parts_[at((block * kinds_ + kind) * width_) + c];
    }
  }

  std::int64_t width() const { return width_; }

 private:
  std::int64_t blocks() const { return (rows_ + kSummedRows - 1) / kSummedRows; }

  std::int64_t width_, kinds_, rows_;
  std::vector<double> parts_;
};

}  // namespace

void inner_products(std::span<const Real> m, ConstMatrixView x, ConstMatrixView y, std::span<double> products,
                    Threads& threads) {
  assert(x.rows == y.rows && x.cols == y.cols && std::ssize(products) == x.cols);
  BlockSums sums(x, 1);
  sums.run(threads, [&](std::int64_t begin, std::int64_t end, std::int64_t first, double* part) {
    add_products(m.empty() ? nullptr : m.data(), from_column(x, first), from_column(y, first), begin, end,
                 part);
  });
  sums.total(0, products);
}

void descend(const Descent& step, std::span<const Real> m, MatrixView x, MatrixView r,
             std::span<double> squares, std::span<double> preconditioned, Threads& threads) {
  const std::vector<Real> along = padded(step.along);
  BlockSums sums(r, 2);
  sums.run(threads, [&](std::int64_t begin, std::int64_t end, std::int64_t first, double* part) {
    descend_rows(along.data() + first, step.diagonal.data(), m.empty() ? nullptr : m.data(),
                 from_column(step.direction, first), from_column(step.image, first), from_column(x, first),
                 from_column(r, first), begin, end, part, part + sums.width());
  });
  sums.total(0, squares);
  sums.total(1, preconditioned);
}

void turn(std::span<const Real> diagonal, ConstMatrixView r, std::span<const double> t, MatrixView p,
          Threads& threads) {
  const std::vector<Real> factors = padded(t);
  threads.for_blocks(p.rows, kSummedRows, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = 0; first < std::ssize(factors); first += 4)
      turn_rows(diagonal.data(), factors.data() + first, from_column(r, first), from_column(p, first), begin,
                end);
  });
}

}  // namespace heatfront
