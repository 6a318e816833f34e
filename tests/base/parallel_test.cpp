// SPDX-License-Identifier: MIT
#include "heatfront/base/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "heatfront/base/error.h"
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

TEST(Threads, StopBeforeTheNextBlockWhenCancelledFromInsideOrOutside) {
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    std::atomic<int> visits = 0;
    const auto visit = [&](std::int64_t begin, std::int64_t) {
      ++visits;
      if (begin == 20) threads.cancel();
    };
    EXPECT_THROW(threads.for_blocks(100'000, 1, visit), Interrupted);
    EXPECT_GE(visits, 21);
    EXPECT_LT(visits, 100'000);
    visits = 0;
    EXPECT_THROW(threads.for_blocks(1, 1, visit), Interrupted) << "later loops, of one block, too";
    EXPECT_EQ(visits, 0);
    threads.resume();
    threads.for_blocks(10, 1, visit);
    EXPECT_EQ(visits, 10);
  }
}

TEST(Threads, AreCancelledFromAnotherThreadWhileALoopInsideALoopRuns) {
  Threads threads(3);
  std::atomic<bool> started = false;
  std::thread other([&] {
    while (!started) std::this_thread::yield();
    threads.cancel();
  });
  const auto for_ever = [&] {
    while (true) {
      threads.for_blocks(4, 1, [&](std::int64_t, std::int64_t) {
        threads.for_blocks(4, 1, [&](std::int64_t, std::int64_t) { started = true; });
      });
    }
  };
  EXPECT_THROW(for_ever(), Interrupted);
  other.join();
}

Threads* interrupted_threads = nullptr;  // a signal handler has no other way to know

TEST(Threads, AreCancelledByASignalHandler) {
  Threads threads(2);
  interrupted_threads = &threads;
  const auto before = std::signal(SIGUSR1, [](int) { interrupted_threads->cancel(); });
  EXPECT_THROW(threads.for_blocks(1000, 1,
                                  [](std::int64_t begin, std::int64_t) {
                                    if (begin == 3) (void)std::raise(SIGUSR1);
                                  }),
               Interrupted);
  (void)std::signal(SIGUSR1, before);
}

// With helpers that work, helpers that sleep, and none yet; the child's own child, too.
TEST(Threads, WorkInAChildOfFork) {
  Threads threads(3);
  const auto works = [&] {
    std::vector<int> visits(1000);
    for (int round = 0; round < 100; ++round)
      threads.for_blocks(1000, 1, [&](std::int64_t begin, std::int64_t) { ++visits[std::size_t(begin)]; });
    return std::ranges::count(visits, 100) == 1000;
  };
  const auto works_in_a_child = [&] {
    const pid_t child = fork();
    if (child == 0) {
      const pid_t grandchild = works() ? fork() : -1;
      if (grandchild == 0) _exit(works() ? 0 : 1);
      int status = -1;
      _exit(grandchild > 0 && waitpid(grandchild, &status, 0) == grandchild ? status : 1);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
  };
  EXPECT_TRUE(works_in_a_child());
  EXPECT_TRUE(works());
  EXPECT_TRUE(works_in_a_child());
  EXPECT_TRUE(works());
}

TEST(Threads, CanBeDestroyedInAChildOfFork) {
  auto threads = std::make_unique<Threads>(3);
  threads->for_blocks(1000, 1, [](std::int64_t, std::int64_t) {});
  const pid_t child = fork();
  if (child == 0) {
    threads.reset();
    _exit(0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Threads, AreAtLeastOne) {
  EXPECT_EQ(Threads(0).count(), 1);
  EXPECT_GE(available_cores(), 1);
}

}  // namespace
}  // namespace heatfront
