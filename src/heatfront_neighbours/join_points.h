// SPDX-License-Identifier: MIT
// Points → the graph of their nearest neighbours, in one call: by the metric that the kernel asks for, or the one given.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/data/dataset.h"
#include "heatfront_neighbours/kernel.h"
#include "heatfront_neighbours/knn.h"

namespace heatfront {

struct MetricEntry {
  Metric metric;
  std::string_view name;
};

std::span<const MetricEntry> metrics();
const MetricEntry& find_metric(std::string_view name);  // an unknown one is an error that lists the others
std::string_view name_of(Metric metric);

struct JoinOptions {
  KnnOptions knn;
  KernelOptions kernel;
};

struct JoinedPoints {
  KnnOptions knn;  // as used
  double recall = 1;
  NeighbourGraph built;
  double seconds = 0;  // of the search
};

// Error where the points have no features.
JoinedPoints join_points(const Dataset& points, const JoinOptions& options, Threads& threads,
                         const ProgressCallback& progress = {});

// Where there are features and no edge at all, gives the data set the edges of join_points() as it is by default, and a
// sentence that says so; else nothing.
std::vector<std::string> join_lone_points(Dataset& dataset, Threads& threads,
                                          const ProgressCallback& progress = {});

}  // namespace heatfront
