// SPDX-License-Identifier: MIT
#include "long_call.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace heatfront::python {
namespace nb = nanobind;
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50};

bool on_main_thread() {
  const nb::module_ threading = nb::module_::import_("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

// Work on a thread of its own, which can be waited for in steps.
class Beside {
 public:
  explicit Beside(const std::function<void()>& work)
      : thread_([this, &work] {
          try {
            work();
          } catch (...) {
            failure_ = std::current_exception();
          }
          const std::lock_guard lock(mutex_);
          done_ = true;
          changed_.notify_one();
        }) {}
  ~Beside() { join(); }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  bool wait() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kBetweenLooks, [&] { return done_; });
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
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
    Beside beside(work);
    while (!beside.wait()) {
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
    beside.join();
    threads.resume();
    if (!interrupted) beside.rethrow();
  }
  if (interrupted) std::rethrow_exception(interrupted);
}

ProgressCallback PythonProgress::callback() {
  if (function_.is_none()) return {};
  return [this](const Progress& progress) { return call(progress); };
}

bool PythonProgress::call(const Progress& progress) {
  const nb::gil_scoped_acquire lock;
  if (raised_) return false;
  try {
    function_(progress.stage, progress.done, progress.total, progress.unit, progress.detail);
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
