// SPDX-License-Identifier: MIT
// While it lives, what uses OpenMP (faiss, BLAS) stays on the thread that calls it: heatfront brings the
// threads. Every call into them stands under one.
#pragma once

// As in <omp.h>, which only the compiler has that brought this runtime.
extern "C" int omp_get_max_threads() noexcept;
extern "C" void omp_set_num_threads(int count) noexcept;  // of the calling thread

namespace heatfront {

class OneOpenMpThread {
 public:
  OneOpenMpThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneOpenMpThread() { omp_set_num_threads(before_); }
  OneOpenMpThread(const OneOpenMpThread&) = delete;
  OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

 private:
  int before_;
};

}  // namespace heatfront
