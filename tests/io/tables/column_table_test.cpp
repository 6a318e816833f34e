// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/column_table.h"

#include <gtest/gtest.h>

#include "heatfront/base/error.h"
#include "support/csv_folder.h"

namespace heatfront {
namespace {

const std::vector<TextColumn> kColumns = {{"income", {"100.5", "", "300", "200"}},
                                          {"country", {"DE", "FR", "DE", "FR"}},
                                          {"since", {"2024-01-01", "2024-01-03", "2024-01-02", ""}},
                                          {"empty", {"", "", "", ""}}};

// The same table as a file.
Dataset from_file() {
  std::string text = "node";
  for (const TextColumn& column : kColumns) text += "," + column.name;
  for (std::size_t row = 0; row < kColumns[0].cells.size(); ++row) {
    text += "\n" + std::to_string(row);
    for (const TextColumn& column : kColumns) text += "," + column.cells[row];
  }
  return test::csv_in({.edges = "0,1\n1,2\n2,3\n", .features = text + "\n"});
}

TEST(ColumnTable, IsReadAsTheSameTableInAFile) {
  const Dataset file = from_file();
  const ColumnTable table = read_columns(kColumns, "X");
  EXPECT_EQ(table.schema.feature_names(), file.feature_names);
  ASSERT_EQ(table.features.rows(), 4);
  ASSERT_EQ(table.features.cols(), file.features.cols());
  for (std::int64_t row = 0; row < 4; ++row)
    EXPECT_TRUE(std::ranges::equal(table.features.dense()->row(row), file.features.dense()->row(row))) << row;
  EXPECT_EQ(table.notes.size(), 4);  // categories, dates, gaps, a column that says nothing
}

TEST(ColumnTable, ReadsLaterRowsByNameAsTheFirstOnes) {
  const Dataset file = from_file();
  const std::vector<TextColumn> later = {{"country", {"FR", "IT"}},
                                         {"colour", {"red", "blue"}},
                                         {"since", {"2024-01-11", ""}},
                                         {"income", {"7", ""}}};
  const ColumnTable table = read_columns_like(later, file, "X");
  const auto first = table.features.dense()->row(0);
  EXPECT_EQ(first[0], 7);
  EXPECT_EQ(first[2], 0);            // DE
  EXPECT_EQ(first[3], 1);            // FR
  EXPECT_EQ(first[4], 10);           // days
  EXPECT_EQ(table.notes.size(), 2);  // colour is not used, IT was not seen
  EXPECT_THROW(read_columns_like(std::span(later).first(3), file, "X"), Error);
}

TEST(ColumnTable, RefusesCellsAndColumnsThatDoNotFit) {
  std::vector<TextColumn> wrong = {{"x", std::vector<std::string>(100, "1")}};
  wrong[0].cells[17] = "much";
  try {
    read_columns(wrong, "X");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("X, row 17: feature value 'much'"), std::string::npos)
        << error.what();
  }
  wrong.push_back({"y", {"1"}});
  EXPECT_THROW(read_columns(wrong, "X"), Error);
}

}  // namespace
}  // namespace heatfront
