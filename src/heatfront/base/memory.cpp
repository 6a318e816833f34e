// SPDX-License-Identifier: MIT
#include "heatfront/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "heatfront/base/control_group.h"

namespace heatfront {
namespace {

constexpr std::int64_t kNoLimit = GroupMemory::kNoLimit;

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

}  // namespace

std::int64_t whole_memory() {
  return std::min<std::int64_t>(sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), group_memory().limit);
}

std::int64_t available_memory() {
  return std::min({free_in_machine(), group_memory().free, available_addresses()});
}

std::int64_t available_addresses() {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  std::int64_t used = 0;  // pages
  if (!(std::ifstream("/proc/self/statm") >> used)) return kNoLimit;
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(limit.rlim_cur) - used * sysconf(_SC_PAGESIZE));
}

}  // namespace heatfront
