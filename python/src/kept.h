// SPDX-License-Identifier: MIT
// Things that take long to start and are kept for the next call of the process: threads. Whoever takes one has it alone.
#pragma once

#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace heatfront::python {

template <class T>
class Kept {
 public:
  // The first that is idle and for which fits(it); else make().
  template <class Fits, class Make>
  Kept(const Fits& fits, const Make& make) {
    Idle& kept = idle();
    const std::lock_guard lock(kept.mutex);
    for (std::unique_ptr<T>& one : kept.things) {
      if (!fits(*one)) continue;
      thing_ = std::move(one);
      std::swap(one, kept.things.back());
      kept.things.pop_back();
      return;
    }
    thing_ = make();
  }
  ~Kept() {
    Idle& kept = idle();
    const std::lock_guard lock(kept.mutex);
    kept.things.push_back(std::move(thing_));
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  T& operator*() const { return *thing_; }
  T* operator->() const { return thing_.get(); }

 private:
  struct Idle {
    std::mutex mutex;
    std::vector<std::unique_ptr<T>> things;
    pid_t process = getpid();
  };

  // Those of this process. A child of fork() has the memory of its parent's and not their threads, and another thread of the
  // parent may have held the lock: the child leaves all that alone and keeps its own. Never ended, for threads may still
  // use them when the process ends.
  static Idle& idle() {
    static std::atomic<Idle*> all = nullptr;
    Idle* seen = all.load(std::memory_order_acquire);
    while (!seen || seen->process != getpid()) {
      auto fresh = std::make_unique<Idle>();
      if (all.compare_exchange_strong(seen, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
    }
    return *seen;
  }

  std::unique_ptr<T> thing_;
};

}  // namespace heatfront::python
