// SPDX-License-Identifier: MIT
#include "heatfront/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

namespace heatfront {
namespace {

// "max 100000" or "150000 100000": quota and period in microseconds.
int cores_of_control_group() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
  return std::max(1, static_cast<int>(std::stod(quota) / period));
}

}  // namespace

int available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  int cores = 1;
  if (sched_getaffinity(0, sizeof set, &set) == 0) cores = std::max(1, CPU_COUNT(&set));
  const int quota = cores_of_control_group();
  return quota > 0 ? std::min(cores, quota) : cores;
}

// One loop under way. Blocks are claimed in order by counting `next_` up.
class Threads::Job {
 public:
  explicit Job(const Loop& loop) : loop_(loop), blocks_((loop.n + loop.block - 1) / loop.block) {}

  std::int64_t blocks() const { return blocks_; }

  void work() {
    for (std::int64_t k; (k = next_.fetch_add(1, std::memory_order_relaxed)) < blocks_;) {
      try {
        loop_.body(loop_.context, k * loop_.block, std::min(loop_.n, (k + 1) * loop_.block));
      } catch (...) {
        note_failure(k);
      }
    }
  }

  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // All blocks before k are claimed and will be run, so the first failure is the same whoever finds it.
  void note_failure(std::int64_t k) {
    const std::lock_guard lock(failure_mutex_);
    if (failure_ && failed_block_ < k) return;
    failed_block_ = k;
    failure_ = std::current_exception();
    next_.store(blocks_, std::memory_order_relaxed);
  }

  Loop loop_;
  std::int64_t blocks_;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex failure_mutex_;
  std::int64_t failed_block_ = 0;
  std::exception_ptr failure_;
};

// The sleeping helpers. A helper joins a job only while it is posted, and the caller waits only for those who
// joined.
class Threads::Pool {
 public:
  explicit Pool(int helpers) {
    for (int i = 0; i < helpers; ++i) helpers_.emplace_back([this] { help(); });
  }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  // False when another loop is under way.
  bool run(Job& job) {
    {
      const std::lock_guard lock(mutex_);
      if (busy_) return false;
      busy_ = true;
      posted_ = &job;
      ++number_;
    }
    wake_.notify_all();
    job.work();
    std::unique_lock lock(mutex_);
    posted_ = nullptr;
    finished_.wait(lock, [this] { return working_ == 0; });
    busy_ = false;
    return true;
  }

 private:
  void help() {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return ending_ || (posted_ != nullptr && number_ != seen); });
      if (ending_) return;
      seen = number_;
      Job* const job = posted_;
      ++working_;
      lock.unlock();
      job->work();
      lock.lock();
      if (--working_ == 0) finished_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable finished_;
  Job* posted_ = nullptr;
  std::uint64_t number_ = 0;  // of the posted job
  int working_ = 0;
  bool busy_ = false;
  bool ending_ = false;
  std::vector<std::thread> helpers_;
};

Threads::Threads(int count) : count_(std::max(1, count)) {}
Threads::~Threads() = default;

void Threads::run(const Loop& loop) {
  assert(loop.block > 0);
  if (loop.n <= 0) return;
  Job job(loop);
  if (count_ > 1 && job.blocks() > 1) {
    std::call_once(started_, [this] { pool_ = std::make_unique<Pool>(count_ - 1); });
    if (!pool_->run(job)) job.work();
  } else {
    job.work();
  }
  job.rethrow_failure();
}

}  // namespace heatfront
