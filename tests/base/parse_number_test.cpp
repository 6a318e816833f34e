// SPDX-License-Identifier: MIT
#include "heatfront/base/parse_number.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heatfront {
namespace {

TEST(ParseInteger, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_integer("-17"), -17);
  EXPECT_EQ(parse_integer("9223372036854775807"), 9223372036854775807);
  for (const char* text : {"", "-", "1.0", "1 ", "0x10", "9223372036854775808", "ten"}) {
    EXPECT_FALSE(parse_integer(text)) << text;
  }
}

TEST(ParseReal, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_real("0.5"), Real(0.5));
  EXPECT_EQ(parse_real("+2e3"), Real(2000));
  EXPECT_EQ(parse_real("-1"), Real(-1));
  for (const char* text : {"", "+", "+-1", "1,5", "1.5f", " 1"}) EXPECT_FALSE(parse_real(text)) << text;
}

TEST(ParseReal, TurnsTheTinyToZeroAndTheHugeToInfinity) {
  EXPECT_EQ(parse_real("1e-999"), Real(0));
  EXPECT_EQ(parse_real("-0." + std::string(400, '0') + "1e-2"), Real(0));
  EXPECT_TRUE(std::isinf(*parse_real("1e999")));
  EXPECT_TRUE(std::isinf(*parse_real("inf")));
  EXPECT_TRUE(std::isnan(*parse_real("nan")));
}

}  // namespace
}  // namespace heatfront
