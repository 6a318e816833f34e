// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search_record.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::file_text;

const SearchTerms kTerms = {{"model", "heat-front"}, {"trials", "12"}};

SearchRun run(std::int64_t trial, std::uint32_t seed) {
  return {.trial = trial,
          .stage = "coarse",
          .seed = seed,
          .settings = {{"time", "3.5"}, {"hidden", "64,32"}},
          .validation_accuracy = 2.0 / 3,
          .validation_loss = 0.1,
          .epochs = 40,
          .seconds = 0.25,
          .at = 1.5};
}

TEST(SearchRecord, GivesBackExactlyWhatItWasGiven) {
  const test::TemporaryFolder folder;
  SearchRun failed = run(1, 0), test = run(0, 0), endless = run(2, 0);
  failed.error = "epoch 3: the loss is no longer finite";
  test.stage = "test";
  test.test_accuracy = 0.7;
  endless.validation_loss = std::numeric_limits<double>::infinity();
  {
    SearchRecord record(folder / "r.jsonl", kTerms);
    for (const SearchRun& added : {run(0, 0), failed, endless, test}) record.add(added);
  }
  const SearchRecord record(folder / "r.jsonl", kTerms);
  ASSERT_EQ(record.runs().size(), 4u);
  const SearchRun* found = record.find(0, 0);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->validation_accuracy, 2.0 / 3);
  EXPECT_EQ(found->validation_loss, 0.1);
  EXPECT_EQ(found->settings, run(0, 0).settings);
  EXPECT_EQ(found->epochs, 40);
  EXPECT_EQ(found->at, 1.5);
  EXPECT_FALSE(found->test_accuracy);
  EXPECT_EQ(record.find(1, 0)->error, failed.error);
  EXPECT_EQ(record.find(2, 0)->validation_loss, endless.validation_loss);
  EXPECT_EQ(record.find(0, 0, true)->test_accuracy, 0.7);
  EXPECT_EQ(record.find(0, 1), nullptr);
  EXPECT_EQ(record.find(1, 0, true), nullptr);
}

TEST(SearchRecord, DropsALastLineThatWasTornAnywhere) {
  const test::TemporaryFolder folder;
  const auto path = folder / "r.jsonl";
  {
    SearchRecord record(path, kTerms);
    record.add(run(0, 0));
    record.add(run(1, 0));
  }
  const std::string whole = file_text(path);
  const std::size_t header = whole.find('\n') + 1;
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    folder.write("r.jsonl", whole.substr(0, length));
    SearchRecord record(path, kTerms);
    if (length < header) {
      EXPECT_EQ(record.runs().size(), 0u) << length;
    }
    for (std::int64_t trial : {0, 1}) {
      if (record.find(trial, 0) == nullptr) record.add(run(trial, 0));
    }
    EXPECT_EQ(file_text(path), whole) << length;
  }
}

TEST(SearchRecord, RefusesThatOfAnotherSearch) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "r.jsonl").string();
  SearchRecord(path, kTerms).add(run(0, 0));
  EXPECT_EQ(
      test::error_text([&] {
        SearchRecord(path, {{"model", "heat-front"}, {"trials", "24"}});
      }),
      path +
          " is the record of another search, with trials '12', not '24'; remove it or name another record");
}

TEST(SearchRecord, LeavesFilesAloneThatAreNoRecord) {
  const test::TemporaryFolder folder;
  for (const char* text : {"precious", "precious\n", "{}\n", "[1]\n", "{\"search\":3}\n"}) {
    const std::string path = folder.write("r.jsonl", text).string();
    const std::string error = test::error_text([&] { SearchRecord(path, kTerms); });
    EXPECT_TRUE(error.starts_with(path)) << text << ": " << error;
    EXPECT_EQ(file_text(path), text);
  }
  const std::string begun = (folder / "b.jsonl").string();
  SearchRecord(begun, kTerms).add(run(0, 0));
  folder.write("b.jsonl", file_text(begun) + "{\"trial\":1}\n");
  EXPECT_EQ(test::error_text([&] { SearchRecord(begun, kTerms); }),
            begun + ":3: is not a line of a search's record; remove the file or name another record");
  EXPECT_EQ(test::error_text([&] { SearchRecord("/no/such/folder/r.jsonl", kTerms); }),
            "/no/such/folder/r.jsonl: cannot be written: No such file or directory");
}

TEST(SearchRecord, IsKeptInMemoryWithoutAPath) {
  SearchRecord record("", kTerms);
  record.add(run(4, 2));
  EXPECT_NE(record.find(4, 2), nullptr);
}

}  // namespace
}  // namespace heatfront
