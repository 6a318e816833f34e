// SPDX-License-Identifier: MIT
#include "micro/graphs.h"

#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "heatfront/base/error.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/generate.h"
#include "heatfront/graph/reorder.h"
#include "heatfront_io/formats/open.h"

namespace heatfront::micro {
namespace {

using MaybeGraph = std::optional<WeightedGraph>;

MaybeGraph from_data_folder(const std::string& name, Threads& threads) {
  try {
    Dataset dataset = open_dataset(name, {}, threads);
    return WeightedGraph{.graph = std::move(dataset.graph), .weights = std::move(dataset.weights)};
  } catch (const Error&) {
    return std::nullopt;
  }
}

MaybeGraph rmat(int scale, ArcId arcs, Threads& threads) {
  return WeightedGraph{.graph = rmat_graph({.scale = scale, .arcs = arcs, .seed = 1}, threads)};
}

MaybeGraph grid(NodeId side) { return WeightedGraph{.graph = grid_graph(side, side)}; }

MaybeGraph shuffled_grid(NodeId side) {
  const Graph graph = grid_graph(side, side);
  std::vector<NodeId> order(static_cast<std::size_t>(graph.nodes()));
  std::iota(order.begin(), order.end(), 0);
  const Random random(1);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i, i)]);
  return permuted(graph, {}, order);
}

constexpr std::array kGraphs = {
    GraphEntry{"cora", "Cora: citations", false, [](Threads& t) { return from_data_folder("cora", t); }},
    GraphEntry{"photo", "Photo: goods bought together", false,
               [](Threads& t) { return from_data_folder("photo", t); }},
    GraphEntry{"rmat6", "R-MAT of about 10^6 arcs", false, [](Threads& t) { return rmat(16, 1'000'000, t); }},
    GraphEntry{"rmat7", "R-MAT of about 10^7 arcs", false,
               [](Threads& t) { return rmat(19, 10'000'000, t); }},
    GraphEntry{"rmat8", "R-MAT of about 10^8 arcs", true,
               [](Threads& t) { return rmat(22, 100'000'000, t); }},
    GraphEntry{"grid", "grid of 2000 x 2000, row by row", false, [](Threads&) { return grid(2000); }},
    GraphEntry{"shuffled-grid", "grid of 1000 x 1000 in random order", false,
               [](Threads&) { return shuffled_grid(1000); }},
};

}  // namespace

std::span<const GraphEntry> graphs() { return kGraphs; }

}  // namespace heatfront::micro
