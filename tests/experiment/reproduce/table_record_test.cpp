// SPDX-License-Identifier: MIT
#include "heatfront_experiment/reproduce/table_record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

TableRun full_run() {
  return {.row = "08",
          .dataset = "cora",
          .seed = 3,
          .terms = "abc",
          .split = "file (123)",
          .validation_included = true,
          .selected_by = "validation-loss",
          .preset = "cora",
          .time = 5,
          .test_accuracy = 0.825,
          .parameters = 17,
          .epochs = 29,
          .seconds = 1.25};
}

TEST(TableRecord, ReadsBackWhatItWrote) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "runs.jsonl";
  TableRun run = full_run();
  run.validation_accuracy = std::nan("");
  TableRecord(path, "table2").add(run);
  const TableRecord record(path, "table2");
  const TableRun* found = record.find("08", "cora", 3, "abc");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->split, "file (123)");
  EXPECT_TRUE(found->validation_included);
  EXPECT_EQ(found->selected_by, "validation-loss");
  EXPECT_EQ(found->preset, "cora");
  EXPECT_EQ(found->time, 5);
  EXPECT_EQ(found->test_accuracy, 0.825);
  EXPECT_TRUE(std::isnan(found->validation_accuracy));
  EXPECT_EQ(found->parameters, 17);
  EXPECT_EQ(found->epochs, 29);
  EXPECT_EQ(found->seconds, 1.25);
  EXPECT_EQ(record.find("08", "cora", 3, "other settings"), nullptr);
  EXPECT_EQ(record.find("09", "cora", 3, "abc"), nullptr);
}

TEST(TableRecord, GoesOnAfterALineThatWasTorn) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "runs.jsonl";
  TableRecord(path, "table2").add(full_run());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 5);
  TableRecord record(path, "table2");
  EXPECT_EQ(record.find("08", "cora", 3, "abc"), nullptr);
  record.add(full_run());
  EXPECT_NE(TableRecord(path, "table2", RecordUse::read).find("08", "cora", 3, "abc"), nullptr);
}

TEST(TableRecord, IsReadWhileAnotherWritesIt) {
  const test::TemporaryFolder folder;
  const auto path = folder / "runs.jsonl";
  TableRecord writer(path, "table2");
  writer.add(full_run());
  EXPECT_NE(TableRecord(path, "table2", RecordUse::read).find("08", "cora", 3, "abc"), nullptr);
  EXPECT_NE(test::error_text([&] { TableRecord(path, "table2"); }).find("another program"),
            std::string::npos);
  TableRecord(folder / "none.jsonl", "table2", RecordUse::read);
  EXPECT_EQ(test::files_in(folder.path()), 1u);
}

TEST(TableRecord, RefusesFilesThatAreNone) {
  const test::TemporaryFolder folder;
  const auto error = [&](const std::string& text) {
    const auto path = folder.write("a.jsonl", text);
    return test::error_text([&] { TableRecord(path, "table2"); }).substr(path.string().size());
  };
  EXPECT_EQ(error("a,b\n1,2\n"), " exists already and is not a record of table2; name another folder");
  EXPECT_EQ(error("my diary"), " exists already and is not a record of table2; name another folder");
  EXPECT_EQ(error("{\"table\":\"table1\"}\n"),
            " exists already and is not a record of table2; name another folder");
  EXPECT_EQ(error("{\"table\":\"table2\"}\n{\"row\":8}\n"),
            ":2: is not a line of a table's record; remove the file or name another folder");
  const std::string deep(100'000, '['), closed = deep + std::string(deep.size(), ']');
  for (const std::string& line : {deep, closed}) {
    EXPECT_EQ(error("{\"table\":\"table2\"}\n" + line + "\n"),
              ":2: is not a line of a table's record; remove the file or name another folder");
  }
}

TEST(TableRecord, RefusesNumbersThatAreNotWholeOrDoNotFit) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "runs.jsonl";
  TableRecord(path, "table2").add(full_run());
  const std::string good = test::file_text(path);
  const std::size_t place = good.find("\"seed\":3");
  for (const char* seed : {"1e300", "-1", "4294967296", "18446744073709551615", "1.5", "\"3\"", "true"}) {
    folder.write("runs.jsonl", std::string(good).replace(place, 8, "\"seed\":" + std::string(seed)));
    EXPECT_NE(test::error_text([&] { TableRecord(path, "table2"); }), "") << seed;
  }
}

}  // namespace
}  // namespace heatfront
