// SPDX-License-Identifier: MIT
// All parameters of a model are one block of numbers with named views; gradients and the optimiser's memory have
// the same layout, so that updating, decay, saving and counting are single loops. Rows are padded (spread_matrix),
// and the padding stays zero.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"

namespace heatfront {

using ParameterBlock = std::vector<Real, CacheLineAllocator<Real>>;

struct Parameter {
  std::string name;
  std::int64_t rows = 0, cols = 0, stride = 0;
  std::int64_t offset = 0;  // of its first number in the block

  MatrixView in(std::span<Real> block) const { return {block.data() + offset, rows, cols, stride}; }
  ConstMatrixView in(std::span<const Real> block) const {
    return {block.data() + offset, rows, cols, stride};
  }
  std::int64_t end() const { return offset + rows * stride; }
};

class ParameterLayout {
 public:
  // Begins on a cache line.
  Parameter add(std::string name, std::int64_t rows, std::int64_t cols) {
    constexpr std::int64_t kLine = 16;
    Parameter parameter{std::move(name), rows, cols, spread_width(cols), (size_ + kLine - 1) / kLine * kLine};
    size_ = parameter.end();
    parameters_.push_back(parameter);
    return parameter;
  }

  std::span<const Parameter> parameters() const { return parameters_; }
  std::int64_t size() const { return size_; }  // of the block
  std::int64_t count() const {                 // of the numbers that are learned
    std::int64_t sum = 0;
    for (const Parameter& parameter : parameters_) sum += parameter.rows * parameter.cols;
    return sum;
  }
  ParameterBlock zeros() const { return ParameterBlock(static_cast<std::size_t>(size_)); }

 private:
  std::vector<Parameter> parameters_;
  std::int64_t size_ = 0;
};

}  // namespace heatfront
