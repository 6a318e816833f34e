// SPDX-License-Identifier: MIT
#include "heatfront/base/memory.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace heatfront {
namespace {

constexpr std::int64_t kNoLimit = GroupMemory::kNoLimit;

class ControlGroup : public testing::Test {
 protected:
  GroupMemory memory(std::string_view groups) {
    return group_memory(folder_.write("groups", groups), folder_ / "root");
  }

  test::TemporaryFolder folder_;
};

TEST_F(ControlGroup, GrantsWhatItsLimitLeavesAndFilesOfItsCache) {
  folder_.write("root/user/job/memory.max", "1000\n");
  folder_.write("root/user/job/memory.current", "700\n");
  folder_.write("root/user/job/memory.stat", "anon 500\ninactive_file 150\nactive_file 50\n");
  const GroupMemory found = memory("0::/user/job\n");
  EXPECT_EQ(found.limit, 1000);
  EXPECT_EQ(found.free, 450);
}

TEST_F(ControlGroup, IsBoundByTheGroupsThatItIsIn) {
  folder_.write("root/user/memory.max", "800\n");
  folder_.write("root/user/memory.current", "790\n");
  folder_.write("root/user/job/memory.max", "max\n");
  folder_.write("root/user/job/memory.current", "5\n");
  const GroupMemory found = memory("0::/user/job\n");
  EXPECT_EQ(found.limit, 800);
  EXPECT_EQ(found.free, 10);
}

TEST_F(ControlGroup, IsReadInItsFirstVersionToo) {
  folder_.write("root/memory/batch/memory.limit_in_bytes", "1000\n");
  folder_.write("root/memory/batch/memory.usage_in_bytes", "600\n");
  folder_.write("root/memory/batch/memory.stat", "inactive_file 7\ntotal_inactive_file 100\n");
  const GroupMemory found = memory("9:cpu:/other\n4:memory:/batch\n0::/\n");
  EXPECT_EQ(found.limit, 1000);
  EXPECT_EQ(found.free, 500);
}

TEST_F(ControlGroup, InAContainerMayHaveAPathThatIsNotThere) {
  folder_.write("root/memory.max", "300\n");
  folder_.write("root/memory.current", "100\n");
  EXPECT_EQ(memory("0::/host/container\n").free, 200);
}

TEST_F(ControlGroup, HasNoneLeftWhereMoreIsUsedThanGranted) {
  folder_.write("root/memory.max", "300\n");
  folder_.write("root/memory.current", "400\n");
  EXPECT_EQ(memory("0::/\n").free, 0);
}

TEST_F(ControlGroup, RestrictsNothingWhereThereIsNone) {
  EXPECT_EQ(memory("").limit, kNoLimit);
  EXPECT_EQ(memory("0::/\n").free, kNoLimit);
  EXPECT_EQ(group_memory(folder_ / "missing", folder_ / "root").free, kNoLimit);
}

TEST(Memory, IsThereAndNeverMoreThanAll) {
  EXPECT_GT(available_memory(), 0);
  EXPECT_LE(available_memory(), whole_memory());
}

}  // namespace
}  // namespace heatfront
