// SPDX-License-Identifier: MIT
// Independent jobs side by side: as many at once as there are threads, each on one.
#pragma once

#include <cstdint>
#include <functional>

#include "heatfront/base/parallel.h"

namespace heatfront {

// `worker`: which of the threads it is, from 0 on, for what a worker keeps from job to job. False: begin no more jobs.
using Job = std::function<bool(std::int64_t job, std::int64_t worker, Threads& thread)>;

// Jobs 0 … count − 1 begin in this order. An exception ends it as false does, and comes out when all have ended.
void side_by_side(std::int64_t count, Threads& threads, const Job& job);

}  // namespace heatfront
