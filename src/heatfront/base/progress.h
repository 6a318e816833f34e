// SPDX-License-Identifier: MIT
// How long work tells of itself: the library calls, the caller shows it or stops the work.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "heatfront/base/error.h"

namespace heatfront {

struct Progress {
  std::string stage;       // what is being done, in a word or two
  std::int64_t done = 0;   // of `total`, in units of `unit`
  std::int64_t total = 0;  // 0: not known
  std::string unit;
  std::string detail = {};  // how it stands, where there is more to say
};

// Returns false to stop the work, which then ends with Interrupted.
using ProgressCallback = std::function<bool(const Progress&)>;

inline void report(const ProgressCallback& callback, const Progress& progress) {
  if (callback && !callback(progress)) throw Interrupted();
}

}  // namespace heatfront
