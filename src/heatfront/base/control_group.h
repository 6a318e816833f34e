// SPDX-License-Identifier: MIT
// The memory that the control groups of this process grant, as containers and batch systems set them; versions 1 and 2.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

namespace heatfront {

struct GroupMemory {
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  std::int64_t limit = kNoLimit;  // bytes, the least of the group's and of those that it is in
  std::int64_t free = kNoLimit;   // what is left of it; pages of files that can be dropped count as free
};

// `groups` names the groups of the process ("4:memory:/batch/job17", "0::/user.slice"), `root` is where they are mounted.
GroupMemory group_memory(const std::filesystem::path& groups = "/proc/self/cgroup",
                         const std::filesystem::path& root = "/sys/fs/cgroup");

}  // namespace heatfront
