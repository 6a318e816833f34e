// SPDX-License-Identifier: MIT
#include "heatfront_io/files/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
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

fs::perms mode_of(const fs::path& path) { return fs::status(path).permissions() & fs::perms::mask; }

TEST(OutputFile, TakesThePermissionsOfTheMaskOrOfTheFileThatWasThere) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_file(folder / "a.txt", "new");
  umask(before);
  EXPECT_EQ(mode_of(folder / "a.txt"), fs::perms(0640));
  fs::permissions(folder / "a.txt", fs::perms(0604));
  write_file(folder / "a.txt", "newer");
  EXPECT_EQ(mode_of(folder / "a.txt"), fs::perms(0604));
  EXPECT_EQ(file_text(folder / "a.txt"), "newer");
}

TEST(OutputFile, FollowsLinksAlsoToWhatIsNotThereYet) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "deep");
  fs::create_symlink("deep/a.txt", folder / "link");
  fs::create_symlink(folder / "link", folder / "link2");
  write_file(folder / "link2", "new");
  EXPECT_EQ(file_text(folder / "deep/a.txt"), "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link") && fs::is_symlink(folder / "link2"));
  fs::create_symlink("ring", folder / "ring");
  EXPECT_NE(error_text([&] { write_file(folder / "ring", "x"); }).find("too many links"), std::string::npos);
}

TEST(OutputFile, RefusesWhatIsNoPlainFile) {
  const TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (const fs::path& path : {folder / "pipe", fs::path("/dev/null")})
    EXPECT_NE(error_text([&] { write_file(path, "x"); }).find("not a plain file"), std::string::npos);
  EXPECT_TRUE(fs::is_fifo(folder / "pipe") && fs::is_character_file("/dev/null"));
}

TEST(OutputFile, RemovesWhatAKilledWriterLeftAndNothingElse) {
  const TemporaryFolder folder;
  for (const char* name : {"a.txt.unfinished-0123abcd", "a.txt.unfinished-backup",
                           "a.txt.unfinished-0123abcde", "b.txt.unfinished-0123abcd", "a.txt.0123abcd"})
    folder.write(name, "x");
  folder.write("f.unfinished-0123abcd/edges.csv", "x");
  OutputFile other(folder / "a.txt");
  const std::size_t files = files_in(folder.path());
  write_file(folder / "a.txt", "new");
  EXPECT_EQ(files_in(folder.path()), files + 1);
  EXPECT_FALSE(fs::exists(folder / "a.txt.unfinished-0123abcd"));
  other.commit();
  EXPECT_EQ(file_text(folder / "a.txt"), "") << "one that is at work is left alone";
  OutputFolder output(folder / "f");
  EXPECT_FALSE(fs::exists(folder / "f.unfinished-0123abcd"));
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

TEST(FileLock, LetsNoUpdateBeLost) {
  const test::TemporaryFolder folder;
  const auto path = folder.write("count", "0");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 10; ++k) {
        const FileLock lock(path);
        write_file(path, std::to_string(std::stoi(test::file_text(path)) + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(test::file_text(path), "40");
}

TEST(FileLock, LocksNothingWhereThereIsNoFile) {
  const test::TemporaryFolder folder;
  const FileLock nowhere({}), missing(folder / "missing"), again(folder / "missing");
  EXPECT_EQ(test::files_in(folder.path()), 0u);
}

}  // namespace
}  // namespace heatfront
