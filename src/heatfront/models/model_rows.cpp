// SPDX-License-Identifier: MIT
#include "heatfront/models/model_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "heatfront/flow/rank_flow.h"
#include "heatfront/graph/gather.h"

namespace heatfront {
namespace {

// each(block, its first row)
template <class Each>
void for_blocks(const RankGraph& graph, const Each& each) {
  for (const RowBlock& block : graph.inside) each(block, block.first);
  each(graph.boundary, graph.inside_rows);
}

}  // namespace

RankData rank_data(RankGraph graph, const Dataset& nodes, Features features) {
  RankData data{.graph = std::move(graph), .rows = {.name = nodes.name}, .training_places = {}};
  const std::vector<NodeId>& ids = data.graph.ids;
  Dataset& rows = data.rows;
  rows.graph = Graph::without_edges(static_cast<NodeId>(ids.size()));
  rows.features = std::move(features);
  rows.class_names = nodes.class_names;
  for (NodeId node : ids) rows.labels.push_back(nodes.labels[at(node)]);
  if (!nodes.split) return data;
  std::vector<NodeId> row_of(at(nodes.nodes()), -1);
  for (std::size_t i = 0; i < ids.size(); ++i) row_of[at(ids[i])] = static_cast<NodeId>(i);
  const auto own = [&](const std::vector<NodeId>& part) {
    std::vector<NodeId> result;
    for (NodeId node : part) {
      if (row_of[at(node)] >= 0) result.push_back(row_of[at(node)]);
    }
    return result;
  };
  rows.split = nodes.split;
  for (std::vector<NodeId> Split::*part : {&Split::train, &Split::validation, &Split::test, &Split::withheld})
    (*rows.split).*part = own((*nodes.split).*part);
  const std::vector<NodeId>& train = nodes.split->train;
  for (std::size_t i = 0; i < train.size(); ++i) {
    if (row_of[at(train[i])] >= 0) data.training_places.push_back(static_cast<std::int64_t>(i));
  }
  return data;
}

ModelRows::ModelRows(const RankData& data, const Cluster& cluster)
    : dataset_(data.rows), data_(&data), cluster_(&cluster) {
  for_blocks(data.graph, [&](const RowBlock& block, std::int64_t) {
    weights_.insert(weights_.end(), block.weights.begin(), block.weights.end());
  });
}

std::int64_t ModelRows::nodes() const { return parted() ? data_->graph.nodes : dataset_.nodes(); }

std::span<const NodeId> ModelRows::ids() const {
  return parted() ? std::span<const NodeId>(data_->graph.ids) : std::span<const NodeId>();
}

std::span<const std::int64_t> ModelRows::training_places() const {
  return parted() ? std::span<const std::int64_t>(data_->training_places) : std::span<const std::int64_t>();
}

ArcId ModelRows::arcs() const { return parted() ? data_->graph.arcs : dataset_.graph.arcs(); }

std::span<const Real> ModelRows::weights() const { return parted() ? weights_ : dataset_.weights; }

ArcPairs ModelRows::pairs() const {
  return parted() ? ArcPairs(data_->graph, *cluster_) : ArcPairs(dataset_.graph);
}

std::vector<ArcId> ModelRows::arc_numbers() const {
  if (!parted()) return {};
  const RankGraph& graph = data_->graph;
  std::vector<double> degrees(at(graph.nodes));
  for_blocks(graph, [&](const RowBlock& block, std::int64_t first_row) {
    for (std::int64_t i = 0; i < block.rows(); ++i)
      degrees[at(graph.ids[at(first_row + i)])] =
          static_cast<double>(block.offsets[at(i) + 1] - block.offsets[at(i)]);
  });
  ranks().sum(degrees);
  std::exclusive_scan(degrees.begin(), degrees.end(), degrees.begin(), 0.0);
  std::vector<ArcId> numbers;
  numbers.reserve(at(graph.arcs));
  for_blocks(graph, [&](const RowBlock& block, std::int64_t first_row) {
    for (std::int64_t i = 0; i < block.rows(); ++i) {
      const auto first = static_cast<ArcId>(degrees[at(graph.ids[at(first_row + i)])]);
      for (ArcId k = 0; k < block.offsets[at(i) + 1] - block.offsets[at(i)]; ++k)
        numbers.push_back(first + k);
    }
  });
  return numbers;
}

std::unique_ptr<StepFlow> ModelRows::flow(std::span<const Real> weights, const FlowOptions& options,
                                          Threads& threads) const {
  if (!parted()) return std::make_unique<Flow>(dataset_.graph, weights, options, threads);
  auto flow = std::make_unique<RankFlow>(data_->graph, options, *cluster_, threads);
  if (!weights.empty()) flow->set_weights(weights);
  return flow;
}

Matrix ModelRows::whole(ConstMatrixView rows) const {
  std::vector<Real> numbers;
  numbers.reserve(at(rows.rows * rows.cols));
  for (std::int64_t u = 0; u < rows.rows; ++u) {
    const auto row = rows.row(u);
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  if (parted()) numbers = ordered_on_first(data_->graph.ids, numbers, rows.cols, *cluster_);
  Matrix whole(std::ssize(numbers) / rows.cols, rows.cols);
  std::ranges::copy(numbers, whole.view().data);
  return whole;
}

std::vector<Real> ModelRows::whole(std::span<const Real> by_arc, const std::vector<ArcId>& numbers) const {
  const std::vector<Real> own(by_arc.begin(), by_arc.end());
  return parted() ? ordered_on_first(numbers, own, 1, *cluster_) : own;
}

}  // namespace heatfront
