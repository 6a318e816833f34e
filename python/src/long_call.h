// SPDX-License-Identifier: MIT
// A call that may take long: other Python threads run meanwhile, and Ctrl-C ends it. Python sees signals on its main thread alone, so
// there the work goes to a thread of its own, while the main thread looks for signals.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "heatfront/base/error.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/progress.h"

namespace heatfront::python {

// Runs `work` without Python's lock. Ctrl-C cancels `threads`, waits until the work has ended, and throws KeyboardInterrupt.
void run_long(Threads& threads, const std::function<void()>& work);

template <class Work>
auto long_call(Threads& threads, const Work& work) {
  using Result = decltype(work());
  if constexpr (std::is_void_v<Result>) {
    run_long(threads, work);
  } else {
    std::optional<Result> result;
    run_long(threads, [&] { result.emplace(work()); });
    return std::move(*result);
  }
}

// Calls a Python function with (stage, done, total, unit, detail) ten times a second, and at the end of a stage; each call holds up the
// work, as Python's lock is taken. Where it raises, the work stops and the exception goes on.
class PythonProgress {
 public:
  explicit PythonProgress(nanobind::object function) : function_(std::move(function)) {}
  PythonProgress(const PythonProgress&) = delete;
  PythonProgress& operator=(const PythonProgress&) = delete;

  // work(callback), which lets go of Python's lock; the callback is empty where there is no function.
  template <class Work>
  auto during(const Work& work) {
    try {
      return work(callback());
    } catch (const Interrupted&) {
      rethrow();
      throw;
    }
  }

 private:
  ProgressCallback callback();
  void rethrow();  // what the function raised, if it did
  bool call(const Progress& progress);

  nanobind::object function_;
  std::chrono::steady_clock::time_point next_;  // before that, nothing but the end of a stage is told
  std::exception_ptr raised_;
};

}  // namespace heatfront::python
