// SPDX-License-Identifier: MIT
// The arcs of a data set in files, in the order in which they were read: 8 bytes each, 12 with weights. And where its features lie, which are
// not held either if they are an array by themselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "heatfront_io/formats/generated.h"
#include "heatfront_io/tables/arc_sink.h"

namespace heatfront {

// Of an npz file, one row per node; none: no columns.
struct FeatureArray {
  std::filesystem::path file;
  std::string name;
  std::int64_t columns = 0;
};

class ArcsOnDisk final : public ArcSink {
 public:
  explicit ArcsOnDisk(std::filesystem::path folder);  // which must be there and empty
  ~ArcsOnDisk() override;

  void begin(bool weighted) override;
  void add(NodeId from, NodeId to, Real weight) override;

  // No arc follows. `renumbered`: the final number of each node that arcs were added by; empty: as it is. `both_ways`: an arc stands for
  // both directions.
  void end(NodeId nodes, std::vector<NodeId> renumbered, bool both_ways);

  const std::filesystem::path& folder() const { return folder_; }  // for other files that pass
  bool ended() const { return ended_; }
  bool both_ways() const { return both_ways_; }
  EdgeStream edges() const;  // once ended; while this lives

  FeatureArray features;

 private:
  struct Files;

  std::filesystem::path folder_;
  std::unique_ptr<Files> files_;
  NodeId nodes_ = 0;
  std::int64_t count_ = 0;
  bool weighted_ = false, ended_ = false, both_ways_ = false;
  std::vector<NodeId> renumbered_;
};

}  // namespace heatfront
