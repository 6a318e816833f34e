// SPDX-License-Identifier: MIT
#include "heatfront/base/parallel.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>

#include "heatfront/base/error.h"
#include "heatfront/base/memory.h"

namespace heatfront {
namespace {

constexpr std::int64_t kAddressesOfAThread = std::int64_t{72}
                                             << 20;  // its stack, and what malloc sets aside for it
constexpr std::chrono::microseconds kAwake{200};

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
  Job(const Loop& loop, const std::atomic<bool>& cancelled)
      : loop_(loop), blocks_((loop.n + loop.block - 1) / loop.block), cancelled_(cancelled) {}

  std::int64_t blocks() const { return blocks_; }
  bool open() const {
    return next_.load(std::memory_order_relaxed) < blocks_;
  }                // has blocks that nobody took
  int others = 0;  // who work on it beside its caller; the pool's lock guards it

  void work() {
    for (std::int64_t k; (k = next_.fetch_add(1, std::memory_order_relaxed)) < blocks_;) {
      try {
        if (cancelled_.load(std::memory_order_relaxed)) throw Interrupted();
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
  const std::atomic<bool>& cancelled_;
  std::atomic<std::int64_t> next_ = 0;
  std::mutex failure_mutex_;
  std::int64_t failed_block_ = 0;
  std::exception_ptr failure_;
};

// Jobs that are posted, and who works on them: the helpers, and callers who wait for others to finish. A job may
// be posted from inside another; the oldest with blocks left is taken first, because its blocks are the largest.
// Who finds nothing to do waits a moment, then sleeps.
class Threads::Pool {
 public:
  // Where addresses are limited, threads take half of them at most: the rest is for the work. Where the system has no room for
  // so many, those there are do the work.
  explicit Pool(int helpers) {
    const std::int64_t room = available_addresses() / 2 / kAddressesOfAThread;
    if (room < helpers) helpers = static_cast<int>(room);
    try {
      helpers_.reserve(static_cast<std::size_t>(helpers));
      for (int i = 0; i < helpers; ++i) helpers_.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      return;
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  bool is_of_this_process() const { return process_ == getpid(); }

  void run(Job& job) {
    {
      const std::lock_guard lock(mutex_);
      posted_.push_back(&job);
      tell();
    }
    job.work();
    std::unique_lock lock(mutex_);
    std::erase(posted_, &job);
    while (job.others > 0) work_or_sleep(lock);
  }

 private:
  void help() {
    std::unique_lock lock(mutex_);
    while (!ending_) work_or_sleep(lock);
  }

  // On the oldest open job; without one, until something changes.
  void work_or_sleep(std::unique_lock<std::mutex>& lock) {
    const auto oldest = std::ranges::find_if(posted_, [](const Job* job) { return job->open(); });
    if (oldest == posted_.end()) return wait_for_news(lock);
    Job& job = **oldest;
    ++job.others;
    lock.unlock();
    job.work();
    lock.lock();
    if (--job.others == 0) tell();
  }

  // First awake: the next loop often comes at once, and to wake a sleeper can take longer than the loop.
  void wait_for_news(std::unique_lock<std::mutex>& lock) {
    const std::uint64_t seen = news_.load(std::memory_order_relaxed);
    lock.unlock();
    const auto until = std::chrono::steady_clock::now() + kAwake;
    while (news_.load(std::memory_order_acquire) == seen && std::chrono::steady_clock::now() < until)
      std::this_thread::yield();
    lock.lock();
    if (news_.load(std::memory_order_relaxed) != seen || ending_) return;
    ++sleeping_;
    changed_.wait(lock);
    --sleeping_;
  }

  void tell() {
    news_.fetch_add(1, std::memory_order_release);
    if (sleeping_ > 0) changed_.notify_all();
  }

  pid_t process_ = getpid();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<std::uint64_t> news_ = 0;  // jobs posted and left, so far
  std::vector<Job*> posted_;
  int sleeping_ = 0;
  bool ending_ = false;
  std::vector<std::thread> helpers_;
};

Threads::Threads(int count) : count_(std::max(1, count)) {}

Threads::~Threads() {
  if (pool_ && !pool_->is_of_this_process()) pool_.release();  // NOLINT: see pool()
}

// After fork() the child has none of its parent's helpers, and what they held locked stays so: it forgets that pool, which
// must not be destroyed, and starts one of its own.
Threads::Pool& Threads::pool() {
  if (Pool* running = running_.load(std::memory_order_acquire); running && running->is_of_this_process())
    return *running;
  const std::lock_guard lock(starting_);
  if (!pool_ || !pool_->is_of_this_process()) {
    auto started = std::make_unique<Pool>(count_ - 1);
    pool_.release();
    pool_ = std::move(started);
    running_.store(pool_.get(), std::memory_order_release);
  }
  return *pool_;
}

void Threads::run(const Loop& loop) {
  assert(loop.block > 0);
  if (loop.n <= 0) return;
  Job job(loop, cancelled_);
  if (count_ > 1 && job.blocks() > 1) {
    pool().run(job);
  } else {
    job.work();
  }
  job.rethrow_failure();
}

}  // namespace heatfront
