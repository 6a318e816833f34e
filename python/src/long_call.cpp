// SPDX-License-Identifier: MIT
#include "long_call.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "kept.h"

namespace heatfront::python {
namespace nb = nanobind;
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};
constexpr std::chrono::milliseconds kBetweenCalls{100};

bool on_main_thread() {
  const nb::module_ threading = nb::module_::import_("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

// A thread that does work beside the caller, who can wait for it in steps.
class Beside {
 public:
  Beside() : thread_([this] { serve(); }) { thread_.detach(); }

  void start(const std::function<void()>& work) {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    failure_ = nullptr;
    changed_.notify_all();
  }
  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kBetweenLooks, [&] { return work_ == nullptr; });
  }
  void join() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return work_ == nullptr; });
  }
  void rethrow() {
    if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
  }

 private:
  [[noreturn]] void serve() {
    for (std::unique_lock lock(mutex_);;) {
      changed_.wait(lock, [&] { return work_ != nullptr; });
      lock.unlock();
      std::exception_ptr failure;
      try {
        (*work_)();
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      failure_ = std::move(failure);
      work_ = nullptr;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* work_ = nullptr;  // null: there is none to do
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

void run_long(Threads& threads, const std::function<void()>& work) {
  if (!on_main_thread()) {
    const nb::gil_scoped_release others_run;
    work();
    return;
  }
  std::exception_ptr interrupted;
  {
    const nb::gil_scoped_release others_run;
    const Kept<Beside> beside([](const Beside&) { return true; }, [] { return std::make_unique<Beside>(); });
    beside->start(work);
    while (!beside->wait()) {
      const nb::gil_scoped_acquire lock;
      if (PyErr_CheckSignals() == 0) continue;
      try {
        throw nb::python_error();
      } catch (...) {
        interrupted = std::current_exception();
      }
      threads.cancel();
      break;
    }
    beside->join();
    threads.resume();
    if (!interrupted) beside->rethrow();
  }
  if (interrupted) std::rethrow_exception(interrupted);
}

ProgressCallback PythonProgress::callback() {
  if (function_.is_none()) return {};
  return [this](const Progress& progress) { return call(progress); };
}

bool PythonProgress::call(const Progress& progress) {
  using Clock = std::chrono::steady_clock;
  if (raised_) return false;
  const bool ended = progress.total != 0 && progress.done == progress.total;
  if (!ended && Clock::now() < next_) return true;
  const nb::gil_scoped_acquire lock;
  try {
    function_(progress.stage, progress.done, progress.total, progress.unit, progress.detail);
    next_ = Clock::now() + kBetweenCalls;
    return true;
  } catch (...) {
    raised_ = std::current_exception();
    return false;
  }
}

void PythonProgress::rethrow() {
  if (raised_) std::rethrow_exception(raised_);
}

}  // namespace heatfront::python
