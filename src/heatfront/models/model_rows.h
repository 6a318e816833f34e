// SPDX-License-Identifier: MIT
// The nodes that a model is trained on: all of a data set, or those that one of several ranks has. Then the data set has a row for each of them,
// in the order of the rank's graph, the split names rows, and edges and their weights are the graph's alone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heatfront/data/dataset.h"
#include "heatfront/flow/flow.h"
#include "heatfront/graph/arc_pairs.h"
#include "heatfront/graph/halo.h"
#include "heatfront/graph/rank_graph.h"

namespace heatfront {

// What a rank has.
struct RankData {
  RankGraph graph;
  Dataset rows;
  std::vector<std::int64_t> training_places;  // of rows.split->train in the whole split's
};

// `nodes` says of all nodes what there is to say, in the user's numbering, but for features; these are of the rank's rows.
RankData rank_data(RankGraph graph, const Dataset& nodes, Features features);

// Lends everything that it is made of.
class ModelRows {
 public:
  explicit ModelRows(const Dataset& dataset) : dataset_(dataset) {}
  ModelRows(const RankData& data, const Cluster& cluster);  // collective

  const Dataset& dataset() const { return dataset_; }
  const Ranks& ranks() const { return cluster_->ranks(); }
  bool parted() const { return data_ != nullptr; }
  std::int64_t nodes() const;           // on all ranks
  std::span<const NodeId> ids() const;  // the user's number of each row's node; empty: that of the row

  // Of rows.split->train in the whole split's; empty: as they come.
  std::span<const std::int64_t> training_places() const;

  ArcId arcs() const;                     // from these rows
  std::span<const Real> weights() const;  // by arc; empty: all 1
  ArcPairs pairs() const;                 // collective
  std::vector<ArcId> arc_numbers()
      const;  // of these arcs in the whole graph; empty: as they come. Collective
  std::unique_ptr<StepFlow> flow(std::span<const Real> weights, const FlowOptions& options,
                                 Threads& threads) const;  // collective

  // Of all nodes in the user's order, on the first rank; elsewhere nothing. Collective.
  Matrix whole(ConstMatrixView rows) const;

  // The same of numbers by arc.
  std::vector<Real> whole(std::span<const Real> by_arc, const std::vector<ArcId>& numbers) const;

 private:
  const Dataset& dataset_;
  const RankData* data_ = nullptr;
  const Cluster* cluster_ = &Cluster::alone();
  std::vector<Real> weights_;  // of a rank
};

}  // namespace heatfront
