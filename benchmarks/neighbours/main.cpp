// SPDX-License-Identifier: MIT
// heatfront_near FOLDER: the approximate search for the 10 nearest neighbours of every point beside hnswlib's, as Markdown on
// standard output. Both get the same points and threads, in turns. Time is CPU time of all threads, so that other programs
// disturb it little; recall is the share of the true neighbours of a thousand points, found by comparing with all points.
#include <fmt/format.h>
#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_neighbours/knn.h"

namespace heatfront::near {
namespace {

constexpr int kNeighbours = 10;
constexpr std::int64_t kSample = 1000;

double cpu_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

float squared_distance(std::span<const Real> a, std::span<const Real> b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// The squared distance of the 10th nearest point, for every point of the sample: whatever is not farther is a true neighbour.
std::vector<float> farthest_true_distances(const Matrix& points, Threads& threads) {
  std::vector<float> farthest(kSample);
  threads.for_blocks(kSample, 8, [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> distances(static_cast<std::size_t>(points.rows()));
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t u = i * points.rows() / kSample;
      for (std::int64_t v = 0; v < points.rows(); ++v)
        distances[static_cast<std::size_t>(v)] = squared_distance(points.row(u), points.row(v));
      distances[static_cast<std::size_t>(u)] = std::numeric_limits<float>::infinity();
      std::ranges::nth_element(distances, distances.begin() + kNeighbours - 1);
      farthest[static_cast<std::size_t>(i)] = distances[kNeighbours - 1];
    }
  });
  return farthest;
}

double recall(const Matrix& points, std::span<const float> farthest, std::span<const NodeId> ids) {
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < kSample; ++i) {
    const std::int64_t u = i * points.rows() / kSample;
    for (NodeId v : ids.subspan(static_cast<std::size_t>(u * kNeighbours), kNeighbours))
      found +=
          squared_distance(points.row(u), points.row(v)) <= farthest[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  return static_cast<double>(found) / static_cast<double>(kSample * kNeighbours);
}

struct HnswOptions {
  std::size_t links, width_building, width_searching;
};

// each(i) for i = first … count−1, whichever thread is free taking the next: as hnswlib's own Python module does it.
void in_any_order(std::size_t first, std::size_t count, int threads,
                  const std::function<void(std::size_t)>& each) {
  std::atomic<std::size_t> next = first;
  std::vector<std::jthread> team;
  for (int t = 0; t < threads; ++t) {
    team.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) each(i);
    });
  }
}

std::vector<NodeId> by_hnswlib(const Matrix& points, const HnswOptions& options, int threads) {
  hnswlib::L2Space space(static_cast<std::size_t>(points.cols()));
  const auto count = static_cast<std::size_t>(points.rows());
  hnswlib::HierarchicalNSW<float> index(&space, count, options.links, options.width_building);
  const auto row = [&](std::size_t u) { return points.row(static_cast<std::int64_t>(u)).data(); };
  index.addPoint(row(0), 0);
  in_any_order(1, count, threads, [&](std::size_t u) { index.addPoint(row(u), u); });
  index.setEf(options.width_searching);
  std::vector<NodeId> ids(count * kNeighbours);
  in_any_order(0, count, threads, [&](std::size_t u) {
    auto nearest = index.searchKnn(row(u), kNeighbours + 1);  // farthest first; itself among them
    std::vector<NodeId> others;
    for (; !nearest.empty(); nearest.pop()) {
      if (nearest.top().second != u) others.push_back(static_cast<NodeId>(nearest.top().second));
    }
    std::ranges::reverse(others);
    others.resize(kNeighbours, static_cast<NodeId>(u == 0 ? 1 : 0));
    std::ranges::copy(others, ids.begin() + static_cast<std::ptrdiff_t>(u * kNeighbours));
  });
  return ids;
}

std::vector<NodeId> by_heatfront(const Matrix& points, int threads) {
  Threads team(threads);
  return nearest_neighbours(points, {.k = kNeighbours, .approximate = true}, team).ids;
}

std::int64_t rows_that_differ(std::span<const NodeId> a, std::span<const NodeId> b) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < a.size(); i += kNeighbours)
    count += std::ranges::equal(a.subspan(i, kNeighbours), b.subspan(i, kNeighbours)) ? 0 : 1;
  return count;
}

void run(const std::string& folder) {
  Threads threads(2);
  const Dataset data = open_dataset(folder, {}, threads);
  const Matrix& points = *data.features.dense();
  const std::vector<float> farthest = farthest_true_distances(points, threads);
  fmt::print("{} points of {} numbers, {} neighbours each.\n\n", points.rows(), points.cols(), kNeighbours);
  fmt::print(
      "| search | CPU s, 2 threads | CPU s, 1 thread | recall | rows that differ between them "
      "|\n|---|---|---|---|---|\n");
  const auto contest = [&](const std::string& name, const std::function<std::vector<NodeId>(int)>& search) {
    const double start = cpu_seconds();
    const std::vector<NodeId> ids = search(2);
    const double between = cpu_seconds();
    const std::vector<NodeId> alone = search(1);
    fmt::print("| {} | {:.1f} | {:.1f} | {:.4f} | {} |\n", name, between - start, cpu_seconds() - between,
               recall(points, farthest, ids), rows_that_differ(ids, alone));
    std::fflush(stdout);
  };
  contest("heatfront", [&](int count) { return by_heatfront(points, count); });
  for (const HnswOptions& options : {HnswOptions{8, 40, 20}, HnswOptions{16, 100, 40}}) {
    contest(fmt::format("hnswlib M = {}, ef = {} building, {} searching", options.links,
                        options.width_building, options.width_searching),
            [&](int count) { return by_hnswlib(points, options, count); });
  }
}

}  // namespace
}  // namespace heatfront::near

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: heatfront_near FOLDER, of images or other points\n", stderr);
    return 2;
  }
  heatfront::near::run(arguments[1]);
}
