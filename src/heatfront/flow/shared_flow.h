// SPDX-License-Identifier: MIT
// A flow whose rows are shared out among ranks, while every rank has states as a whole: for models in use, which every rank reads as a
// whole. All calls are collective, with the same arguments everywhere, and give the same on every rank, with the bits that Flow gives as far
// as RankFlow has them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heatfront/flow/flow.h"
#include "heatfront/flow/rank_flow.h"

namespace heatfront {

class SharedFlow final : public NodeFlow {
 public:
  // Weights (by arc of the whole graph), cluster and threads are lent. Error unless the rows are of this graph.
  SharedFlow(const Graph& graph, std::span<const Real> weights, const FlowOptions& options, RankGraph rows,
             const Cluster& cluster, Threads& threads);
  SharedFlow(const SharedFlow&) = delete;  // the flow looks into this one
  SharedFlow& operator=(const SharedFlow&) = delete;

  const FlowOptions& options() const override { return options_; }
  const Graph& graph() const override { return graph_; }
  std::span<const Real> weights() const override { return weights_; }
  Threads& threads() const override { return threads_; }

  void hold(std::span<const NodeId> nodes) override;
  Temperatures solve(Matrix start) override;
  SolveReport curve(std::span<const double> times, Matrix start, const VisitTime& visit) override;
  Matrix shares_of(std::span<const NodeId> nodes, double tolerance) override;
  Matrix mean_heat_from(std::span<const NodeId> sources, double tolerance) override;
  const Components& components() override;

 private:
  Matrix own_rows(ConstMatrixView whole) const;
  Matrix indicators(std::span<const NodeId> nodes) const;
  Matrix whole_of(const Matrix& own);

  FlowOptions options_;
  Graph graph_;
  std::span<const Real> weights_;
  Threads& threads_;
  RankGraph rows_;
  std::vector<Real> own_weights_;
  RankFlow flow_;
  std::vector<RemoteRow> others_;  // rows of all other ranks
  std::unique_ptr<Halo> all_;      // brings them
  std::vector<NodeId> ids_;        // of own rows, then of those
  std::vector<NodeId> place_;      // of every node: its own row; −1: another rank has it
  std::optional<Components> components_;
};

}  // namespace heatfront
