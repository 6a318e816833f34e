// SPDX-License-Identifier: MIT
// While it lives, BLAS, which uses OpenMP, stays on the thread that calls it: heatfront brings the threads. Every call
// into it stands under one.
#pragma once

#include <omp.h>  // of Clang's runtime where Clang compiles; what is linked is GCC's, whose names are the same

namespace heatfront {

class OneOpenMpThread {
 public:
  OneOpenMpThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }  // of the calling thread
  ~OneOpenMpThread() { omp_set_num_threads(before_); }
  OneOpenMpThread(const OneOpenMpThread&) = delete;
  OneOpenMpThread& operator=(const OneOpenMpThread&) = delete;

 private:
  int before_;
};

}  // namespace heatfront
