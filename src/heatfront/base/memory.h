// SPDX-License-Identifier: MIT
// How much memory there is.
#pragma once

#include <cstdint>

namespace heatfront {

// Bytes that the machine has, or those that its control groups grant this process where they are fewer.
std::int64_t whole_memory();

// Bytes that this process can still take: what the machine has free or can free, what its control groups leave, and its
// own limit of addresses; the least of those that are known.
std::int64_t available_memory();

// Bytes of addresses that this process can still take; a number beyond all memory where they are not limited (ulimit -v).
std::int64_t available_addresses();

}  // namespace heatfront
