// SPDX-License-Identifier: MIT
// Tables as people export them: text, dates, gaps, decimal commas, repeated rows; and later rows read alike.
#include <gtest/gtest.h>

#include <algorithm>

#include "heatfront_io/formats/writers.h"
#include "heatfront_io/tables/new_rows.h"
#include "support/csv_folder.h"

namespace heatfront {
namespace {

using test::csv_error;
using test::csv_in;
using test::CsvFiles;
using test::notes_of;
using Names = std::vector<std::string>;
using Reals = std::vector<Real>;

const CsvFiles kMessy{.edges = "a,b\nb,c\nc,d\nd,e\n",
                      .features =
                          "id;country;opened;income;note\n"
                          "a;DE;1.2.2024;1.200,50;x\n"
                          "b;FR;3.2.2024;NA;x\n"
                          "c;DE;;800;x\n"
                          "b;FR;3.2.2024;NA;x\n"
                          "d;FR;2.2.2024;1000;x\n"};

Reals row_of(const Features& features, std::int64_t row) {
  return {features.dense()->row(row).begin(), features.dense()->row(row).end()};
}

TEST(MixedTable, BecomesNumbersWithANoteOnEachThingDone) {
  const Dataset data = csv_in(kMessy);
  EXPECT_EQ(data.feature_names, (Names{"country=DE", "country=FR", "opened (days since 2024-02-01)",
                                       "opened (missing)", "income", "income (missing)", "(no row)"}));
  EXPECT_EQ(row_of(data.features, 0), (Reals{1, 0, 0, 0, Real(1200.5), 0, 0}));
  EXPECT_EQ(row_of(data.features, 1), (Reals{0, 1, 2, 0, Real(3000.5 / 3), 1, 0}));
  EXPECT_EQ(row_of(data.features, 2)[2], Real(1)) << "the mean of 0, 2 and 1";
  EXPECT_EQ(row_of(data.features, 4)[6], Real(1)) << "e has no row";
  EXPECT_EQ(notes_of(kMessy),
            (Names{"features.csv: 1 repeated row merged",
                   "features.csv: columns of text, read as categories: 'country' (2 values)",
                   "features.csv: dates, read as days: 'opened' (day.month.year, days since 2024-02-01)",
                   "features.csv: numbers with decimal commas: 'income'",
                   "features.csv: missing values, filled with the mean or the most frequent value and marked "
                   "by a column: "
                   "'opened' (25 % of the rows), 'income' (25 % of the rows)",
                   "features.csv: columns not used: 'note' (the same in every row)",
                   "features.csv: 1 of 5 nodes has no row: 'e'; what it misses is filled in"}));
}

TEST(MixedTable, SaysAllThatIsWrongAtOnce) {
  std::string features = "node,size,born\n";
  for (int i = 0; i < 40; ++i) features += std::to_string(i) + "," + std::to_string(i) + ",2020-01-01\n";
  features += "40,big,2020-01-02\n41,3,soon\n42,5\n41,4,2020-01-01\n";
  EXPECT_EQ(
      csv_error({.edges = "0,1\n1,2,3\n", .features = features, .labels = "0,a\n0,b\n"}),
      "6 problems in the tables:\n"
      "  edges.csv:2: 3 columns, but line 1 has 2\n"
      "  features.csv:44: 2 columns, but line 1 has 3\n"
      "  features.csv:45: node '41' again, line 43 has it already with other values; give it one row, or the "
      "header node,feature,value\n"
      "  features.csv:42: feature value 'big' in column 'size' is not a number like 0.5, as the others are; "
      "leave "
      "the cell empty where it is not known\n"
      "  features.csv:43: 'soon' in column 'born' is not a date; the others are year-month-day\n"
      "  labels.csv:2: node '0' again with another label, line 1 has it already; give it once, or "
      "--many-labels where a node can have several");
}

TEST(MixedTable, ListsTwentyProblemsAndCountsTheRest) {
  std::string edges = "0,1\n";
  for (int i = 0; i < 30; ++i) edges += "1,2,3\n";
  const std::string error = csv_error({.edges = edges});
  EXPECT_EQ(error.substr(0, 25), "30 problems in the tables");
  EXPECT_EQ(std::ranges::count(error, '\n'), 21);
  EXPECT_TRUE(error.ends_with("\n  and 10 more"));
}

TEST(MixedTable, KeepsWhatItLearnedInFilesOfData) {
  const test::TemporaryFolder folder;
  const Dataset data = csv_in(kMessy);
  Threads threads(1);
  write_npz(data, folder / "d.npz");
  const Dataset again = read_npz(folder / "d.npz", {}, threads);
  EXPECT_EQ(again.table.feature_names(), data.feature_names);
  EXPECT_EQ(again.table.columns[2].fill, data.table.columns[2].fill);
  EXPECT_EQ(again.table.columns[0].example, "DE");
  EXPECT_EQ(again.table.columns[3].why, "the same in every row");
  EXPECT_EQ(fingerprint(again).whole(), fingerprint(data).whole());
}

TEST(NewRows, AreReadByWhatWasLearned) {
  const Dataset data = csv_in(kMessy);
  const test::TemporaryFolder folder;
  const NewRows rows = read_new_rows(
      folder.write("new.csv", "opened,income,id,country,hobby\n5.2.2024,7,f,PL,chess\n,,g,DE,golf\n"), data);
  EXPECT_EQ(rows.nodes, (Names{"f", "g"}));
  EXPECT_EQ(row_of(rows.features, 0), (Reals{0, 0, 4, 0, 7, 0, 0}));
  EXPECT_EQ(row_of(rows.features, 1), (Reals{1, 0, 1, 1, Real(3000.5 / 3), 1, 0}));
  ASSERT_EQ(rows.notes.size(), 2u);
  EXPECT_NE(rows.notes[0].find("columns not used, d has none of these names: 'hobby'"), std::string::npos);
  EXPECT_NE(rows.notes[1].find("1 cell has a category that training did not see"), std::string::npos);
  EXPECT_EQ(row_of(features_without_rows(data, 2), 1), row_of(data.features, 4));
}

TEST(NewRows, GiveTheSameNumbersAsTheFirstTime) {
  const Dataset data = csv_in(kMessy);
  const test::TemporaryFolder folder;
  const NewRows rows = read_new_rows(folder.write("again.csv", kMessy.features), data);
  for (std::int64_t u = 0; u < 4; ++u) EXPECT_EQ(row_of(rows.features, u), row_of(data.features, u));
}

TEST(NewRows, OfEntriesGoByTheirNames) {
  const Dataset data = csv_in({.edges = "a,b\n", .features = "node,feature\na,red\nb,blue\n"});
  const test::TemporaryFolder folder;
  const NewRows rows = read_new_rows(folder.write("n.csv", "node,feature\nc,blue\nc,green\n"), data);
  EXPECT_EQ(rows.features.cols(), 2);
  EXPECT_EQ(rows.features.sparse()->columns, (std::vector<std::int32_t>{1}));
  EXPECT_EQ(rows.notes.size(), 1u);
}

TEST(NewRows, NameTheColumnsThatAreMissingAndAllOtherProblems) {
  const Dataset data = csv_in(kMessy);
  const test::TemporaryFolder folder;
  const auto error = [&](const std::string& text) {
    const auto path = folder.write("n.csv", text);
    return test::error_text([&] { read_new_rows(path, data); });
  };
  EXPECT_NE(error("id,country,note\nf,DE,x\n").find("there is no column 'opened', 'income', which d has"),
            std::string::npos);
  const std::string two = error("id,country,opened,income\nf,DE,1.2.2024,much\ng,DE,soon,1\n");
  EXPECT_EQ(two.substr(0, 10), "2 problems");
  EXPECT_NE(error("id,x\n").size(), 0u);
}

}  // namespace
}  // namespace heatfront
