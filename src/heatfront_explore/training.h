// SPDX-License-Identifier: MIT
// Learning from the labels that have come, beside the session that goes on: on a thread of its own, with progress, until it is done, stopped
// or fails.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"
#include "heatfront/models/trained_model.h"

namespace heatfront::explore {

// A model that was trained again, beside the one before. Both are judged by validation nodes where there are some that are not held, else by
// labels left out that both were judged by; NaN where there is nothing to judge by.
struct TrainedAgain {
  TrainedModel model;
  double before = 0, after = 0;  // accuracies
  bool better = false;           // or as good, or nobody knows
};

// With its settings where it learned before (train_further), else the best of what can be learned quickly (fit_auto).
TrainedAgain train_again(const TrainedModel& model, Threads& threads, const ProgressCallback& progress);

class Training {
 public:
  ~Training() { stop(); }

  bool running() const { return running_; }
  void start(TrainedModel model, int thread_count);  // Error where one is under way
  void stop();                                       // and waits until it has
  void wait();                                       // until it is done

  Progress progress() const;
  std::string error() const;            // why the last one failed; empty: it did not
  std::optional<TrainedAgain> taken();  // what the last one came to, once

 private:
  mutable std::mutex mutex_;
  Progress progress_;
  std::string error_;
  std::optional<TrainedAgain> result_;
  std::atomic<bool> running_ = false, stopped_ = false;
  std::thread thread_;
};

}  // namespace heatfront::explore
