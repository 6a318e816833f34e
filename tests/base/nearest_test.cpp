// SPDX-License-Identifier: MIT
#include "heatfront/base/nearest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace heatfront {
namespace {

// By the definition, one letter after the other.
std::size_t slow_distance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  std::size_t least = std::min({slow_distance(a.substr(1), b) + 1, slow_distance(a, b.substr(1)) + 1,
                                slow_distance(a.substr(1), b.substr(1)) + (a[0] == b[0] ? 0 : 1)});
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0])
    least = std::min(least, slow_distance(a.substr(2), b.substr(2)) + 1);
  return least;
}

TEST(EditDistance, IsTheFewestEdits) {
  for (const char* a : {"", "a", "ab", "ba", "abc", "acb", "time", "tiem", "item", "tmie", "timing"}) {
    for (const char* b : {"", "b", "ab", "abc", "time", "mite", "times"})
      EXPECT_EQ(edit_distance(a, b), slow_distance(a, b)) << a << ' ' << b;
  }
}

TEST(Nearest, IsFoundWhereAFewEditsMakeIt) {
  constexpr std::array<std::string_view, 4> kNames = {"gcn", "gat", "heat-front", "chebyshev"};
  EXPECT_EQ(nearest("gcm", kNames), "gcn");
  EXPECT_EQ(nearest("HEAT_FRONT", kNames), "heat-front");
  EXPECT_EQ(nearest("chebishef", kNames), "chebyshev");
  EXPECT_EQ(nearest("xyz", kNames), "");
  EXPECT_EQ(nearest("", kNames), "");
  EXPECT_EQ(did_you_mean("gta", kNames), " (did you mean 'gat'?)");
  EXPECT_EQ(did_you_mean("something", kNames), "");
}

}  // namespace
}  // namespace heatfront
