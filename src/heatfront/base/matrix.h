// SPDX-License-Identifier: MIT
// Dense matrices, row-major. Matrix owns, MatrixView and ConstMatrixView lend: entry (i, j) is data[i·stride
// + j].
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/error.h"
#include "heatfront/base/types.h"

namespace heatfront {

template <class T>
struct BasicMatrixView {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t stride = 0;  // from one row to the next, ≥ cols

  T& operator()(std::int64_t i, std::int64_t j) const {
    assert(0 <= i && i < rows && 0 <= j && j < cols);
    return data[i * stride + j];
  }
  std::span<T> row(std::int64_t i) const {
    assert(0 <= i && i < rows);
    return {data + i * stride, static_cast<std::size_t>(cols)};
  }
  BasicMatrixView rows_between(std::int64_t begin, std::int64_t end) const {
    assert(0 <= begin && begin <= end && end <= rows);
    return {data + begin * stride, end - begin, cols, stride};
  }
  operator BasicMatrixView<const T>() const { return {data, rows, cols, stride}; }
};

using MatrixView = BasicMatrixView<Real>;
using ConstMatrixView = BasicMatrixView<const Real>;

// Memory on cache lines, so that padded rows can be loaded aligned.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kLine); }
  bool operator==(const CacheLineAllocator&) const { return true; }
};

class Matrix {
 public:
  Matrix() = default;
  Matrix(std::int64_t rows, std::int64_t cols) : Matrix(rows, cols, cols) {}
  Matrix(std::int64_t rows, std::int64_t cols, std::int64_t stride)
      : rows_(rows), cols_(cols), stride_(stride), values_(size_of(rows, cols, stride)) {}

  std::int64_t rows() const { return rows_; }
  std::int64_t cols() const { return cols_; }
  std::int64_t stride() const { return stride_; }

  Real& operator()(std::int64_t i, std::int64_t j) { return view()(i, j); }
  Real operator()(std::int64_t i, std::int64_t j) const { return view()(i, j); }
  std::span<Real> row(std::int64_t i) { return view().row(i); }
  std::span<const Real> row(std::int64_t i) const { return view().row(i); }

  MatrixView view() { return {values_.data(), rows_, cols_, stride_}; }
  ConstMatrixView view() const { return {values_.data(), rows_, cols_, stride_}; }
  operator MatrixView() { return view(); }
  operator ConstMatrixView() const { return view(); }

 private:
  static std::size_t size_of(std::int64_t rows, std::int64_t cols, std::int64_t stride) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / std::int64_t(sizeof(Real));
    if (rows < 0 || cols < 0 || stride < cols || (stride > 0 && rows > kMost / stride))
      throw Error("matrix: " + std::to_string(rows) + " rows of " + std::to_string(cols) + " columns, " +
                  std::to_string(stride) +
                  " apart; none can be negative, nor rows nearer than they are long");
    return static_cast<std::size_t>(rows * stride);
  }

  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::int64_t stride_ = 0;
  std::vector<Real, CacheLineAllocator<Real>> values_;
};

}  // namespace heatfront
