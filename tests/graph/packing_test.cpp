// SPDX-License-Identifier: MIT
#include "heatfront/graph/packing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heatfront {
namespace {

TEST(Packing, LeavesNoTwoDiscsOnEachOther) {
  const std::vector<std::vector<double>> cases = {{1},
                                                  {1, 1},
                                                  {1, 5},
                                                  {50, 7, 7, 6, 3},
                                                  std::vector<double>(200, 1),
                                                  {3, 9, 9, 2, 2, 2, 2, 2, 1, 1, 1, 1}};
  for (const std::vector<double>& radii : cases) {
    const std::vector<Point> centres = pack_discs(radii);
    ASSERT_EQ(centres.size(), radii.size());
    for (std::size_t i = 0; i < radii.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        EXPECT_GE(std::hypot(centres[i].x - centres[j].x, centres[i].y - centres[j].y),
                  (radii[i] + radii[j]) * (1 - 1e-9));
      }
    }
  }
}

TEST(Packing, OfEqualDiscsWastesLittle) {
  const std::vector<Point> centres = pack_discs(std::vector<double>(1000, 1));
  double furthest = 0;
  for (const Point& centre : centres) furthest = std::max(furthest, std::hypot(centre.x, centre.y));
  EXPECT_LT((furthest + 1) * (furthest + 1), 1.6 * 1000);  // a disc of that radius, next to all of theirs
}

TEST(Packing, OfNothingIsNothing) { EXPECT_TRUE(pack_discs({}).empty()); }

}  // namespace
}  // namespace heatfront
