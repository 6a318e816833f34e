// SPDX-License-Identifier: MIT
#include "support/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace heatfront::test {
namespace {

constexpr std::int64_t kNever = -1;

std::atomic<std::int64_t> in_use = 0, most_in_use = 0;
thread_local std::int64_t until_failure = kNever;  // allocations

void count(std::int64_t bytes) {
  const std::int64_t now = in_use.fetch_add(bytes) + bytes;
  for (std::int64_t most = most_in_use; most < now && !most_in_use.compare_exchange_weak(most, now);) {
  }
}

[[maybe_unused]] void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  count(static_cast<std::int64_t>(malloc_usable_size(memory)));
  return memory;
}

[[maybe_unused]] void fail_if_due() {
  if (until_failure != kNever && until_failure-- == 0) throw std::bad_alloc();
}

[[maybe_unused]] void give_back(void* memory) {
  count(-static_cast<std::int64_t>(malloc_usable_size(memory)));
  std::free(memory);
}

}  // namespace

MemoryWatch::MemoryWatch() : before_(in_use) { most_in_use = before_; }
std::int64_t MemoryWatch::peak() const { return most_in_use - before_; }

FailingAllocation::FailingAllocation(std::int64_t others) { until_failure = others; }
FailingAllocation::~FailingAllocation() { until_failure = kNever; }
bool FailingAllocation::came() const { return until_failure == kNever; }

#if !HEATFRONT_SANITIZED
namespace {

void* allocate(std::size_t bytes) {
  fail_if_due();
  return counted(std::malloc(bytes == 0 ? 1 : bytes));
}

void* allocate(std::size_t bytes, std::align_val_t alignment) {
  fail_if_due();
  const auto line = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(line, (bytes + line - 1) / line * line));
}

}  // namespace
#endif

}  // namespace heatfront::test

// The other forms (arrays, those that do not throw) call these.
#if !HEATFRONT_SANITIZED
void* operator new(std::size_t bytes) { return heatfront::test::allocate(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return heatfront::test::allocate(bytes, alignment);
}
void operator delete(void* memory) noexcept { heatfront::test::give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { heatfront::test::give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { heatfront::test::give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  heatfront::test::give_back(memory);
}
#endif
