// SPDX-License-Identifier: MIT
// Threads that share out blocks of a loop. Blocks depend on the loop alone, never on the number of threads;
// whoever is free takes the next one, so a thread that the machine holds back delays nobody. Waiting threads
// soon sleep. Long work can be cancelled from outside: whoever would take the next block throws instead. A child of fork()
// starts helpers of its own.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace heatfront {

// Cores this process may use: its affinity mask, and the CPU quota of its control group where there is one.
int available_cores();

class Threads {
 public:
  explicit Threads(
      int count = available_cores());  // the caller is one of them; the others start at first use
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  int count() const { return count_; }

  // Every loop under way, and every later one, throws Interrupted before its next block, until resume(). May be called from
  // another thread or a signal handler.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  void resume() noexcept { cancelled_.store(false, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }

  // Runs body(begin, end) on [0, n) in blocks of `block`. If blocks throw, the exception of the first of them
  // is thrown here. May be called from inside a body, and by several threads at once: whoever has nothing to do
  // helps.
  template <class Body>
  void for_blocks(std::int64_t n, std::int64_t block, const Body& body) {
    run({[](const void* context, std::int64_t begin, std::int64_t end) {
           (*static_cast<const Body*>(context))(begin, end);
         },
         &body, n, block});
  }

  // Σ of value(begin, end) over the blocks, added in order of the blocks: the same bits for any number of
  // threads.
  template <class T, class Value>
  T sum_blocks(std::int64_t n, std::int64_t block, const Value& value) {
    std::vector<T> parts(static_cast<std::size_t>((n + block - 1) / block));
    for_blocks(n, block, [&](std::int64_t begin, std::int64_t end) {
      parts[static_cast<std::size_t>(begin / block)] = value(begin, end);
    });
    T sum{};
    for (const T& part : parts) sum += part;
    return sum;
  }

 private:
  struct Loop {
    void (*body)(const void* context, std::int64_t begin, std::int64_t end);
    const void* context;
    std::int64_t n;
    std::int64_t block;
  };
  class Job;
  class Pool;

  void run(const Loop& loop);
  Pool& pool();

  int count_;
  std::atomic<bool> cancelled_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler could wait for itself
  std::atomic<Pool*> running_ = nullptr;                  // the pool of this process, once it is there
  std::mutex starting_;
  std::unique_ptr<Pool> pool_;
};

// Rows a thread takes at once where each costs some `cost` additions: all of them where the whole is not worth
// waking a thread for.
inline std::int64_t rows_at_once(std::int64_t rows, std::int64_t cost) {
  constexpr std::int64_t kSmall = 1 << 19, kShare = 1 << 18;
  cost = cost < 1 ? 1 : cost;
  if (rows * cost < kSmall) return rows < 1 ? 1 : rows;
  return kShare < cost ? 1 : kShare / cost;
}

}  // namespace heatfront
