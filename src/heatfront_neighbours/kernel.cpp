// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/kernel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/find_named.h"
#include "heatfront/graph/build.h"

namespace heatfront {
namespace {

constexpr std::array kKernels = {
    KernelEntry{Kernel::rbf, "rbf", "exp(-dist^2 / sigma^2)", true, {}},
    KernelEntry{Kernel::self_tuning,
                "self-tuning",
                "exp(-dist^2 / (sigma_u sigma_v)), sigma_u the distance of u to its k-th neighbour",
                false,
                {}},
    KernelEntry{Kernel::cosine, "cosine", "the cosine between two points, 0 if negative", false,
                Metric::cosine},
    KernelEntry{Kernel::binary, "binary", "1 for every edge", false, {}},
};

constexpr std::array kJoinings = {
    JoiningEntry{Joining::by_union, "union", "an edge wherever one of two points is near the other"},
    JoiningEntry{Joining::mutual, "mutual", "an edge where each of two points is near the other"},
};

const KernelEntry& entry_of(Kernel kernel) {
  return *std::ranges::find(kKernels, kernel, &KernelEntry::kernel);
}

void check(const Neighbours& neighbours) {
  const std::int64_t points = neighbours.points;
  if (points < 1 || points > kMostNodes || neighbours.k < 1)
    fail("neighbour_graph: {} points with {} neighbours each; there must be 1 or more of both", points,
         neighbours.k);
  require_count("neighbour_graph: ids", std::ssize(neighbours.ids), points * neighbours.k, "k per point");
  require_count("neighbour_graph: distances", std::ssize(neighbours.distances), points * neighbours.k,
                "k per point");
  require_ids("neighbour_graph: ids", neighbours.ids, 0, points);
  const auto bad =
      std::ranges::find_if_not(neighbours.distances, [](Real x) { return x >= 0 && std::isfinite(x); });
  if (bad != neighbours.distances.end())
    fail("neighbour_graph: distance {} is {}; it must be finite and 0 or more",
         bad - neighbours.distances.begin(), *bad);
}

void check(const KernelOptions& options, const Neighbours& neighbours) {
  const KernelEntry& entry = entry_of(options.kernel);
  if (entry.metric && *entry.metric != neighbours.metric) {
    fail("kernel '{}' needs neighbours by the cosine metric", entry.name);
  }
  check(neighbours);
  if (!options.sigma) return;
  if (!entry.takes_sigma) fail("kernel '{}' has no sigma; leave it out", entry.name);
  if (!(*options.sigma > 0 && std::isfinite(*options.sigma))) {
    fail("sigma is {}; it must be a positive number, or auto", *options.sigma);
  }
}

double farthest(const Neighbours& neighbours, std::int64_t u) {
  return static_cast<double>(neighbours.distances_of(u).back());
}

double mean_farthest(const Neighbours& neighbours) {
  double sum = 0;
  for (std::int64_t u = 0; u < neighbours.points; ++u) sum += farthest(neighbours, u);
  return sum / static_cast<double>(neighbours.points);
}

// exp(−δ² / s), which is 1 for δ = 0 and 0 for s = 0 otherwise.
double decay(double squared, double s) { return squared == 0 ? 1 : std::exp(-squared / s); }

class Weigher {
 public:
  Weigher(const Neighbours& neighbours, const KernelOptions& options)
      : neighbours_(neighbours), kernel_(options.kernel) {
    if (kernel_ == Kernel::rbf) sigma_ = options.sigma ? *options.sigma : mean_farthest(neighbours);
  }

  std::optional<double> sigma() const { return sigma_; }

  Real operator()(NodeId u, NodeId v, Real distance) const {
    const double squared = static_cast<double>(distance) * static_cast<double>(distance);
    return std::max(static_cast<Real>(value(u, v, squared)), kLeastWeight);
  }

 private:
  double value(NodeId u, NodeId v, double squared) const {
    switch (kernel_) {
      case Kernel::rbf: return decay(squared, *sigma_ * *sigma_);
      case Kernel::self_tuning: return decay(squared, farthest(neighbours_, u) * farthest(neighbours_, v));
      case Kernel::cosine: return 1 - squared / 2;
      case Kernel::binary: return 1;
    }
    return 1;
  }

  const Neighbours& neighbours_;
  Kernel kernel_;
  std::optional<double> sigma_;
};

// The neighbours of every point by ascending number, (points, k).
std::vector<NodeId> sorted_ids(const Neighbours& neighbours, Threads& threads) {
  std::vector<NodeId> ids = neighbours.ids;
  threads.for_blocks(neighbours.points, 4096, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      std::sort(ids.begin() + u * neighbours.k, ids.begin() + (u + 1) * neighbours.k);
    }
  });
  return ids;
}

}  // namespace

std::span<const KernelEntry> kernels() { return kKernels; }
const KernelEntry& find_kernel(std::string_view name) { return find_named(kernels(), name, "kernel"); }

std::span<const JoiningEntry> joinings() { return kJoinings; }
const JoiningEntry& find_joining(std::string_view name) { return find_named(joinings(), name, "joining"); }

NeighbourGraph neighbour_graph(const Neighbours& neighbours, const KernelOptions& options, Threads& threads) {
  check(options, neighbours);
  const Weigher weigh(neighbours, options);
  const std::vector<NodeId> sorted =
      options.joining == Joining::mutual ? sorted_ids(neighbours, threads) : std::vector<NodeId>();
  const auto is_mutual = [&](NodeId u, NodeId v) {
    const auto first = sorted.begin() + std::int64_t{v} * neighbours.k;
    return std::binary_search(first, first + neighbours.k, u);
  };
  ArcRows rows;
  for (NodeId u = 0; u < neighbours.points; ++u) {
    const auto ids = neighbours.ids_of(u);
    const auto distances = neighbours.distances_of(u);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (options.joining == Joining::mutual && !is_mutual(u, ids[i])) continue;
      rows.targets.push_back(ids[i]);
      rows.weights.push_back(weigh(u, ids[i], distances[i]));
    }
    rows.offsets.push_back(static_cast<ArcId>(rows.targets.size()));
  }
  WeightedGraph built = build_graph(std::move(rows), threads);
  const auto lifted = std::ranges::count(built.weights, kLeastWeight) / 2;
  return {std::move(built.graph), std::move(built.weights), weigh.sigma(), lifted};
}

}  // namespace heatfront
