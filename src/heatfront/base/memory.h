// SPDX-License-Identifier: MIT
// How much memory there is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace heatfront {

// The memory that the control groups of this process grant, as containers and batch systems set them; versions 1 and 2.
struct GroupMemory {
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  std::int64_t limit = kNoLimit;  // bytes, the least of the group's and of those that it is in
  std::int64_t free = kNoLimit;   // what is left of it; pages of files that can be dropped count as free
};

// `groups` names the groups of the process ("4:memory:/batch/job17", "0::/user.slice"), `root` is where they are mounted.
GroupMemory group_memory(const std::filesystem::path& groups = "/proc/self/cgroup",
                         const std::filesystem::path& root = "/sys/fs/cgroup");

// Bytes that the machine has, or those that its control groups grant this process where they are fewer.
std::int64_t whole_memory();

// Bytes that this process can still take: what the machine has free or can free, what its control groups leave, and its
// own limit of addresses; the least of those that are known.
std::int64_t available_memory();

// Bytes of addresses that this process can still take; a number beyond all memory where they are not limited (ulimit -v).
std::int64_t available_addresses();

}  // namespace heatfront
