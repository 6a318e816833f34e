// SPDX-License-Identifier: MIT
// How much memory there is to be had.
#pragma once

#include <cstdint>

namespace heatfront {

// Bytes that this process can still take: what the machine has free or can free, the limit of its control group, and its
// own limit of addresses; the least of those that are known.
std::int64_t available_memory();

}  // namespace heatfront
