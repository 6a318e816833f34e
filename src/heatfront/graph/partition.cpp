// SPDX-License-Identifier: MIT
#include "heatfront/graph/partition.h"

#include <algorithm>
#include <numeric>

#include "heatfront/base/checks.h"

namespace heatfront {
namespace {

std::int64_t work_of(const GraphRows& graph, std::int64_t u) {
  return kWorkOfRow + std::ssize(graph.neighbours(u));
}

std::int64_t whole_work(const GraphRows& graph) {
  return kWorkOfRow * graph.nodes() + std::ssize(graph.targets);
}

void check_parts(int parts) {
  if (parts < 1 || parts > kMostParts) fail("{} parts; there can be 1 to {}", parts, kMostParts);
}

}  // namespace

std::vector<std::int32_t> block_parts(const GraphRows& graph, int parts) {
  check_parts(parts);
  std::vector<std::int32_t> result(at(graph.nodes()));
  const double whole = static_cast<double>(whole_work(graph));
  double before = 0;
  for (std::int64_t u = 0; u < graph.nodes(); ++u) {
    result[at(u)] = std::min(parts - 1, static_cast<int>(before / whole * parts));
    before += static_cast<double>(work_of(graph, u));
  }
  return result;
}

std::vector<std::int32_t> stream_parts(const GraphRows& graph, int parts,
                                       const std::function<void(int, int)>& after_pass) {
  constexpr int kPasses = 10;
  constexpr double kRoom = 1.05, kFewMoves = 0.005;  // of the mean; of the nodes
  check_parts(parts);
  std::vector<std::int32_t> part_of(at(graph.nodes()), -1);
  const double most = kRoom * static_cast<double>(whole_work(graph)) / parts;
  std::vector<double> work(at(parts));
  std::vector<std::int64_t> shared(at(parts));
  std::vector<std::int32_t> touched;
  for (int pass = 0; pass < kPasses; ++pass) {
    std::ranges::fill(work, 0.0);
    std::int64_t moved = 0;
    for (std::int64_t u = 0; u < graph.nodes(); ++u) {
      touched.clear();
      for (NodeId v : graph.neighbours(u)) {
        const std::int32_t part = part_of[at(v)];
        if (part < 0) continue;
        if (shared[at(part)]++ == 0) touched.push_back(part);
      }
      // Where no neighbour says anything, or only full parts do: the one with the least work.
      auto best = static_cast<std::int32_t>(std::ranges::min_element(work) - work.begin());
      double highest = 0;
      for (const std::int32_t part : touched) {
        const double score = static_cast<double>(shared[at(part)]) * (1 - work[at(part)] / most);
        if (score > highest || (score == highest && score > 0 && part < best)) {
          highest = score;
          best = part;
        }
        shared[at(part)] = 0;
      }
      moved += part_of[at(u)] != best;
      part_of[at(u)] = best;
      work[at(best)] += static_cast<double>(work_of(graph, u));
    }
    after_pass(pass + 1, kPasses);
    if (static_cast<double>(moved) <= kFewMoves * static_cast<double>(graph.nodes())) break;
  }
  return part_of;
}

int Partition::part_of(std::int64_t place) const {
  return static_cast<int>(std::ranges::upper_bound(starts, place) - starts.begin()) - 1;
}

Partition partition_by(std::span<const std::int32_t> part_of_node, int parts) {
  check_parts(parts);
  require_ids("parts of nodes", part_of_node, 0, parts);
  Partition result{.nodes = std::vector<NodeId>(part_of_node.size()),
                   .places = std::vector<NodeId>(part_of_node.size()),
                   .starts = std::vector<std::int64_t>(at(parts) + 1)};
  for (std::int32_t part : part_of_node) ++result.starts[at(part) + 1];
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  std::vector<std::int64_t> next(result.starts.begin(), result.starts.end() - 1);
  for (std::size_t u = 0; u < part_of_node.size(); ++u) {
    const std::int64_t place = next[at(part_of_node[u])]++;
    result.places[u] = static_cast<NodeId>(place);
    result.nodes[at(place)] = static_cast<NodeId>(u);
  }
  return result;
}

std::vector<PartCount> walk_parts(
    const GraphRows& graph, const Partition& partition, int first, int end,
    const std::function<void(int part, NodeId node, std::span<const NodeId> targets)>& each) {
  struct Met {
    std::vector<bool> places, parts;
  };
  std::vector<PartCount> counts(at(end - first));
  std::vector<Met> met(counts.size(),
                       {std::vector<bool>(at(graph.nodes())), std::vector<bool>(at(partition.parts()))});
  std::vector<NodeId> targets;
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const int part = partition.part_of(partition.places[at(node)]);
    if (part < first || part >= end) continue;
    const std::int64_t begin = partition.starts[at(part)], after = partition.starts[at(part) + 1];
    PartCount& count = counts[at(part - first)];
    Met& of_part = met[at(part - first)];
    targets.clear();
    for (NodeId v : graph.neighbours(node)) {
      const std::int64_t to = partition.places[at(v)];
      targets.push_back(static_cast<NodeId>(to - begin));
      if (begin <= to && to < after) continue;
      ++count.cut;
      if (of_part.places[at(to)]) continue;
      of_part.places[at(to)] = true;
      of_part.parts[at(partition.part_of(to))] = true;
      ++count.ghosts;
    }
    ++count.rows;
    count.arcs += std::ssize(targets);
    each(part, node, targets);
  }
  for (std::size_t i = 0; i < counts.size(); ++i)
    counts[i].neighbours = static_cast<int>(std::ranges::count(met[i].parts, true));
  return counts;
}

ProductForecast forecast_product(std::span<const PartCount> parts, std::int64_t classes,
                                 const Network& network) {
  const double row = static_cast<double>((classes + 3) / 4 * 4 * static_cast<std::int64_t>(sizeof(Real)));
  ProductForecast forecast;
  for (const PartCount& part : parts) {
    const double bytes = static_cast<double>(part.ghosts) * row;
    forecast.bytes += bytes;
    forecast.seconds =
        std::max(forecast.seconds, part.neighbours * network.latency + bytes / network.bandwidth);
  }
  return forecast;
}

PartRows rows_of_part(const GraphRows& graph, const Partition& partition, int part) {
  PartRows rows;
  walk_parts(graph, partition, part, part + 1, [&](int, NodeId node, std::span<const NodeId> targets) {
    rows.ids.push_back(node);
    rows.targets.insert(rows.targets.end(), targets.begin(), targets.end());
    if (!graph.weights.empty()) {
      rows.weights.insert(rows.weights.end(), graph.weights.begin() + graph.offsets[at(node)],
                          graph.weights.begin() + graph.offsets[at(node) + 1]);
    }
    rows.offsets.push_back(std::ssize(rows.targets));
  });
  return rows;
}

}  // namespace heatfront
