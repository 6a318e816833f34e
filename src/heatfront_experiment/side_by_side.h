// SPDX-License-Identifier: MIT
// Independent jobs side by side: as many at once as there are threads, each on one.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"

namespace heatfront {

// `worker`: which of the threads it is, from 0 on, for what a worker keeps from job to job. False: begin no more jobs.
using Job = std::function<bool(std::int64_t job, std::int64_t worker, Threads& thread)>;

// Jobs 0 … count − 1 begin in this order. An exception ends it as false does, and comes out when all have ended.
void side_by_side(std::int64_t count, Threads& threads, const Job& job);

// Their progress: told by one of them at a time, and stopped for all.
class SharedProgress {
 public:
  // `start`: how it stands at the start. The callback is lent.
  SharedProgress(const ProgressCallback& callback, Progress start)
      : callback_(callback), progress_(std::move(start)) {}

  // Tells how it stands with one of the jobs; false: all of them are to stop.
  bool go_on(std::string detail) {
    const std::lock_guard lock(mutex_);
    progress_.detail = std::move(detail);
    if (callback_ && !callback_(progress_)) stopped_ = true;
    return !stopped_;
  }

  // Does `keep` while no other job of these does, and counts so many as done.
  template <class Keep>
  void done(std::int64_t count, const Keep& keep) {
    const std::lock_guard lock(mutex_);
    keep();
    progress_.done += count;
  }

  bool stopped() const { return stopped_; }

 private:
  const ProgressCallback& callback_;
  Progress progress_;
  std::mutex mutex_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace heatfront
