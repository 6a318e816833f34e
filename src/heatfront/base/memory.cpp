// SPDX-License-Identifier: MIT
#include "heatfront/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace heatfront {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

// MemAvailable of /proc/meminfo, in KB there.
std::int64_t free_in_machine() {
  std::ifstream lines("/proc/meminfo");
  std::string name, unit;
  for (std::int64_t kilobytes = 0; lines >> name >> kilobytes;) {
    if (name == "MemAvailable:") return kilobytes << 10;
    std::getline(lines, unit);
  }
  return kNoLimit;
}

// The first number of a file; no limit where there is none ("max").
std::int64_t number_in(const std::filesystem::path& path) {
  std::int64_t number = kNoLimit;
  std::ifstream file(path);
  return file >> number ? number : kNoLimit;
}

std::int64_t free_in_control_group() {
  const std::filesystem::path group = "/sys/fs/cgroup";
  const std::int64_t limit = number_in(group / "memory.max"), used = number_in(group / "memory.current");
  return limit == kNoLimit || used == kNoLimit ? kNoLimit : std::max<std::int64_t>(0, limit - used);
}

std::int64_t free_addresses() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  const std::int64_t used = number_in("/proc/self/statm");  // pages
  if (used == kNoLimit) return kNoLimit;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - used * sysconf(_SC_PAGESIZE));
}

}  // namespace

std::int64_t available_memory() {
  return std::min({free_in_machine(), free_in_control_group(), free_addresses()});
}

}  // namespace heatfront
