// SPDX-License-Identifier: MIT
#include "heatfront_io/pickle/pickle_bytes.h"

#include <gtest/gtest.h>

namespace heatfront {
namespace {

using namespace std::string_literals;

TEST(PickleText, UndoesTheEscapesOfByteStrings) {
  EXPECT_EQ(bytes_of_quoted(R"('a\x00\xfF\n\r\t\\\'"')"), "a\0\xff\n\r\t\\'\""s);
  EXPECT_EQ(bytes_of_quoted(R"("it's")"), "it's");
  for (const char* wrong : {"", "'", "'a\"", "abc", R"('\x0')", R"('\xg0')", R"('\')", R"('\q')"}) {
    EXPECT_EQ(bytes_of_quoted(wrong), std::nullopt) << wrong;
  }
}

TEST(PickleText, UndoesTheEscapesOfUnicode) {
  EXPECT_EQ(utf8_of_escaped("a\xe9\\n"), "aé\\n");
  EXPECT_EQ(utf8_of_escaped(R"(\u000a\u20ac\U0001f525)"), "\n€🔥");
  for (const char* wrong : {R"(\u12)", R"(\u12g4)", R"(\U00110000)", R"(\u-001)"}) {
    EXPECT_EQ(utf8_of_escaped(wrong), std::nullopt) << wrong;
  }
}

TEST(PickleText, TurnsTextIntoBytesWhereLatin1HasTheCharacters) {
  EXPECT_EQ(latin1_of_utf8("a\0\u0080\u00ff"s), "a\0\x80\xff"s);
  for (const char* wrong : {"€", "\u0100", "\xc3", "\xc3z", "\xff", "\x80"}) {
    EXPECT_EQ(latin1_of_utf8(wrong), std::nullopt) << wrong;
  }
}

}  // namespace
}  // namespace heatfront
