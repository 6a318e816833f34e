// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/rows_on_disk.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/descriptor.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kDrawnAtOnce = 1 << 20, kDrawnByThread = 1 << 14;  // edges
constexpr std::size_t kBufferBytes = 1 << 20;
constexpr std::int64_t kMostRanges = 500;         // a file is open for each
constexpr std::uint32_t kTurnedBit = 0x80000000;  // of a target: the arc was given the other way round

struct ListedArc {
  std::uint32_t row, target;
  float weight;
};

// A file that is written from its beginning to its end.
class AppendedFile {
 public:
  explicit AppendedFile(fs::path path)
      : path_(std::move(path)), file_(open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {
    if (!file_) cannot_write();
  }
  void add(const void* data, std::size_t bytes) {
    buffer_.append(static_cast<const char*>(data), bytes);
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void flush() {
    if (!write_whole(file_, buffer_, end_)) cannot_write();
    end_ += static_cast<off_t>(buffer_.size());
    buffer_.clear();
  }
  // each(bytes) from the beginning, in pieces of whole records.
  template <class Each>
  void read(std::size_t record, const Each& each) {
    flush();
    std::string piece(kBufferBytes / record * record, '\0');
    for (off_t at_byte = 0; at_byte < end_;) {
      const std::size_t wanted = std::min(piece.size(), static_cast<std::size_t>(end_ - at_byte));
      std::size_t got = 0;
      while (got < wanted) {
        const ssize_t bytes =
            pread(file_.number(), piece.data() + got, wanted - got, at_byte + static_cast<off_t>(got));
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes <= 0) fail("{}: cannot be read: {}", path_.string(), std::strerror(errno));
        got += static_cast<std::size_t>(bytes);
      }
      each(std::string_view(piece).substr(0, wanted));
      at_byte += static_cast<off_t>(wanted);
    }
  }
  void remove() {
    std::error_code ignored;
    fs::remove(path_, ignored);
    file_.reset();
  }
  const fs::path& path() const { return path_; }

 private:
  [[noreturn]] void cannot_write() const {
    fail("{}: cannot be written: {}", path_.string(), std::strerror(errno));
  }

  fs::path path_;
  Descriptor file_;
  std::string buffer_;
  off_t end_ = 0;
};

// each(row, target, turned, weight) for both directions of every edge that is to stay, in the order of the list.
template <class Each>
void for_listed_arcs(const EdgeStream& edges, std::string_view stage, Threads& threads,
                     const ProgressCallback& progress, const Each& each) {
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
      if (from[i] == to[i] || weight < kLeastWeight) continue;
      const auto u = static_cast<std::uint32_t>(from[i]), v = static_cast<std::uint32_t>(to[i]);
      each(ListedArc{u, v, static_cast<float>(weight)});
      each(ListedArc{v, u | kTurnedBit, static_cast<float>(weight)});
    }
    report(progress, {std::string(stage), first + count, edges.edges, "edges"});
  }
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

// The arcs of a row, in the order of the list → by target, each once, as build_graph() merges them. Returns how many.
std::size_t merge_row(std::span<std::uint32_t> targets, std::span<Real> weights,
                      std::vector<SortedArc>& row) {
  if (weights.empty()) {
    for (std::uint32_t& target : targets) target &= ~kTurnedBit;
    std::ranges::sort(targets);
    return static_cast<std::size_t>(std::unique(targets.begin(), targets.end()) - targets.begin());
  }
  row.clear();
  for (std::size_t i = 0; i < targets.size(); ++i)
    row.push_back(
        {static_cast<NodeId>(targets[i] & ~kTurnedBit), (targets[i] & kTurnedBit) != 0, weights[i]});
  std::ranges::stable_sort(row, {}, &SortedArc::target);
  std::size_t count = 0;
  for (std::size_t i = 0; i < row.size(); ++count) {
    const NodeId target = row[i].target;
    Real sums[2] = {0, 0};
    bool there[2] = {false, false};
    for (; i < row.size() && row[i].target == target; ++i) {
      sums[row[i].turned] = there[row[i].turned] ? sums[row[i].turned] + row[i].weight : row[i].weight;
      there[row[i].turned] = true;
    }
    targets[count] = static_cast<std::uint32_t>(target);
    weights[count] = there[0] && there[1] ? (sums[0] + sums[1]) / 2 : sums[there[1]];
  }
  return count;
}

}  // namespace

RowsOnDisk::RowsOnDisk(const EdgeStream& edges, const fs::path& folder, std::int64_t memory_limit,
                       Threads& threads, const ProgressCallback& progress) {
  constexpr std::int64_t kMergedRows = 1024;
  std::vector<std::uint32_t> counts(at(edges.nodes));
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
    threads.for_blocks(rows, kMergedRows, [&](std::int64_t from, std::int64_t to) {
      std::vector<SortedArc> row;
      for (std::size_t i = at(from); i < at(to); ++i) {
        const std::size_t start = at(begin[i]), length = at(begin[i + 1] - begin[i]);
        next[i] = static_cast<std::int64_t>(
            merge_row(std::span(targets).subspan(start, length),
                      edges.weighted ? std::span(weights).subspan(start, length) : std::span<Real>(), row));
      }
    });
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
