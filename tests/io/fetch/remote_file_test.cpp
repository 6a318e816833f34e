// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/remote_file.h"

#include <gtest/gtest.h>

#include "heatfront_io/fetch/catalogue.h"
#include "support/public_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::TemporaryFolder;

// Digests of "hello\n", the blob id as `git hash-object` gives it.
const RemoteFile kHello{.path = "a/hello.txt",
                        .bytes = 6,
                        .git_blob = "ce013625030ba8dba906f756967f9e9ca394464a",
                        .sha256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03",
                        .md5 = "b1946ac92492d2347c6235b4d2611184"};

std::string digest_of(const char* algorithm, std::string_view text) {
  Digest digest(algorithm);
  digest.add(text);
  return digest.hex();
}

TEST(Digest, GivesThePublishedValuesForAbc) {
  EXPECT_EQ(digest_of("md5", "abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(digest_of("sha1", "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(digest_of("sha256", "abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(RemoteFile, IsCalledByTheLastPartOfItsPath) {
  EXPECT_EQ(kHello.name(), "hello.txt");
  EXPECT_EQ(RemoteFile{.path = "plain"}.name(), "plain");
}

TEST(RemoteFile, IsRecognisedBySizeAndEveryDigest) {
  const TemporaryFolder folder;
  EXPECT_EQ(difference(folder.write("a", "hello\n"), kHello), "");
  EXPECT_EQ(difference(folder.write("a", "hello"), kHello), "has 5 bytes, not 6");
  EXPECT_EQ(difference(folder / "none", kHello), "cannot be read");
}

TEST(RemoteFile, IsToldFromAnotherByEachDigestAlone) {
  const TemporaryFolder folder;
  const auto other = folder.write("a", "jello\n");
  EXPECT_EQ(difference(other, {.md5 = kHello.md5}),
            "has the MD5 b2a4b403048802992c3671afccb9f13b, not b1946ac92492d2347c6235b4d2611184");
  EXPECT_TRUE(difference(other, {.sha256 = kHello.sha256}).starts_with("has the SHA-256 "));
  EXPECT_TRUE(difference(other, {.git_blob = kHello.git_blob}).starts_with("has the git blob id "));
}

TEST(RemoteFile, HasACopyPackedAnewWhereItsContentIsKnown) {
  const TemporaryFolder folder;
  const auto path = folder.write("a", "hello\n");
  EXPECT_FALSE(is_copy(path, {.md5 = "00000000000000000000000000000000"}));
  EXPECT_TRUE(is_copy(path, {.md5 = "00000000000000000000000000000000", .unpacked_md5 = kHello.md5}));
  EXPECT_FALSE(is_copy(folder.write("a", "\x1f\x8b damaged"), {.md5 = "0", .unpacked_md5 = kHello.md5}));
  EXPECT_FALSE(is_copy(folder / "none", kHello));
  EXPECT_FALSE(is_copy(folder.path(), kHello));
}

TEST(RemoteFile, AgreesWithThePublicData) {
  int compared = 0;
  for (const KnownDataset& known : known_datasets()) {
    for (const RemoteFile& file : known.files) {
      const auto path = test::public_data(local_path(known, file));
      if (path.empty()) continue;
      EXPECT_TRUE(is_copy(path, file)) << path;
      ++compared;
    }
  }
  if (compared == 0) GTEST_SKIP() << "SKIPPED: needs published files such as planetoid/ind.cora.x";
}

}  // namespace
}  // namespace heatfront
