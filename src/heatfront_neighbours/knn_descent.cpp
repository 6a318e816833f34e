// SPDX-License-Identifier: MIT
// In a round a point u has links to the first of its list and to points that have it among their first. It meets those that
// are two links away, unless both links were there the round before. Links do not change within a round and u alone
// writes its list, so threads need no locks, and make no difference.
#include "heatfront_neighbours/knn_descent.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "heatfront/base/simd.h"
#include "heatfront_neighbours/float_sums.h"
#include "heatfront_neighbours/knn_search.h"

namespace heatfront::knn {
namespace {

constexpr std::size_t kLinks = 16;  // of a point to the first of its list, and as many back, at most
constexpr int kMostRounds = 8;
constexpr double kFewChanges = 0.02;  // of all places in the lists: the last round

// ‖x_u − x_v‖² for each v of a list.
HEATFRONT_CLONES void squared_distances(const float* points, std::size_t cols, const float* x,
                                        std::span<const NodeId> list, float* squared) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i + 1 < list.size()) {
      const float* next = points + at(list[i + 1]) * cols;
      for (std::size_t j = 0; j < cols; j += 16) __builtin_prefetch(next + j);
    }
    squared[i] = quick_squared_distance(x, points + at(list[i]) * cols, cols);
  }
}

// Numbers seen, forgotten all at once.
class SeenPoints {
 public:
  explicit SeenPoints(std::size_t most) {
    for (; size_ < 2 * most; size_ *= 2) --shift_;
    slots_.resize(size_);
  }
  void forget() { ++now_; }
  bool add(NodeId u) {                                                            // false if it was seen
    std::size_t place = (static_cast<std::uint32_t>(u) * 2654435769U) >> shift_;  // 2^32 / golden ratio
    for (; slots_[place].when == now_; place = (place + 1) & (size_ - 1)) {
      if (slots_[place].id == u) return false;
    }
    slots_[place] = {now_, u};
    return true;
  }

 private:
  struct Slot {
    std::uint32_t when = 0;
    NodeId id = 0;
  };
  std::size_t size_ = 64;
  int shift_ = 32 - 6;
  std::uint32_t now_ = 1;
  std::vector<Slot> slots_;
};

// A link u → v is v if it is new, ~v if it was there the round before.
class Links {
 public:
  explicit Links(std::int64_t points)
      : ahead_(at(points) * kLinks, -1),
        are_new_(ahead_.size()),
        counts_(at(points)),
        links_(at(points) * kMost) {}

  static constexpr std::size_t kMost = 2 * kLinks;
  static NodeId end(NodeId link) { return link < 0 ? ~link : link; }

  std::span<const NodeId> of(NodeId u) const {
    return std::span(links_).subspan(at(u) * kMost, counts_[at(u)]);
  }

  void make(const NearLists& lists, Threads& threads) {
    const auto points = std::ssize(counts_);
    threads.for_blocks(points, 1024, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t u = begin; u < end; ++u) link_ahead(static_cast<NodeId>(u), lists.of(u));
    });
    for (std::size_t rank = 0; rank < kLinks; ++rank) {  // so that those to whom it is nearest come first
      for (std::int64_t u = 0; u < points; ++u) link_back(static_cast<NodeId>(u), rank);
    }
  }

 private:
  std::span<NodeId> ahead_of(NodeId u) { return std::span(ahead_).subspan(at(u) * kLinks, kLinks); }
  void append(NodeId u, NodeId v, bool is_new) { links_[at(u) * kMost + counts_[at(u)]++] = is_new ? v : ~v; }

  void link_ahead(NodeId u, std::span<const Near> list) {
    const auto ahead = ahead_of(u);
    std::array<NodeId, kLinks> before;
    std::ranges::copy(ahead, before.begin());
    std::ranges::fill(ahead, -1);
    counts_[at(u)] = 0;
    for (std::size_t rank = 0; rank < std::min(kLinks, list.size()); ++rank) {
      const NodeId v = ahead[rank] = list[rank].id;
      if (v < 0) continue;
      const bool is_new = std::ranges::find(before, v) == before.end();
      are_new_[at(u) * kLinks + rank] = is_new;
      append(u, v, is_new);
    }
  }

  void link_back(NodeId u, std::size_t rank) {
    const NodeId v = ahead_of(u)[rank];
    if (v < 0 || counts_[at(v)] == kMost) return;
    const auto theirs = ahead_of(v);
    if (std::ranges::find(theirs, u) == theirs.end()) append(v, u, are_new_[at(u) * kLinks + rank] != 0);
  }

  std::vector<NodeId> ahead_;  // (points, kLinks): the first of every list, −1 where there are no more
  std::vector<std::uint8_t> are_new_;  // (points, kLinks)
  std::vector<std::uint8_t> counts_;
  std::vector<NodeId> links_;  // (points, kMost)
};

// Lets one point after the other meet those two links away.
class Meeting {
 public:
  Meeting(const FloatPoints& points, const Links& links, std::size_t width)
      : points_(points), links_(links), seen_(width + 1 + Links::kMost * Links::kMost) {}

  // Returns how many came into u's list.
  std::int64_t meet(NodeId u, std::span<Near> list) {
    seen_.forget();
    seen_.add(u);
    for (const Near& near : list) seen_.add(near.id);
    met_.clear();
    for (NodeId link : links_.of(u)) {
      for (NodeId next : links_.of(Links::end(link))) {
        if ((link >= 0 || next >= 0) && seen_.add(Links::end(next))) met_.push_back(Links::end(next));
      }
    }
    squared_.resize(met_.size());
    squared_distances(points_.view().data, at(points_.cols()), points_.row(u).data(), met_, squared_.data());
    std::int64_t kept = 0;
    for (std::size_t i = 0; i < met_.size(); ++i) kept += insert({squared_[i], met_[i]}, list) ? 1 : 0;
    return kept;
  }

 private:
  const FloatPoints& points_;
  const Links& links_;
  SeenPoints seen_;
  std::vector<NodeId> met_;
  std::vector<float> squared_;
};

}  // namespace

void ask_neighbours(const FloatPoints& points, std::span<const NodeId> order, Threads& threads,
                    const ProgressCallback& progress, NearLists& lists) {
  Links links(points.rows());
  const double few = kFewChanges * static_cast<double>(lists.width()) * static_cast<double>(points.rows());
  for (int round = 0; round < kMostRounds; ++round) {
    links.make(lists, threads);
    std::atomic<std::int64_t> changes = 0;
    for_points(points.rows(), "asking neighbours", threads, progress,
               [&](std::int64_t begin, std::int64_t end) {
                 Meeting meeting(points, links, lists.width());
                 std::int64_t sum = 0;
                 for (NodeId u : order.subspan(at(begin), at(end - begin)))
                   sum += meeting.meet(u, lists.of(u));
                 changes += sum;
               });
    if (static_cast<double>(changes) < few) break;
  }
}

}  // namespace heatfront::knn
