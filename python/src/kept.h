// SPDX-License-Identifier: MIT
// Things that take long to start and are kept for the next call of the process: threads. Whoever takes one has it alone.
#pragma once

#include <unistd.h>

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
    const std::lock_guard lock(idle().mutex);
    idle().drop_those_of_a_parent();
    for (std::unique_ptr<T>& one : idle().things) {
      if (!fits(*one)) continue;
      thing_ = std::move(one);
      std::swap(one, idle().things.back());
      idle().things.pop_back();
      return;
    }
    thing_ = make();
  }
  ~Kept() {
    const std::lock_guard lock(idle().mutex);
    idle().things.push_back(std::move(thing_));
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

    // A child of fork() has their memory and not their threads, so they are left alone.
    void drop_those_of_a_parent() {
      if (process == getpid()) return;
      for (std::unique_ptr<T>& one : things) static_cast<void>(one.release());
      things.clear();
      process = getpid();
    }
  };
  static Idle& idle() {
    static Idle& all = *new Idle;  // never ended: threads may still use it when the process does
    return all;
  }

  std::unique_ptr<T> thing_;
};

}  // namespace heatfront::python
