// SPDX-License-Identifier: MIT
#include "heatfront_experiment/line_file.h"

#include <gtest/gtest.h>

#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::file_text;

TEST(LineFile, ReadsWholeLinesAndCutsOffATornOneWhenItIsOpened) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("a.jsonl", "one\ntwo\nthr");
  LineFile file(path);
  EXPECT_EQ(file.lines(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(file.torn(), "thr");
  EXPECT_EQ(file_text(path), "one\ntwo\nthr") << "reading changes nothing";
  file.open();
  file.append("four");
  EXPECT_EQ(file_text(path), "one\ntwo\nfour\n");
  EXPECT_EQ(LineFile(path).lines(), (std::vector<std::string>{"one", "two", "four"}));
}

TEST(LineFile, BeginsAFileThatIsNotThereAndKeepsNothingWithoutAPath) {
  const test::TemporaryFolder folder;
  LineFile file(folder.path() / "new.jsonl"), nowhere{{}};
  EXPECT_TRUE(file.lines().empty());
  file.open();
  file.append("a");
  EXPECT_EQ(file_text(folder.path() / "new.jsonl"), "a\n");
  nowhere.open();
  nowhere.append("a");
  LineFile lost(folder.path() / "no" / "such.jsonl");
  EXPECT_NE(test::error_text([&] { lost.open(); }).find("cannot be written"), std::string::npos);
}

TEST(LineFile, IsNoFolder) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(test::error_text([&] { LineFile{folder.path()}; }),
            folder.path().string() + " is a folder; a file is needed here");
}

}  // namespace
}  // namespace heatfront
