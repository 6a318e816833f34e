// SPDX-License-Identifier: MIT
// Data sets, their splits and graphs of neighbours, as JSON and as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heatfront/data/dataset.h"
#include "heatfront/data/split.h"
#include "heatfront_neighbours/join_points.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const Split& split);
std::string text_of(const Split& split);

// ": validation labels included" and the like: such scores are not comparable to others.
std::string included_text(const Judged& judged);

// What a user should know of data that was opened: how it was read, and that there is only one class.
std::vector<std::string> remarks_on(const Dataset& dataset);

// Which classes the split leaves without a label that trains; empty where there are none.
std::vector<std::string> untrained_remarks(const Dataset& dataset, const Split& split);

struct Description {
  std::vector<std::int64_t> class_counts;
  std::int64_t labelled = 0;
  NodeId isolated = 0;
  NodeId components = 0;
  NodeId largest_component = 0;
  double homophily = 0;
  DatasetFingerprint fingerprint;
};

Description describe(const Dataset& dataset);
Json json_of(const Dataset& dataset, const Description& about);
std::string text_of(const Dataset& dataset, const Description& about);

// The data set with the graph that its points were joined to.
struct NeighbourReport {
  const Dataset& dataset;
  const JoinedPoints& joined;
  KernelOptions kernel;
  NodeId components;
};

NeighbourReport report_of(const Dataset& dataset, const JoinedPoints& joined, const KernelOptions& kernel);
Json json_of(const NeighbourReport& report);
std::string text_of(const NeighbourReport& report);

}  // namespace heatfront
