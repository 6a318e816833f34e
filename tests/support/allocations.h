// SPDX-License-Identifier: MIT
// What operator new gives out in this program: counted, and made to fail. Sanitizers have one of their own, which neither
// counts nor fails.
#pragma once

#include <cstdint>

#include "support/sanitized.h"

namespace heatfront::test {

constexpr bool kCountsAllocations = !kSanitized;

// The most bytes in use at once since it was made, beside those in use then, by all threads together.
class MemoryWatch {
 public:
  MemoryWatch();
  std::int64_t peak() const;

 private:
  std::int64_t before_;
};

// While it lives, one allocation of this thread fails: the one that comes after `others` others.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::int64_t others);
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  bool came() const;
};

}  // namespace heatfront::test
