// SPDX-License-Identifier: MIT
#include "heatfront/base/ranks.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "support/error_text.h"
#include "support/pretended_ranks.h"

namespace heatfront {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

TEST(Ranks, AloneGiveBackWhatTheyAreGivenAndCallWhatIsNoNumberInfinite) {
  const Ranks& alone = Ranks::alone();
  EXPECT_EQ(alone.rank(), 0);
  EXPECT_EQ(alone.count(), 1);
  EXPECT_EQ(alone.sum(3.5), 3.5);
  EXPECT_TRUE(std::isnan(alone.sum(kNoNumber)));
  EXPECT_EQ(alone.largest(-3.5), -3.5);
  EXPECT_EQ(alone.largest(kNoNumber), kInfinity);
}

TEST(Ranks, AddUpInTheirOrderWithTheSameBitsOnEachOfThem) {
  const std::array big = {1e16, 1.0, -1e16};  // (1e16 + 1) − 1e16 is 0, in any other order it is 1
  std::array<std::array<double, 2>, 3> found{};
  test::run_on_ranks(3, [&](int rank, test::Meeting& meeting) {
    const test::PretendedRanks ranks(rank, meeting);
    std::array values = {big[static_cast<std::size_t>(rank)], static_cast<double>(rank)};
    ranks.sum(values);
    found[static_cast<std::size_t>(rank)] = values;
  });
  for (const std::array<double, 2>& sums : found) EXPECT_EQ(sums, (std::array{0.0, 3.0}));
}

TEST(Ranks, FindTheLargestAndWhatIsNoNumberOnAnyOfThem) {
  std::array<std::array<double, 2>, 3> found{};
  test::run_on_ranks(3, [&](int rank, test::Meeting& meeting) {
    const test::PretendedRanks ranks(rank, meeting);
    std::array values = {-1.0 - rank, rank == 1 ? kNoNumber : 7.0};
    ranks.largest(values);
    found[static_cast<std::size_t>(rank)] = values;
  });
  for (const std::array<double, 2>& most : found) EXPECT_EQ(most, (std::array{-1.0, kInfinity}));
}

TEST(PretendedRanks, DoNotWaitForOneThatFailsOrLeaves) {
  EXPECT_EQ(test::error_text([] {
              test::run_on_ranks(3, [](int rank, test::Meeting& meeting) {
                const test::PretendedRanks ranks(rank, meeting);
                ranks.sum(1.0);
                if (rank == 2) throw Error("rank 2 fails");
                ranks.sum(1.0);
              });
            }),
            "rank 2 fails");
  EXPECT_THROW(test::run_on_ranks(2,
                                  [](int rank, test::Meeting& meeting) {
                                    const test::PretendedRanks ranks(rank, meeting);
                                    if (rank == 0) ranks.sum(1.0);
                                  }),
               test::RanksParted);
}

}  // namespace
}  // namespace heatfront
