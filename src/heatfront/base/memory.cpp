// SPDX-License-Identifier: MIT
#include "heatfront/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace heatfront {
namespace fs = std::filesystem;
namespace {

struct GroupFiles {
  std::string_view controllers, root, limit, used, droppable;
};

constexpr GroupFiles kVersion1 = {"memory", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
                                  "total_inactive_file"};
constexpr GroupFiles kVersion2 = {"", "", "memory.max", "memory.current", "inactive_file"};

// The first number of a file; no limit where there is none ("max").
std::int64_t number_in(const fs::path& path) {
  std::int64_t number = 0;
  std::ifstream file(path);
  return file >> number ? number : GroupMemory::kNoLimit;
}

// The number beside a name in lines of "name number"; 0 where it is not there.
std::int64_t number_beside(std::string_view wanted, const fs::path& path) {
  std::ifstream lines(path);
  std::string name;
  for (std::int64_t number = 0; lines >> name >> number;) {
    if (name == wanted) return number;
  }
  return 0;
}

void restrict_by(const GroupFiles& files, const fs::path& group, GroupMemory& memory) {
  const std::int64_t limit = number_in(group / files.limit), used = number_in(group / files.used);
  memory.limit = std::min(memory.limit, limit);
  if (limit == GroupMemory::kNoLimit || used == GroupMemory::kNoLimit) return;
  const std::int64_t held =
      std::max<std::int64_t>(0, used - number_beside(files.droppable, group / "memory.stat"));
  memory.free = std::min(memory.free, std::max<std::int64_t>(0, limit - held));
}

}  // namespace

GroupMemory group_memory(const fs::path& groups, const fs::path& root) {
  GroupMemory memory;
  std::ifstream lines(groups);
  for (std::string number, controllers, path; std::getline(lines, number, ':') &&
                                              std::getline(lines, controllers, ':') &&
                                              std::getline(lines, path);) {
    for (const GroupFiles& files : {kVersion1, kVersion2}) {
      if (controllers != files.controllers) continue;
      // Inside a container the path may be the host's, and what is not there restricts nothing.
      for (fs::path group = fs::path(path).relative_path();; group = group.parent_path()) {
        restrict_by(files, root / files.root / group, memory);
        if (group.empty()) break;
      }
    }
  }
  return memory;
}

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
