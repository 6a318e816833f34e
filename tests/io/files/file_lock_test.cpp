// SPDX-License-Identifier: MIT
#include "heatfront_io/files/file_lock.h"

#include <gtest/gtest.h>

#include <thread>

#include "heatfront_io/files/output_file.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

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
