// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/example_tables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/csv_folder.h"

namespace heatfront {
namespace {

// Those that a data set is read from: the folder itself, or those in it.
std::vector<std::filesystem::path> data_folders(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> inner;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.is_directory()) inner.push_back(entry.path());
  }
  return inner.empty() ? std::vector{folder} : inner;
}

TEST(ExampleTables, AllGoInAtTheFirstTry) {
  const test::TemporaryFolder folder;
  for (const ExampleTables& example : example_tables()) {
    write_example(example.name, 0, folder / std::string(example.name));
    for (const auto& data_folder : data_folders(folder / std::string(example.name))) {
      const Dataset data = test::csv_in(data_folder, {.labels = example.labels});
      EXPECT_GT(data.graph.edges(), 20) << data_folder;
      EXPECT_GT(data.features.cols(), 2) << data_folder;
      EXPECT_TRUE(std::ranges::any_of(data.table.columns, [](const TableColumn& column) {
        return column.kind == ColumnKind::category && column.categories.size() > 1;
      })) << data_folder;
      EXPECT_TRUE(std::ranges::any_of(data.table.columns, &TableColumn::marks_missing)) << data_folder;
    }
  }
}

TEST(ExampleTables, OfFraudHaveAllThatExportsHave) {
  const test::TemporaryFolder folder;
  write_example("fraud", 0, folder / "fraud");
  const Dataset data = test::csv_in(folder / "fraud");
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"fraud", "ok"}));
  EXPECT_EQ(data.nodes(), 401) << "400 accounts, and one that is closed";
  EXPECT_TRUE(data.table.marks_no_row);
  const auto column = [&](std::string_view name) {
    return *std::ranges::find(data.table.columns, name, &TableColumn::name);
  };
  EXPECT_EQ(column("opened").kind, ColumnKind::date);
  EXPECT_EQ(column("country").kind, ColumnKind::category);
  EXPECT_TRUE(column("monthly turnover").decimal_comma);
  EXPECT_EQ(column("owner").kind, ColumnKind::unused);
}

TEST(ExampleTables, AreTheSameForTheSameSeed) {
  for (const ExampleTables& example : example_tables()) {
    const auto once = example.make(3), again = example.make(3), other = example.make(4);
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_EQ(once[i].text, again[i].text) << once[i].name;
    EXPECT_NE(once.back().text, other.back().text) << example.name;
  }
}

TEST(ExampleTables, SayWhichThereAre) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(test::error_text([&] {
                write_example("fruad", 0, folder / "x");
              }).starts_with("unknown example 'fruad' (did you mean 'fraud'?); choose from: fraud, papers"));
  EXPECT_FALSE(std::filesystem::exists(folder / "x"));
}

}  // namespace
}  // namespace heatfront
