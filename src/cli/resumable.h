// SPDX-License-Identifier: MIT
// Long work whose record on disk lets it go on after an interruption.
#pragma once

#include <filesystem>

#include "heatfront/base/error.h"
#include "heatfront/base/fail.h"

namespace heatfront::cli {

// Does the work; interrupted, it says how to go on, if there is a record.
template <class Work>
auto resumable(const std::filesystem::path& record, const Work& work) {
  try {
    return work();
  } catch (const Interrupted&) {
    if (record.empty()) throw;
    fail("interrupted; the same command goes on with what {} has", record.string());
  }
}

}  // namespace heatfront::cli
