// SPDX-License-Identifier: MIT
#include "heatfront/base/utf8.h"

#include <gtest/gtest.h>

#include "heatfront/base/error.h"

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

TEST(Utf8, IsCutBetweenCharacters) {
  EXPECT_EQ(first_characters("5 µs, 3 €", 4), "5 µs");
  EXPECT_EQ(first_characters("5 µs, 3 €", 8), "5 µs, 3 ");
  EXPECT_EQ(first_characters("5 µs, 3 €", 9), "5 µs, 3 €");
  EXPECT_EQ(first_characters("5 µs, 3 €", 100), "5 µs, 3 €");
  EXPECT_EQ(first_characters("µ", 0), "");
  EXPECT_EQ(first_characters("\xFF\xC3(", 2), "\xFF\xC3");
}

TEST(Utf8, AsAPrintableLineShowsAllThereIs) {
  EXPECT_EQ(printable("a é\u20ac\U0001F600"), "a é\u20ac\U0001F600");
  EXPECT_EQ(printable("1\n2\r3\t4\x1b[31m\x7f"), "1 2 3 4\\x1b[31m\\x7f");
  EXPECT_EQ(printable("\xC2\x85\u2028\u2029\xC2\xA0"), "\\u0085\\u2028\\u2029\xC2\xA0");
  EXPECT_EQ(printable("\u202eabc\u2066\u200b\ufeff\U000e0041"), "\\u202eabc\\u2066\\u200b\\ufeff\\U000e0041");
  EXPECT_EQ(printable("\xFF-\xC3(\xE2\x82"), "\\xff-\\xc3(\\xe2\\x82");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(Utf8, AsPrintableLinesKeepsTheirEndsAlone) {
  EXPECT_EQ(printable_lines("1\n2\r3\t4\x1b\n"), "1\n2\\x0d3\\x094\\x1b\n");
}

TEST(Utf8, InPrintableJsonMeansTheSame) {
  EXPECT_EQ(printable_json("{\n\"a\x7f\": \"\u202e\U000e0041é\"\n}"),
            "{\n\"a\\u007f\": \"\\u202e\\udb40\\udc41é\"\n}");
}

TEST(Utf8, AnErrorIsAPrintableLine) {
  EXPECT_EQ(std::string(Error("edges.csv:1: 'a\nb' is \xFF").what()), "edges.csv:1: 'a b' is \\xff");
}

TEST(Utf8, IsShownWholeAndCutOffBetweenCharacters) {
  EXPECT_EQ(shown("zoë\n"), "zoë ");
  std::string many;
  for (int i = 0; i < 40; ++i) many += "ë";
  const std::string cut = shown(many);
  EXPECT_TRUE(is_utf8(cut)) << cut;
  EXPECT_TRUE(cut.ends_with("ë…")) << cut;
}

}  // namespace
}  // namespace heatfront
