// SPDX-License-Identifier: MIT
// A flow to a time, or along a curve of times, on rows that are shared out among ranks. States have the rows of this rank, in the order of its
// graph. All calls are collective. The temperatures have the bits that Flow gives them; bounds of errors add up over ranks, and so differ
// from Flow's by roundings in double precision.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heatfront/flow/flow.h"
#include "heatfront/flow/held_rows.h"
#include "heatfront/flow/rank_laplacian.h"

namespace heatfront {

class RankFlow final : public StepFlow {
 public:
  // Lends graph, cluster and threads. Error for times that have no end, and for another order of the nodes.
  RankFlow(const RankGraph& graph, const FlowOptions& options, const Cluster& cluster, Threads& threads);

  // Weights are by arc of this rank, in the order of its blocks.
  void set_weights(std::span<const Real> weights) override { laplacian_.set_weights(weights); }
  void hold(std::span<const NodeId> rows) override;

  // As Flow has them.
  Temperatures solve(Matrix start);
  SolveReport curve(std::span<const double> times, Matrix start, const VisitTime& visit);

  SolveReport forward(MatrixView state, Trace* trace) override;
  SolveReport backward(const Trace& trace, MatrixView gradient, OperatorGradient* d_operator) override;
  void weight_gradient(const OperatorGradient& gradient, ConstMatrixView start, ConstMatrixView d_start,
                       ConstMatrixView end, ConstMatrixView d_end, ArcPairs& pairs,
                       Laplacian::WeightGradient& result) const override {
    laplacian_.weight_gradient(gradient, start, d_start, end, d_end, pairs, result);
  }
  OperatorGradient zero_gradient() const override { return laplacian_.zero_gradient(); }

  // As Flow has them, of columns that begin as 1 at one node each.
  Matrix shares_of(Matrix indicators, double tolerance);
  Matrix mean_heat_from(Matrix indicators, double tolerance);

  // Rows that heat from these rows, or from rows of other ranks, reaches over edges of weights above 0.
  std::vector<bool> reached_from(std::span<const NodeId> rows);

  // Calculus::dirichlet_energy of all columns together, over all ranks.
  double dirichlet_energy(ConstMatrixView state);

  const RankLaplacian& laplacian() const { return laplacian_; }

 private:
  double time() const;             // that heat flows: none where nothing can
  std::int64_t most_rows() const;  // of any rank, with what its boundary reads

  const RankGraph& graph_;
  FlowOptions options_;
  const Cluster& cluster_;
  RankLaplacian laplacian_;
  std::unique_ptr<TimeSolver> solver_;
  HeldRows held_;
};

}  // namespace heatfront
