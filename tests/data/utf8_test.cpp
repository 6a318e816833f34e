// SPDX-License-Identifier: MIT
#include "heatfront/data/utf8.h"

#include <gtest/gtest.h>

namespace heatfront {
namespace {

TEST(Utf8, ComesBackFromCodePointsOfEveryLength) {
  const std::string text = "a\u00e9\u20ac\U0001F600";
  const auto points = code_points(text);
  ASSERT_TRUE(points);
  EXPECT_EQ(*points, U"a\u00e9\u20ac\U0001F600");
  std::string again;
  for (char32_t c : *points) append_utf8(again, c);
  EXPECT_EQ(again, text);
}

TEST(Utf8, RefusesWhatIsNotWellFormed) {
  for (const char* text : {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xFF", "a\xE2\x82"}) {
    EXPECT_FALSE(code_points(text)) << text;
  }
}

}  // namespace
}  // namespace heatfront
