// SPDX-License-Identifier: MIT
// What the exact and the approximate search share: distances, the choice of the nearest, and the loop over
// points.
#pragma once

#include <atomic>
#include <compare>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/base/types.h"
#include "heatfront_neighbours/knn.h"

namespace heatfront::knn {

struct Candidate {
  double squared;  // ‖x_u − x_v‖²
  NodeId id;       // v

  auto operator<=>(const Candidate&) const = default;
};

// The k nearest of `ids` to point u, in order, without u and without negative ids; fewer if there are not so
// many.
std::vector<Candidate> nearest_among(ConstMatrixView points, NodeId u, std::span<const std::int64_t> ids,
                                     int k);

std::vector<Candidate> nearest_of_all(ConstMatrixView points, NodeId u, int k);

void put_row(std::span<const Candidate> nearest, NodeId u, Neighbours& result);

// body(begin, end) on all points in fixed blocks, with progress from the calling thread.
template <class Body>
void for_points(std::int64_t points, const char* stage, Threads& threads, const ProgressCallback& progress,
                const Body& body) {
  constexpr std::int64_t kPointsAtOnce = 512;  // wide enough for matrix products at full speed
  const auto caller = std::this_thread::get_id();
  std::atomic<std::int64_t> done = 0;
  const auto tell = [&] { report(progress, {stage, done.load(), points, "points"}); };
  tell();
  threads.for_blocks(points, kPointsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    body(begin, end);
    done += end - begin;
    if (std::this_thread::get_id() == caller) tell();
  });
  tell();
}

// Both fill ids, distances and recall of a result that has its sizes.
void search_exactly(ConstMatrixView points, Threads& threads, const ProgressCallback& progress,
                    Neighbours& result);
void search_approximately(ConstMatrixView points, std::uint64_t seed, Threads& threads,
                          const ProgressCallback& progress, Neighbours& result);

}  // namespace heatfront::knn
