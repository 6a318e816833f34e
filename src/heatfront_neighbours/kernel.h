// SPDX-License-Identifier: MIT
// Nearest neighbours → a weighted graph. Each arc (u, v), v a neighbour of u at distance δ, gets the weight
//
//     rbf           exp(−δ² / σ²)                 σ given, or the mean distance to the k-th neighbour
//     self-tuning   exp(−δ² / (σ_u σ_v))          σ_u the distance of u to its k-th neighbour
//     cosine        1 − δ²/2 = cos(x_u, x_v)      0 if negative; for neighbours by the cosine metric
//     binary        1
//
// δ = 0 has weight 1 whatever σ. No edge vanishes: a weight below kLeastWeight is lifted to it, and counted.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/types.h"
#include "heatfront/graph/graph.h"
#include "heatfront_neighbours/knn.h"

namespace heatfront {

enum class Kernel { rbf, self_tuning, cosine, binary };

struct KernelEntry {
  Kernel kernel;
  std::string_view name;
  std::string_view what;
  bool takes_sigma;
  std::optional<Metric> metric;  // the one that it needs
};

std::span<const KernelEntry> kernels();
const KernelEntry& find_kernel(std::string_view name);  // an unknown one is an error that lists the others

// Which arcs become edges: those found from either end, or those found from both.
enum class Joining { by_union, mutual };

struct JoiningEntry {
  Joining joining;
  std::string_view name;
  std::string_view what;
};

std::span<const JoiningEntry> joinings();
const JoiningEntry& find_joining(std::string_view name);

struct KernelOptions {
  Kernel kernel = Kernel::rbf;
  std::optional<double> sigma;  // none: auto
  Joining joining = Joining::by_union;
};

struct NeighbourGraph {
  Graph graph;
  std::vector<Real> weights;    // one per arc; empty: all 1
  std::optional<double> sigma;  // the one used, where the kernel has one
  std::int64_t lifted = 0;      // edges whose weight was raised to kLeastWeight
};

NeighbourGraph neighbour_graph(const Neighbours& neighbours, const KernelOptions& options, Threads& threads);

}  // namespace heatfront
