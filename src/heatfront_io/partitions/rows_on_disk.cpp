// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/rows_on_disk.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <string>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_io/partitions/appended_file.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kDrawnAtOnce = 1 << 20, kDrawnByThread = 1 << 14;  // edges
constexpr std::int64_t kMostRanges = 500;                                 // a file is open for each
constexpr std::uint32_t kTurnedBit = 0x80000000;  // of a target: the arc was given the other way round

struct ListedArc {
  std::uint32_t row, target;
  float weight;
};

// each(row, target, turned, weight) for both directions of every edge that is to stay, in the order of the list. Counts the others.
template <class Each>
BuildReport for_listed_arcs(const EdgeStream& edges, std::string_view stage, Threads& threads,
                            const ProgressCallback& progress, const Each& each) {
  BuildReport left_out;
  std::vector<NodeId> from(at(kDrawnAtOnce)), to(at(kDrawnAtOnce));
  std::vector<Real> weights(edges.weighted ? at(kDrawnAtOnce) : 0);
  for (std::int64_t first = 0; first < edges.edges; first += kDrawnAtOnce) {
    const std::int64_t count = std::min(kDrawnAtOnce, edges.edges - first);
    threads.for_blocks(count, kDrawnByThread, [&](std::int64_t begin, std::int64_t end) {
      const std::size_t i = at(begin), length = at(end - begin);
      edges.draw(first + begin, std::span(from).subspan(i, length), std::span(to).subspan(i, length),
                 edges.weighted ? std::span(weights).subspan(i, length) : std::span<Real>());
    });
    for (std::size_t i = 0; i < at(count); ++i) {
      const Real weight = edges.weighted ? weights[i] : Real(1);
      if (from[i] == to[i] || weight < kLeastWeight) {
        ++(from[i] == to[i] ? left_out.loops : left_out.zeros);
        continue;
      }
      const auto u = static_cast<std::uint32_t>(from[i]), v = static_cast<std::uint32_t>(to[i]);
      each(ListedArc{u, v, static_cast<float>(weight)});
      each(ListedArc{v, u | kTurnedBit, static_cast<float>(weight)});
    }
    report(progress, {std::string(stage), first + count, edges.edges, "edges"});
  }
  return left_out;
}

// The first node of each range, and the end.
std::vector<std::int64_t> ranges_of(const std::vector<std::uint32_t>& counts, std::int64_t most_arcs) {
  std::vector<std::int64_t> starts = {0};
  std::int64_t arcs = 0;
  for (std::size_t u = 0; u < counts.size(); ++u) {
    if (arcs > 0 && arcs + counts[u] > most_arcs) {
      starts.push_back(static_cast<std::int64_t>(u));
      arcs = 0;
    }
    arcs += counts[u];
  }
  starts.push_back(std::ssize(counts));
  return starts;
}

struct SortedArc {
  NodeId target;
  bool turned;
  Real weight;
};

// Counts what build_graph() counts, an edge at its lower node.
void count_changes(NodeId node, NodeId target, std::int64_t given, std::int64_t turned, bool uneven,
                   BuildReport& report) {
  if (given > 1) report.repeats += given - 1;
  if (target < node) return;
  report.one_way += given == 0 || turned == 0;
  report.uneven += uneven;
}

// The arcs of a row, in the order of the list → by target, each once, as build_graph() merges them. Returns how many.
std::size_t merge_row(NodeId node, std::span<std::uint32_t> targets, std::span<Real> weights,
                      std::vector<SortedArc>& row, BuildReport& report) {
  std::size_t count = 0;
  if (weights.empty()) {
    for (std::uint32_t& target : targets)
      target = std::rotl(target, 1);  // by target, then the given before the turned
    std::ranges::sort(targets);
    for (std::size_t i = 0; i < targets.size(); ++count) {
      const std::uint32_t target = targets[i] >> 1;
      std::int64_t met[2] = {0, 0};
      for (; i < targets.size() && targets[i] >> 1 == target; ++i) ++met[targets[i] & 1];
      targets[count] = target;
      count_changes(node, static_cast<NodeId>(target), met[0], met[1], false, report);
    }
    return count;
  }
  row.clear();
  for (std::size_t i = 0; i < targets.size(); ++i)
    row.push_back(
        {static_cast<NodeId>(targets[i] & ~kTurnedBit), (targets[i] & kTurnedBit) != 0, weights[i]});
  std::ranges::stable_sort(row, {}, &SortedArc::target);
  for (std::size_t i = 0; i < row.size(); ++count) {
    const NodeId target = row[i].target;
    Real sums[2] = {0, 0};
    std::int64_t met[2] = {0, 0};
    for (; i < row.size() && row[i].target == target; ++i) {
      const bool turned = row[i].turned;
      sums[turned] = met[turned]++ > 0 ? sums[turned] + row[i].weight : row[i].weight;
    }
    const bool both = met[0] > 0 && met[1] > 0;
    targets[count] = static_cast<std::uint32_t>(target);
    weights[count] = both ? (sums[0] + sums[1]) / 2 : sums[met[1] > 0];
    count_changes(node, target, met[0], met[1], both && sums[0] != sums[1], report);
  }
  return count;
}

BuildReport sum_of(const BuildReport& a, const BuildReport& b) {
  return {.loops = a.loops + b.loops,
          .zeros = a.zeros + b.zeros,
          .repeats = a.repeats + b.repeats,
          .one_way = a.one_way + b.one_way,
          .uneven = a.uneven + b.uneven};
}

}  // namespace

RowsOnDisk::RowsOnDisk(const EdgeStream& edges, const fs::path& folder, std::int64_t memory_limit,
                       Threads& threads, const ProgressCallback& progress) {
  constexpr std::int64_t kMergedRows = 1024;
  std::vector<std::uint32_t> counts(at(edges.nodes));
  changes_ =
      for_listed_arcs(edges, "counting", threads, progress, [&](const ListedArc& arc) { ++counts[arc.row]; });

  const std::int64_t bytes_an_arc = edges.weighted ? 8 : 4;
  const std::vector<std::int64_t> starts = ranges_of(counts, memory_limit / bytes_an_arc);
  const std::int64_t ranges = std::ssize(starts) - 1;
  if (ranges > kMostRanges)
    fail("memory limit {} MB: the edges would have to be sorted in {} pieces; {} can be", memory_limit >> 20,
         ranges, kMostRanges);
  std::vector<AppendedFile> files;
  for (std::int64_t i = 0; i < ranges; ++i) files.emplace_back(folder / fmt::format("range-{:04}", i));
  const std::size_t record = edges.weighted ? sizeof(ListedArc) : offsetof(ListedArc, weight);
  std::vector<std::uint16_t> range_of(at((edges.nodes >> 8) + 1));  // of the first node of 256
  for (std::size_t i = 0; i < range_of.size(); ++i) {
    const auto node = static_cast<std::int64_t>(i) << 8;
    range_of[i] = static_cast<std::uint16_t>(
        std::min<std::int64_t>(ranges - 1, std::ranges::upper_bound(starts, node) - starts.begin() - 1));
  }
  for_listed_arcs(edges, "sorting", threads, progress, [&](const ListedArc& arc) {
    std::size_t range = range_of[arc.row >> 8];
    while (static_cast<std::int64_t>(arc.row) >= starts[range + 1]) ++range;
    files[range].add(&arc, record);
  });

  AppendedFile all_targets(folder / "targets"), all_weights(folder / "weights");
  offsets_.reserve(counts.size() + 1);
  bool all_one = true;
  for (std::int64_t range = 0; range < ranges; ++range) {
    const std::int64_t first = starts[at(range)], rows = starts[at(range) + 1] - first;
    std::vector<std::int64_t> begin(at(rows) + 1);
    for (std::size_t i = 0; i < at(rows); ++i) begin[i + 1] = begin[i] + counts[at(first) + i];
    std::vector<std::uint32_t> targets(at(begin.back()));
    std::vector<Real> weights(edges.weighted ? targets.size() : 0);
    std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
    files[at(range)].read(record, [&](std::string_view piece) {
      for (; !piece.empty(); piece.remove_prefix(record)) {
        ListedArc arc;
        std::memcpy(&arc, piece.data(), record);
        const std::size_t place = at(next[arc.row - at(first)]++);
        targets[place] = arc.target;
        if (edges.weighted) weights[place] = static_cast<Real>(arc.weight);
      }
    });
    files[at(range)].remove();
    std::vector<BuildReport> reports(at((rows + kMergedRows - 1) / kMergedRows));
    threads.for_blocks(rows, kMergedRows, [&](std::int64_t from, std::int64_t to) {
      std::vector<SortedArc> row;
      BuildReport& changes = reports[at(from / kMergedRows)];
      for (std::size_t i = at(from); i < at(to); ++i) {
        const std::size_t start = at(begin[i]), length = at(begin[i + 1] - begin[i]);
        next[i] = static_cast<std::int64_t>(merge_row(
            static_cast<NodeId>(first + static_cast<std::int64_t>(i)),
            std::span(targets).subspan(start, length),
            edges.weighted ? std::span(weights).subspan(start, length) : std::span<Real>(), row, changes));
      }
    });
    changes_ = std::accumulate(reports.begin(), reports.end(), changes_, sum_of);
    for (std::size_t i = 0; i < at(rows); ++i) {
      const std::size_t start = at(begin[i]), length = at(next[i]);
      all_targets.add(targets.data() + start, length * sizeof(std::uint32_t));
      offsets_.push_back(offsets_.back() + next[i]);
      if (!edges.weighted) continue;
      all_weights.add(weights.data() + start, length * sizeof(Real));
      all_one = all_one && std::ranges::all_of(std::span(weights).subspan(start, length),
                                               [](Real weight) { return weight == 1; });
    }
    report(progress, {"merging", range + 1, ranges, "ranges"});
  }
  all_targets.flush();
  all_weights.flush();
  targets_ = std::make_unique<MappedFile>(all_targets.path());
  if (!all_one) weights_ = std::make_unique<MappedFile>(all_weights.path());
}

GraphRows RowsOnDisk::rows() const {
  const auto arcs = at(offsets_.back());
  GraphRows rows{.offsets = offsets_, .targets = {}, .weights = {}};
  if (arcs > 0) rows.targets = {reinterpret_cast<const NodeId*>(targets_->bytes().data()), arcs};
  if (weights_) rows.weights = {reinterpret_cast<const Real*>(weights_->bytes().data()), arcs};
  return rows;
}

}  // namespace heatfront
