// SPDX-License-Identifier: MIT
// The Laplacian of rows that are shared out among ranks (graph/rank_graph.h). A product sends rows to those that read them, computes
// the rows inside meanwhile, then those of the boundary. Every number has the bits that Laplacian gives it, whatever the partition.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heatfront/flow/laplacian.h"
#include "heatfront/graph/arc_pairs.h"
#include "heatfront/graph/halo.h"
#include "heatfront/graph/rank_graph.h"

namespace heatfront {

class RankLaplacian final : public Operator {
 public:
  // Collective. Lends everything.
  RankLaplacian(const RankGraph& graph, const LaplacianOptions& options, double lambda,
                const Cluster& cluster, Threads& threads);

  // Other weights, by arc as add_gradient() has them; lent. Collective.
  void set_weights(std::span<const Real> weights);

  // Holds these rows fixed, in place of those held before. Collective.
  void clamp(std::span<const NodeId> rows);

  // States of the flow → coordinates of the operator, and back.
  void enter(MatrixView state) const;
  void leave(MatrixView state) const;
  void enter_adjoint(MatrixView gradient) const;
  void leave_adjoint(MatrixView gradient) const;

  std::int64_t rows() const override { return graph_.rows; }
  double lowest() const override;  // collective after new weights
  bool self_adjoint() const override { return kind_.self_adjoint; }
  bool clamps() const override { return clamps_; }
  std::span<const std::uint8_t> clamped() const override { return clamped_; }
  std::span<const Real> outflow() const override { return shift_; }
  Threads& threads() const override { return threads_; }
  const Ranks& ranks() const override { return cluster_.ranks(); }
  double sum_roundings() const override { return sum_roundings_; }
  std::span<const Real> row_scale() const override;
  std::span<const Real> metric() const override;
  void apply(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const override;
  void apply_adjoint(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const override;

  // Entries are by arc: those of the blocks inside, one after another, then those of the boundary.
  void add_gradient(double scale, ConstMatrixView a, ConstMatrixView x,
                    OperatorGradient& gradient) const override;
  OperatorGradient zero_gradient() const;

  // As Laplacian has it, of arcs in this order.
  void weight_gradient(const OperatorGradient& gradient, ConstMatrixView start, ConstMatrixView d_start,
                       ConstMatrixView end, ConstMatrixView d_end, ArcPairs& pairs,
                       Laplacian::WeightGradient& result) const;

  std::span<const Real> degrees() const { return degrees_; }

 private:
  template <class Inside, class Boundary>
  void exchange(ConstMatrixView x, const Inside& inside, const Boundary& boundary) const;
  void run(const Step& step, bool clamped, ConstMatrixView x, MatrixView y, MatrixView sum) const;
  RowKernel kernel_of(const RowBlock& block, std::int64_t first_row, std::int64_t stride, bool clamped) const;
  // Made as Laplacian makes it, when it is asked for.
  struct SpectrumBound {
    int sweeps_due = 0;
    double lowest = 0;
    std::vector<double> y;
  };

  template <class Each>
  void for_blocks(const Each& each) const;
  void set_degrees();
  void bound_spectrum() const;
  std::vector<double> strip_of(const std::vector<double>& rows) const;

  const RankGraph& graph_;
  const Cluster& cluster_;
  const LaplacianEntry& kind_;
  double self_loop_;  // ℓ
  double lambda_;
  Threads& threads_;
  std::unique_ptr<Halo> halo_;
  bool far_apart_;
  std::vector<RowBlock> inside_;  // those of the graph, with the weights that there are now
  RowBlock boundary_;
  double sum_roundings_ = 0;
  bool clamps_ = false;
  std::vector<Real> degrees_, roots_, inverse_roots_, scale_, shift_;  // as Laplacian has them
  std::vector<std::uint8_t> clamped_;
  mutable SpectrumBound bound_;
  mutable Matrix strip_;  // what the boundary reads
};

}  // namespace heatfront
