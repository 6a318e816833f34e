// SPDX-License-Identifier: MIT
#include "heatfront/base/output_file.h"

#include <gtest/gtest.h>

#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::error_text;
using test::file_text;
using test::files_in;
using test::TemporaryFolder;

TEST(OutputFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  OutputFile file(folder / "a.txt");
  file.write("hello");
  EXPECT_FALSE(exists(folder / "a.txt"));
  file.commit();
  EXPECT_EQ(file_text(folder / "a.txt"), "hello");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(OutputFile, LeavesTheOldFileAndNothingElseWhenAbandoned) {
  const TemporaryFolder folder;
  folder.write("a.txt", "old");
  {
    OutputFile file(folder / "a.txt");
    file.write("new");
  }
  EXPECT_EQ(file_text(folder / "a.txt"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(OutputFile, NamesTheFolderThatIsMissing) {
  const TemporaryFolder folder;
  const std::string text = error_text([&] { OutputFile file(folder / "no/a.txt"); });
  EXPECT_NE(text.find("there is no folder " + (folder / "no").string()), std::string::npos) << text;
}

TEST(OutputFolder, AppearsWholeAndRefusesToReplace) {
  const TemporaryFolder folder;
  OutputFolder output(folder / "out/");
  std::ofstream(output.temporary() / "a.txt") << "x";
  EXPECT_FALSE(exists(folder / "out"));
  output.commit();
  EXPECT_EQ(file_text(folder / "out/a.txt"), "x");
  EXPECT_NE(error_text([&] { OutputFolder again(folder / "out"); }), "");
}

}  // namespace
}  // namespace heatfront
