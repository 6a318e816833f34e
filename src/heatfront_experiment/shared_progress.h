// SPDX-License-Identifier: MIT
// The progress of jobs side by side: told by one of them at a time, and stopped for all.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "heatfront/base/progress.h"

namespace heatfront {

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
