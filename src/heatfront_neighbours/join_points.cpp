// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/join_points.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"

namespace heatfront {
namespace {

constexpr std::array<MetricEntry, 2> kMetrics = {
    {{Metric::euclidean, "euclidean"}, {Metric::cosine, "cosine"}}};

Neighbours neighbours_of(const Features& features, const KnnOptions& options, Threads& threads,
                         const ProgressCallback& progress) {
  return features.dense() ? nearest_neighbours(*features.dense(), options, threads, progress)
                          : nearest_neighbours(*features.sparse(), options, threads, progress);
}

}  // namespace

std::span<const MetricEntry> metrics() { return kMetrics; }

const MetricEntry& find_metric(std::string_view name) {
  const auto found = std::ranges::find(kMetrics, name, &MetricEntry::name);
  if (found == kMetrics.end()) fail("unknown metric '{}'; choose from: euclidean, cosine", name);
  return *found;
}

std::string_view name_of(Metric metric) {
  return std::ranges::find(kMetrics, metric, &MetricEntry::metric)->name;
}

JoinedPoints join_points(const Dataset& points, const JoinOptions& options, Threads& threads,
                         const ProgressCallback& progress) {
  if (!points.features.present())
    fail("{} has no features, so no neighbours can be found; points with features are needed", points.name);
  JoinedPoints joined{.knn = options.knn};
  const auto entry = std::ranges::find(kernels(), options.kernel.kernel, &KernelEntry::kernel);
  joined.knn.metric = entry->metric.value_or(options.knn.metric);
  const Stopwatch watch;
  const Neighbours neighbours = neighbours_of(points.features, joined.knn, threads, progress);
  joined.seconds = watch.seconds();
  joined.recall = neighbours.recall;
  joined.built = neighbour_graph(neighbours, options.kernel, threads);
  return joined;
}

std::vector<std::string> join_lone_points(Dataset& dataset, Threads& threads,
                                          const ProgressCallback& progress) {
  if (dataset.graph.arcs() > 0 || dataset.features.cols() == 0 || dataset.nodes() < 2) return {};
  JoinOptions options;
  options.knn.k = std::min(options.knn.k, static_cast<int>(dataset.nodes()) - 1);
  JoinedPoints joined = join_points(dataset, options, threads, progress);
  dataset.graph = std::move(joined.built.graph);
  dataset.weights = std::move(joined.built.weights);
  return {fmt::format(
      "{} has no edges: every point is joined to its {} nearest, as `heatfront graph` does, which has "
      "other ways",
      dataset.name, joined.knn.k)};
}

}  // namespace heatfront
