// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/arcs_on_disk.h"

#include <cstring>
#include <utility>

#include "heatfront_io/partitions/appended_file.h"
#include "heatfront_io/partitions/mapped_array.h"

namespace heatfront {
namespace fs = std::filesystem;

struct ArcsOnDisk::Files {
  AppendedFile ends, weights;
  std::unique_ptr<MappedFile> mapped_ends, mapped_weights;
};

ArcsOnDisk::ArcsOnDisk(fs::path folder) : folder_(std::move(folder)) {}
ArcsOnDisk::~ArcsOnDisk() = default;

void ArcsOnDisk::begin(bool weighted) {
  files_.reset(new Files{AppendedFile(folder_ / "arcs"), AppendedFile(folder_ / "arc-weights"), {}, {}});
  weighted_ = weighted;
}

void ArcsOnDisk::add(NodeId from, NodeId to, Real weight) {
  const NodeId ends[] = {from, to};
  files_->ends.add(ends, sizeof ends);
  if (weighted_) files_->weights.add(&weight, sizeof weight);
  ++count_;
}

void ArcsOnDisk::end(NodeId nodes, std::vector<NodeId> renumbered, bool both_ways) {
  if (!files_) begin(false);
  files_->ends.flush();
  files_->weights.flush();
  files_->mapped_ends = std::make_unique<MappedFile>(files_->ends.path());
  files_->mapped_weights = std::make_unique<MappedFile>(files_->weights.path());
  nodes_ = nodes;
  renumbered_ = std::move(renumbered);
  both_ways_ = both_ways;
  ended_ = true;
}

EdgeStream ArcsOnDisk::edges() const {
  const auto draw = [this](std::int64_t first, std::span<NodeId> from, std::span<NodeId> to,
                           std::span<Real> weights) {
    const auto* const ends = reinterpret_cast<const NodeId*>(files_->mapped_ends->bytes().data()) + 2 * first;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const NodeId u = ends[2 * i], v = ends[2 * i + 1];
      from[i] = renumbered_.empty() ? u : renumbered_[at(u)];
      to[i] = renumbered_.empty() ? v : renumbered_[at(v)];
    }
    if (!weights.empty())
      std::memcpy(weights.data(), files_->mapped_weights->bytes().data() + at(first) * sizeof(Real),
                  weights.size_bytes());
  };
  return {.nodes = nodes_, .edges = count_, .weighted = weighted_, .draw = draw, .of_nodes = {}};
}

}  // namespace heatfront
