// SPDX-License-Identifier: MIT
// A Laplacian whose rows are shared out among pretended ranks. Each has its own rows, in ascending order, and the rows of
// others that its arcs lead to (ghosts) behind them; every row keeps its arcs in the order of the whole graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/flow/laplacian.h"
#include "heatfront/flow/row_kernel.h"
#include "support/pretended_ranks.h"

namespace heatfront::test {

// What can be wrong with an operator, so that tests can see that it matters.
struct SplitFault {
  bool sums_alone = false;         // ranks() says that there are no others
  bool keeps_ghosts_cold = false;  // rows of other ranks never come
  int products_before_error = -1;  // an Error, on the last rank, at this product; −1: never
};

class SplitOperator : public Operator {
 public:
  // `owners`: the rank of every row of the whole operator, which had this speed and these loops.
  SplitOperator(const Laplacian& whole, double lambda, const LaplacianOptions& options,
                std::span<const int> owners, int rank, Meeting& meeting, const SplitFault& fault = {});

  std::int64_t rows() const override { return std::ssize(own_); }
  double lowest() const override { return lowest_; }
  bool self_adjoint() const override { return true; }
  bool clamps() const override { return clamps_; }
  std::span<const std::uint8_t> clamped() const override { return clamped_; }
  std::span<const Real> outflow() const override { return outflow_; }
  Threads& threads() const override { return threads_; }
  const Ranks& ranks() const override { return fault_.sums_alone ? Ranks::alone() : ranks_; }
  double sum_roundings() const override { return sum_roundings_; }
  std::span<const Real> row_scale() const override { return row_scale_; }
  std::span<const Real> metric() const override { return metric_; }
  void apply(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const override;
  void apply_adjoint(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const override;
  void add_gradient(double scale, ConstMatrixView a, ConstMatrixView x,
                    OperatorGradient& gradient) const override;

  // Rows of the whole → those of this rank, and back; likewise for ∂L/∂A.
  Matrix part_of(ConstMatrixView whole) const;
  void put_back(ConstMatrixView part, MatrixView whole) const;
  OperatorGradient zero_gradient() const;
  void put_back(const OperatorGradient& part, OperatorGradient& whole) const;

 private:
  struct Ghost {
    int owner;
    std::int64_t row;  // of the owner's
  };
  Matrix with_ghosts(ConstMatrixView own) const;
  RowKernel kernel() const;

  mutable Threads threads_{1};
  Meeting& meeting_;
  PretendedRanks ranks_;
  SplitFault fault_;
  mutable int products_ = 0;
  double lowest_, sum_roundings_;
  bool clamps_;
  std::vector<NodeId> own_;  // rows of the whole
  std::vector<Ghost> ghosts_;
  std::vector<ArcId> offsets_, arcs_;  // arcs_: those of the whole
  std::vector<NodeId> targets_;        // own rows, then ghosts
  std::vector<Real> weights_, scale_, outflow_, metric_, row_scale_;
  std::vector<std::uint8_t> clamped_;
};

}  // namespace heatfront::test
