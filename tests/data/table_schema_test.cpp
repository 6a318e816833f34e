// SPDX-License-Identifier: MIT
#include "heatfront/data/table_schema.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace heatfront {
namespace {

using Names = std::vector<std::string>;
using Reals = std::vector<Real>;

TableColumn learned(const Names& cells, bool may_have_commas = false) {
  ColumnLearner learner("c", may_have_commas);
  for (const std::string& cell : cells) learner.add(cell);
  if (learner.is_text()) {
    for (const std::string& cell : cells) learner.count(cell);
  }
  return learner.column();
}

Reals encoded(const TableColumn& column, std::string_view cell, CellKind expected = CellKind::value) {
  Reals numbers(static_cast<std::size_t>(column.width()), Real(-7));
  EXPECT_EQ(encode(column, cell, numbers), expected) << cell;
  return numbers;
}

TEST(TableColumn, OfNumbersFillsGapsByTheMeanAndMarksThem) {
  const TableColumn column = learned({"1", "NA", "3", "", "8"});
  EXPECT_EQ(column.kind, ColumnKind::number);
  EXPECT_EQ(column.missing, 2);
  EXPECT_EQ(encoded(column, "2.5"), (Reals{Real(2.5), 0}));
  EXPECT_EQ(encoded(column, "null", CellKind::missing), (Reals{4, 1}));
  encoded(column, "x", CellKind::wrong);
  encoded(column, "inf", CellKind::wrong);
  EXPECT_EQ(encoded(learned({"1", "2"}), "", CellKind::missing), (Reals{Real(1.5)}))
      << "no gap seen, no mark";
}

TEST(TableColumn, ReadsDecimalCommasOnlyWhereTheyMayBe) {
  const TableColumn column = learned({"1,5", "1.234,25", "-2", "12.345"}, true);
  ASSERT_EQ(column.kind, ColumnKind::number);
  EXPECT_TRUE(column.decimal_comma);
  EXPECT_EQ(encoded(column, "1.234,25"), (Reals{Real(1234.25)}));
  EXPECT_EQ(encoded(column, "12.345"), (Reals{12345})) << "points group digits here";
  EXPECT_EQ(encoded(column, "0.5"), (Reals{Real(0.5)}));
  EXPECT_DOUBLE_EQ(column.fill, (1.5 + 1234.25 - 2 + 12345) / 4);
  for (const char* wrong : {"1,2,3", "1.23,4", ",", "1,x"}) encoded(column, wrong, CellKind::wrong);
  EXPECT_EQ(learned({"1,5", "2,5", "1,5"}).kind, ColumnKind::category);
  EXPECT_FALSE(learned({"1.5", "1.234"}, true).decimal_comma);
}

TEST(TableColumn, CountsDaysSinceTheEarliestDate) {
  const TableColumn iso = learned({"2024-03-01", "2024-02-28", "2024-03-02T12:00:00Z"});
  ASSERT_EQ(iso.kind, ColumnKind::date);
  EXPECT_EQ(date_text(iso.first_day), "2024-02-28");
  EXPECT_EQ(encoded(iso, "2024-03-01"), (Reals{2})) << "2024 has a 29 February";
  EXPECT_EQ(encoded(iso, "2024-02-27 06:00"), (Reals{Real(-0.75)}));
  encoded(iso, "2023-02-29", CellKind::wrong);
  const TableColumn dots = learned({"28.2.2024", "1.3.2024"});
  EXPECT_EQ(dots.form, DateForm::day_dots);
  EXPECT_EQ(encoded(dots, "01.03.2024"), (Reals{2}));
}

TEST(TableColumn, TakesSlashesOnlyWhereDayAndMonthCannotBeMistaken) {
  EXPECT_EQ(learned({"3/31/2024", "4/1/2024"}).form, DateForm::month_slashes);
  EXPECT_EQ(learned({"31/3/2024", "4/1/2024"}).form, DateForm::day_slashes);
  const TableColumn either = learned({"3/4/2024", "4/1/2024"});
  EXPECT_EQ(either.kind, ColumnKind::unused);
  EXPECT_EQ(either.why.substr(0, 17), "dates that could ");
}

TEST(TableColumn, GivesFrequentTextsAColumnEachAndPoolsTheRest) {
  const TableColumn column = learned({"red", "blue", "red", "", "blue", "red", "green"});
  ASSERT_EQ(column.kind, ColumnKind::category);
  EXPECT_EQ(column.categories, (Names{"blue", "red"}));
  EXPECT_EQ(encoded(column, "blue"), (Reals{1, 0, 0, 0}));
  EXPECT_EQ(encoded(column, "never seen"), (Reals{0, 0, 1, 0}));
  EXPECT_EQ(encoded(column, "n/a", CellKind::missing), (Reals{0, 1, 0, 1})) << "red is the most frequent";
  const TableColumn closed = learned({"a", "b", "a", "b"});
  EXPECT_EQ(encoded(closed, "c", CellKind::unseen), (Reals{0, 0}));
  const TableSchema schema{.columns = {column}};
  EXPECT_EQ(schema.feature_names(), (Names{"c=blue", "c=red", "c=(other)", "c (missing)"}));
}

TEST(TableColumn, HasAtMostFortyCategories) {
  Names cells;
  for (int value = 0; value < 60; ++value) {
    for (int repeat = 0; repeat < 60 - value / 2; ++repeat)
      cells.push_back("v" + std::to_string(100 + value));
  }
  const TableColumn column = learned(cells);
  EXPECT_EQ(std::ssize(column.categories), kMostCategories);
  EXPECT_TRUE(column.pools);
  EXPECT_EQ(column.categories.back(), "v139");
}

TEST(TableColumn, IsNotUsedWhereItSaysNothing) {
  EXPECT_EQ(learned({"x", "x", "x"}).why, "the same in every row");
  EXPECT_EQ(learned({"x", "y", "z"}).why, "a different value in every row");
  EXPECT_EQ(learned({"3,5", "4,25", "0,1"}).why,
            "a different value in every row; for numbers with decimal commas, separate cells by semicolons");
  EXPECT_EQ(learned({"", "?", "NA"}).why, "empty in every row");
  Names names;
  for (int i = 0; i < 100; ++i) names.push_back("name " + std::to_string(i));
  EXPECT_EQ(learned(names).why, "a different value in nearly every row");
  EXPECT_EQ(learned(names).width(), 0);
}

TEST(TableSchema, SaysWhichNodesHaveNoRow) {
  const TableSchema schema{.columns = {learned({"1", "3"}), learned({"a", "b", "a", "b", "a", ""})},
                           .marks_no_row = true};
  Reals numbers(static_cast<std::size_t>(schema.width()));
  encode_no_row(schema, numbers);
  EXPECT_EQ(numbers, (Reals{2, 1, 0, 1, 1}));
  EXPECT_FALSE(schema.is_plain());
}

TEST(TableSchema, IsCheckedAgainstTheFeatures) {
  TableSchema schema{.columns = {learned({"1", "3"})}};
  EXPECT_EQ(test::error_text([&] { check(schema, 1, "x"); }), "");
  EXPECT_EQ(test::error_text([&] { check(schema, 2, "x"); }),
            "x: the table makes 1 feature, but there are 2");
  schema.columns[0].kind = ColumnKind::category;
  EXPECT_NE(test::error_text([&] { check(schema, 1, "x"); }), "");
}

TEST(Cells, MayGroupDigitsAndHaveASignOfPercent) {
  EXPECT_EQ(parse_cell("1,234.5", false), Real(1234.5));
  EXPECT_EQ(parse_cell("-12,345,678", false), Real(-12345678));
  EXPECT_EQ(parse_cell("12.5 %", false), Real(12.5));
  EXPECT_EQ(parse_cell("7,5%", true), Real(7.5));
  EXPECT_EQ(parse_cell("1,234", true), Real(1.234));
  for (const char* text : {"1,23", "1234,567", "1,2345", ",123", "%", "1,234,5", "a%"})
    EXPECT_FALSE(parse_cell(text, false)) << text;
}

}  // namespace
}  // namespace heatfront
