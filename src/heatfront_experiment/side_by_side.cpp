// SPDX-License-Identifier: MIT
#include "heatfront_experiment/side_by_side.h"

#include <algorithm>
#include <atomic>

namespace heatfront {

void side_by_side(std::int64_t count, Threads& threads, const Job& job) {
  std::atomic<std::int64_t> next = 0;
  std::atomic<bool> stopped = false;
  const auto work = [&](std::int64_t worker) {
    Threads thread(1);
    for (std::int64_t i; !stopped && (i = next++) < count;) {
      if (!job(i, worker, thread)) stopped = true;
    }
  };
  threads.for_blocks(std::min<std::int64_t>(threads.count(), count), 1,
                     [&](std::int64_t worker, std::int64_t) {
                       try {
                         work(worker);
                       } catch (...) {
                         stopped = true;
                         throw;
                       }
                     });
}

}  // namespace heatfront
