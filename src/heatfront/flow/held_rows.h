// SPDX-License-Identifier: MIT
// The rows that a flow holds, and what they were when heat began to flow: solvers keep them, but changing coordinates and back
// rounds, and an answer gives them back to the bit.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"

namespace heatfront {

class HeldRows {
 public:
  void hold(std::vector<NodeId> rows) { rows_ = std::move(rows); }
  std::span<const NodeId> rows() const { return rows_; }

  void keep(ConstMatrixView state) {
    values_.clear();
    values_.reserve(rows_.size() * at(state.cols));
    for (NodeId u : rows_) {
      const auto row = state.row(u);
      values_.insert(values_.end(), row.begin(), row.end());
    }
  }
  void restore(MatrixView state) const {
    auto from = values_.begin();
    for (NodeId u : rows_) {
      std::copy_n(from, state.cols, state.row(u).begin());
      from += state.cols;
    }
  }

 private:
  std::vector<NodeId> rows_;
  std::vector<Real> values_;
};

}  // namespace heatfront
