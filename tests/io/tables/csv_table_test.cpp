// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/csv_table.h"

#include <gtest/gtest.h>

#include "heatfront/base/random.h"
#include "support/error_text.h"
#include "support/gzip.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using namespace std::string_literals;
using Cells = std::vector<std::vector<std::string>>;

Cells cells_of(const CsvTable& table) {
  Cells all;
  for (CsvRows rows = table.rows(); rows.next();) all.emplace_back(rows.cells().begin(), rows.cells().end());
  return all;
}

Cells cells_of(std::string text) { return cells_of(CsvTable(std::move(text), "t.csv")); }

std::string table_error(const std::string& text) {
  return test::error_text([&] { cells_of(text); });
}

TEST(CsvTable, SplitsRowsAndTrimsCells) {
  EXPECT_EQ(cells_of("a,b\n 1 ,\t2\r\n3,\n"), (Cells{{"a", "b"}, {"1", "2"}, {"3", ""}}));
  EXPECT_EQ(cells_of("a,b\n1,2"), (Cells{{"a", "b"}, {"1", "2"}}));
}

TEST(CsvTable, SkipsBlankLinesCommentsAndTheUtf8MarkAndStillCountsLines) {
  const CsvTable table("\xEF\xBB\xBF# edges\n\n  \r\n1,2\n% more\n3,4\n#end", "t.csv");
  CsvRows rows = table.rows();
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.line(), 4);
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.place(), "t.csv:6");
  EXPECT_EQ(rows.cells()[1], "4");
  EXPECT_FALSE(rows.next());
  EXPECT_FALSE(rows.next());
}

TEST(CsvTable, SkipsTheLineThatTellsExcelTheDelimiterAndGoesByIt) {
  EXPECT_EQ(cells_of("sep=;\na,b;c\n"), (Cells{{"a,b", "c"}}));
  EXPECT_EQ(cells_of("\xEF\xBB\xBFSEP=,\r\na;b,c\r\n"), (Cells{{"a;b", "c"}}));
  EXPECT_EQ(cells_of("\"sep=,\"\na;b,c\n"), (Cells{{"a;b", "c"}}));
  const CsvTable table("sep=\t\na b\tc\n", "t.csv");
  CsvRows rows = table.rows();
  ASSERT_TRUE(rows.next());
  EXPECT_EQ(rows.line(), 2);
  EXPECT_EQ(rows.cells()[0], "a b");
  EXPECT_EQ(cells_of("sep=,"), Cells{});
  EXPECT_EQ(cells_of("sep=,x\n"), (Cells{{"sep=", "x"}})) << "a node may be called so";
  EXPECT_EQ(table_error("sep=|\na|b\n"),
            "t.csv:1: cells separated by '|' cannot be read; save it with commas, semicolons or tabs");
}

TEST(CsvTable, TellsUtf16AndZipFilesFromText) {
  const std::string advice = "t.csv: this looks like UTF-16; save it as CSV UTF-8";
  EXPECT_EQ(table_error("\xFF\xFE"
                        "a\0,\0b\0\n\0"s),
            advice);
  EXPECT_EQ(table_error("a\0,\0b\0\n\0"s), advice);
  EXPECT_EQ(table_error("PK\x03\x04\x14"),
            "t.csv: this is a spreadsheet or another zip file; save the table as CSV UTF-8");
}

TEST(CsvTable, TakesQuotedCellsAsTheyAre) {
  EXPECT_EQ(cells_of("\"a, \"\"b\"\"\",2\n\" c \", \"\"\n\"\"\"\",5' 3\"\n"),
            (Cells{{"a, \"b\"", "2"}, {" c ", ""}, {"\"", "5' 3\""}}));
}

TEST(CsvTable, LetsAQuotedCellHoldLineEnds) {
  const CsvTable table("\"a\nb\",1\nc,2\n", "t.csv");
  CsvRows rows = table.rows();
  rows.next();
  EXPECT_EQ(rows.cells()[0], "a\nb");
  rows.next();
  EXPECT_EQ(rows.line(), 3);
}

TEST(CsvTable, FindsTheDelimiter) {
  const auto delimiter = [](std::string text) { return CsvTable(std::move(text), "t").delimiter(); };
  EXPECT_EQ(delimiter("1,2\n3,4\n"), Delimiter::comma);
  EXPECT_EQ(delimiter("1\t2\n3\t4\n"), Delimiter::tab);
  EXPECT_EQ(delimiter("1;0,5\n3;0,7\n"), Delimiter::semicolon);
  EXPECT_EQ(delimiter("1   2\n 3 \t 4 \n"), Delimiter::blanks);
  EXPECT_EQ(delimiter("0,Neural Networks\n1,Rule Learning\n"), Delimiter::comma);
  EXPECT_EQ(delimiter("0\tA, B, C\n1\tD, E, F\n"), Delimiter::tab);
  EXPECT_EQ(delimiter("\"a;b\",c\n\"d;e\",f\n"), Delimiter::comma);
  EXPECT_EQ(delimiter("1,2\n3\n4,5\n"), Delimiter::comma);  // a node alone
  EXPECT_EQ(delimiter("7\n8\n"), Delimiter::comma);
}

TEST(CsvTable, JoinsRunsOfBlanks) {
  EXPECT_EQ(cells_of("  1  2\t \t3 \r\n4 5 6"), (Cells{{"1", "2", "3"}, {"4", "5", "6"}}));
}

TEST(CsvTable, KeepsEmptyCellsBetweenTabs) {
  EXPECT_EQ(cells_of("a\tb\tc\n\t2\t\n"), (Cells{{"a", "b", "c"}, {"", "2", ""}}));
}

TEST(CsvTable, ReadsPackedFiles) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(cells_of(CsvTable(folder.write("t.csv.gz", test::gzipped("1,2\n")))), (Cells{{"1", "2"}}));
}

TEST(CsvTable, RefusesWhatIsNotText) {
  EXPECT_EQ(table_error("1,2\n3,\0004\n"s),
            "t.csv:2: byte 0x00 does not belong in a text file; a table in UTF-8 is expected");
  EXPECT_EQ(table_error("\x7f\x45LF\x01"),
            "t.csv:1: byte 0x01 does not belong in a text file; a table in UTF-8 is expected");
  EXPECT_EQ(table_error("1,2\n3,caf\xE9\n"),
            "t.csv:2: the text is not UTF-8; save the table in that encoding");
  EXPECT_EQ(table_error("# caf\xE9\n3,café\n"), "");
}

TEST(CsvTable, RefusesQuotesThatDoNotMatch) {
  EXPECT_EQ(table_error("1,2\n\"3,4\n"), "t.csv:2: a quoted cell is not closed; every \" needs a second one");
  EXPECT_EQ(table_error("1,2\n3,\"4\"5\n"),
            "t.csv:2: text follows a closing quote; a quote inside a quoted cell is written twice");
}

TEST(PlainText, IsUtf8WithoutControlCharacters) {
  for (const char* text : {"", "Zürich", "a\tb", "\xF0\x9F\x94\xA5"})
    EXPECT_TRUE(is_plain_text(text)) << text;
  for (const std::string& text : {"\0"s, "\x1b[0m"s, "\xC0\x80"s, "\xE0\x80\x80"s, "\xED\xA0\x80"s,
                                  "\xF5\x80\x80\x80"s, "\xF4\x90\x80\x80"s, "\xE2\x82"s, "\x80"s}) {
    EXPECT_FALSE(is_plain_text(text)) << text;
  }
}

// Any bytes: rows or one line of error, never more.
TEST(CsvTable, SurvivesRandomText) {
  constexpr std::string_view kLetters = "\"\",,;\t \r\n\n#%ab1\xC3\xA9";
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Random random(seed);
    std::string text;
    for (std::uint64_t i = 0; i < random.below(30, 0); ++i)
      text += kLetters[random.below(kLetters.size(), i + 1)];
    const std::string error = table_error(text);
    EXPECT_TRUE(error.empty() || error.starts_with("t.csv:")) << error;
  }
}

}  // namespace
}  // namespace heatfront
