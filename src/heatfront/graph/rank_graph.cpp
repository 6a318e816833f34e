// SPDX-License-Identifier: MIT
#include "heatfront/graph/rank_graph.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace heatfront {
namespace {

constexpr ArcId kNoRows[] = {0};

struct LocalArrays {
  std::vector<ArcId> inside_offsets = {0}, boundary_offsets = {0};
  std::vector<NodeId> inside_targets, boundary_targets;
  std::vector<Real> inside_weights, boundary_weights;
};

// each(place, block, row of the block) for the rows of the blocks.
template <class Each>
void for_rows(const std::vector<RowBlock>& blocks, const Each& each) {
  for (const RowBlock& block : blocks) {
    for (std::int64_t i = 0; i < block.rows(); ++i) each(block.first + i, block, i);
  }
}

std::span<const NodeId> targets_of(const RowBlock& block, std::int64_t i) {
  return block.targets.subspan(at(block.offsets[at(i)]), at(block.offsets[at(i) + 1] - block.offsets[at(i)]));
}

// Places of other ranks that rows lead to, in ascending order, and so by their owners.
std::vector<NodeId> ghost_places(const std::vector<RowBlock>& blocks, std::int64_t begin, std::int64_t end,
                                 std::int64_t nodes) {
  std::vector<bool> met(at(nodes));
  for_rows(blocks, [&](std::int64_t, const RowBlock& block, std::int64_t i) {
    for (NodeId target : targets_of(block, i)) met[at(block.first + target)] = true;
  });
  std::vector<NodeId> places;
  for (std::int64_t place = 0; place < nodes; ++place) {
    if (met[at(place)] && (place < begin || place >= end)) places.push_back(static_cast<NodeId>(place));
  }
  return places;
}

std::vector<RemoteRow> owners_of(std::span<const NodeId> places, std::span<const std::int64_t> starts) {
  std::vector<RemoteRow> rows;
  rows.reserve(places.size());
  int owner = 0;
  for (NodeId place : places) {
    while (place >= starts[at(owner) + 1]) ++owner;
    rows.push_back({owner, place - starts[at(owner)]});
  }
  return rows;
}

void add_row(const RowBlock& block, std::int64_t i, std::vector<Real>& weights, std::vector<ArcId>& offsets) {
  const ArcId begin = block.offsets[at(i)], end = block.offsets[at(i) + 1];
  if (!block.weights.empty())
    weights.insert(weights.end(), block.weights.begin() + begin, block.weights.begin() + end);
  offsets.push_back(offsets.back() + end - begin);
}

}  // namespace

RankGraph rank_graph(std::vector<RowBlock> blocks, std::vector<NodeId> ids,
                     std::span<const std::int64_t> starts, const Cluster& cluster,
                     std::shared_ptr<const void> owner) {
  const Ranks& ranks = cluster.ranks();
  const std::int64_t begin = starts[at(ranks.rank())], end = starts[at(ranks.rank()) + 1];
  RankGraph graph{.nodes = starts.back(), .rows = end - begin};
  for (const RowBlock& block : blocks) graph.arcs += std::ssize(block.targets);
  graph.boundary.offsets = kNoRows;
  if (ranks.count() == 1) {
    graph.inside_rows = graph.rows;
    graph.inside = std::move(blocks);
    graph.ids = std::move(ids);
    graph.owner = std::move(owner);
    return graph;
  }

  // Rows inside come first, in their order, then those of the boundary.
  std::vector<NodeId> row_of(at(graph.rows)), boundary;
  ArcId inside_arcs = 0;
  for_rows(blocks, [&](std::int64_t place, const RowBlock& block, std::int64_t i) {
    const bool inside = std::ranges::all_of(targets_of(block, i), [&](NodeId target) {
      return begin <= block.first + target && block.first + target < end;
    });
    if (inside) {
      row_of[at(place - begin)] = static_cast<NodeId>(graph.inside_rows++);
      inside_arcs += std::ssize(targets_of(block, i));
    } else {
      boundary.push_back(static_cast<NodeId>(place - begin));
    }
  });
  for (std::size_t i = 0; i < boundary.size(); ++i)
    row_of[at(boundary[i])] = static_cast<NodeId>(graph.inside_rows + static_cast<std::int64_t>(i));

  // Others know a row by its place; its owner tells them which row it is.
  const std::vector<NodeId> places = ghost_places(blocks, begin, end, graph.nodes);
  graph.ghosts = owners_of(places, starts);
  std::vector<NodeId> ghost_rows(places.size());
  fetch_rows<NodeId>(*cluster.halo(graph.rows, graph.ghosts), row_of, ghost_rows);
  for (std::size_t i = 0; i < places.size(); ++i) graph.ghosts[i].row = ghost_rows[i];

  // Where a place stands in the strip: as many numbers as there are nodes, while this is made.
  std::vector<NodeId> in_strip(at(graph.nodes), -1);
  for (std::size_t i = 0; i < boundary.size(); ++i)
    in_strip[at(begin + boundary[i])] = static_cast<NodeId>(i);
  for_rows(blocks, [&](std::int64_t place, const RowBlock& block, std::int64_t i) {
    if (row_of[at(place - begin)] < graph.inside_rows) return;
    for (NodeId target : targets_of(block, i)) {
      const std::int64_t neighbour = block.first + target;
      if (neighbour < begin || neighbour >= end || in_strip[at(neighbour)] >= 0) continue;
      in_strip[at(neighbour)] = static_cast<NodeId>(std::ssize(boundary) + std::ssize(graph.kept));
      graph.kept.push_back(row_of[at(neighbour - begin)]);
    }
  });
  for (std::size_t i = 0; i < places.size(); ++i)
    in_strip[at(places[i])] =
        static_cast<NodeId>(std::ssize(boundary) + std::ssize(graph.kept) + static_cast<std::int64_t>(i));

  const auto local = std::make_shared<LocalArrays>();
  local->inside_targets.reserve(at(inside_arcs));
  local->boundary_targets.reserve(at(graph.arcs - inside_arcs));
  graph.ids.resize(ids.size());
  for_rows(blocks, [&](std::int64_t place, const RowBlock& block, std::int64_t i) {
    const NodeId row = row_of[at(place - begin)];
    graph.ids[at(row)] = ids[at(place - begin)];
    if (row < graph.inside_rows) {
      for (NodeId target : targets_of(block, i))
        local->inside_targets.push_back(row_of[at(block.first + target - begin)]);
      add_row(block, i, local->inside_weights, local->inside_offsets);
    } else {
      for (NodeId target : targets_of(block, i))
        local->boundary_targets.push_back(in_strip[at(block.first + target)]);
      add_row(block, i, local->boundary_weights, local->boundary_offsets);
    }
  });
  graph.inside = {{.first = 0,
                   .offsets = local->inside_offsets,
                   .targets = local->inside_targets,
                   .weights = local->inside_weights}};
  graph.boundary = {.first = 0,
                    .offsets = local->boundary_offsets,
                    .targets = local->boundary_targets,
                    .weights = local->boundary_weights};
  graph.owner = local;
  return graph;
}

}  // namespace heatfront
