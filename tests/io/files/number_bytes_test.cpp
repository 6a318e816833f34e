// SPDX-License-Identifier: MIT
#include "heatfront_io/files/number_bytes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heatfront {
namespace {

using namespace std::string_view_literals;

template <class Number>
Number one(std::string_view bytes, NumberType type) {
  std::vector<Number> number(1);
  read_numbers(bytes, type, std::span(number));
  return number[0];
}

TEST(NumberBytes, AreReadInEitherByteOrder) {
  EXPECT_EQ(one<std::int64_t>("\x01\x02"sv, {'u', 2, false}), 0x0201);
  EXPECT_EQ(one<std::int64_t>("\x01\x02"sv, {'u', 2, true}), 0x0102);
  EXPECT_EQ(one<Real>("\x3f\xc0\0\0"sv, {'f', 4, true}), Real(1.5));
  EXPECT_EQ(one<Real>("\0\0\0\0\0\0\xf8\x3f"sv, {'f', 8, false}), Real(1.5));
}

TEST(NumberBytes, KnowSigns) {
  EXPECT_EQ(one<std::int64_t>("\xfe"sv, {'i', 1, false}), -2);
  EXPECT_EQ(one<std::int64_t>("\xfe"sv, {'u', 1, false}), 254);
  EXPECT_EQ(one<Real>("\xfe\xff\xff\xff"sv, {'i', 4, false}), Real(-2));
  EXPECT_EQ(one<std::int64_t>("\xff\xff\xff\xff\xff\xff\xff\xfe"sv, {'i', 8, true}), -2);
}

TEST(NumberBytes, IncludeHalfPrecision) {
  const auto half = [](std::string_view bytes) { return one<Real>(bytes, {'f', 2, true}); };
  EXPECT_EQ(half("\x3e\0"sv), Real(1.5));
  EXPECT_EQ(half("\xc0\0"sv), Real(-2));
  EXPECT_EQ(half("\0\x01"sv), std::ldexp(Real(1), -24));
  EXPECT_EQ(half("\x7b\xff"sv), Real(65504));
  EXPECT_TRUE(std::isinf(half("\x7c\0"sv)));
  EXPECT_TRUE(std::isnan(half("\x7c\x01"sv)));
}

TEST(NumberTypes, AreKnownOrNot) {
  for (const NumberType type : {NumberType{'i', 8}, {'u', 2}, {'f', 2}, {'b', 1}}) EXPECT_TRUE(type.known());
  for (const NumberType type : {NumberType{'i', 3}, {'u', 16}, {'f', 1}, {'b', 2}, {'O', 8}, {'i', 0}}) {
    EXPECT_FALSE(type.known()) << type.kind << type.size;
  }
}

}  // namespace
}  // namespace heatfront
