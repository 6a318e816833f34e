// SPDX-License-Identifier: MIT
#include "heatfront/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/allocations.h"

namespace heatfront {
namespace {

TEST(Threads, VisitEveryIndexOnceInTheSameBlocks) {
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    std::vector<int> visits(1003);
    std::atomic<int> odd_blocks = 0;
    threads.for_blocks(1003, 10, [&](std::int64_t begin, std::int64_t end) {
      if (begin % 10 != 0 || end != std::min<std::int64_t>(begin + 10, 1003)) ++odd_blocks;
      for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(odd_blocks, 0);
    EXPECT_EQ(std::ranges::count(visits, 1), 1003);
  }
}

TEST(Threads, SumToTheSameBitsForAnyCount) {
  const auto sum = [](int count) {
    Threads threads(count);
    return threads.sum_blocks<float>(100000, 777, [](std::int64_t begin, std::int64_t end) {
      float part = 0;
      for (std::int64_t i = begin; i < end; ++i) part += std::sin(static_cast<float>(i));
      return part;
    });
  };
  for (int count : {2, 3, 8}) EXPECT_EQ(sum(count), sum(1));
}

TEST(Threads, DoTheWorkOrSaySoWhereMemoryEndsWhileTheyAreStarted) {
  if (!test::kCountsAllocations) GTEST_SKIP() << "SKIPPED: a sanitizer allocates in its own way";
  int failures = 0;
  for (int others = 0; others < 20; ++others) {
    Threads threads(8);
    std::atomic<int> visits = 0;
    const auto visit_all = [&] { threads.for_blocks(64, 1, [&](std::int64_t, std::int64_t) { ++visits; }); };
    bool refused = false;
    {
      const test::FailingAllocation failing(others);
      try {
        visit_all();
      } catch (const std::bad_alloc&) {
        refused = true;
      }
      failures += failing.came() ? 1 : 0;
    }
    EXPECT_EQ(visits, refused ? 0 : 64) << others;
    visit_all();
    EXPECT_EQ(visits, refused ? 64 : 128) << others;
  }
  EXPECT_GT(failures, 7);  // each helper is an allocation
}

TEST(Threads, SurviveThousandsOfShortLoops) {
  Threads threads(4);
  std::atomic<std::int64_t> total = 0;
  for (int round = 0; round < 5000; ++round) {
    threads.for_blocks(8, 1, [&](std::int64_t begin, std::int64_t) { total += begin; });
  }
  EXPECT_EQ(total, 5000 * 28);
}

TEST(Threads, ThrowWhatTheFirstFailingBlockThrew) {
  Threads threads(4);
  for (int round = 0; round < 200; ++round) {
    try {
      threads.for_blocks(100, 1, [](std::int64_t begin, std::int64_t) {
        if (begin >= 7) throw std::runtime_error(std::to_string(begin));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  }
}

TEST(Threads, RunEveryBlockOfLoopsInsideLoopsOnce) {
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::atomic<int>> inner(1000);
      threads.for_blocks(10, 1, [&](std::int64_t outer, std::int64_t) {
        threads.for_blocks(10, 1, [&](std::int64_t middle, std::int64_t) {
          threads.for_blocks(10, 3, [&](std::int64_t begin, std::int64_t end) {
            for (; begin < end; ++begin) ++inner[static_cast<std::size_t>(100 * outer + 10 * middle + begin)];
          });
        });
      });
      for (const std::atomic<int>& times : inner) ASSERT_EQ(times, 1);
    }
  }
}

// Who waits for the other half of the outer loop helps with the loop inside it: no block is done before all four
// threads are there.
TEST(Threads, HelpALoopInsideALoopWhenTheyHaveNothingElseToDo) {
  Threads threads(4);
  std::atomic<int> there = 0;
  threads.for_blocks(2, 1, [&](std::int64_t which, std::int64_t) {
    if (which == 0) return;
    threads.for_blocks(4, 1, [&](std::int64_t, std::int64_t) {
      ++there;
      while (there < 4) std::this_thread::yield();
    });
  });
  EXPECT_EQ(there, 4);
}

TEST(Threads, ThrowWhatALoopInsideALoopThrew) {
  Threads threads(3);
  const auto nested = [&] {
    threads.for_blocks(4, 1, [&](std::int64_t, std::int64_t) {
      threads.for_blocks(4, 1, [](std::int64_t, std::int64_t) { throw std::runtime_error("inner"); });
    });
  };
  EXPECT_THROW(nested(), std::runtime_error);
}

TEST(Threads, AreAtLeastOne) {
  EXPECT_EQ(Threads(0).count(), 1);
  EXPECT_GE(available_cores(), 1);
}

}  // namespace
}  // namespace heatfront
