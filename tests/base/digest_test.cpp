// SPDX-License-Identifier: MIT
#include "heatfront/base/digest.h"

#include <gtest/gtest.h>

#include <vector>

namespace heatfront {
namespace {

std::string digest_of(DigestKind kind, std::string_view text) {
  Digest digest(kind);
  digest.add(text);
  return digest.hex();
}

TEST(Digest, GivesThePublishedValuesForAbc) {
  EXPECT_EQ(digest_of(DigestKind::md5, "abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(digest_of(DigestKind::sha1, "abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(digest_of(DigestKind::sha256, "abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Fingerprint, IsTheSameForTheSameIntegersInAnyWidth) {
  const std::vector<std::int32_t> narrow = {1, -2, 3};
  const std::vector<std::int64_t> wide = {1, -2, 3};
  EXPECT_EQ(Fingerprint().add(narrow).hex(), Fingerprint().add(wide).hex());
}

TEST(Fingerprint, TellsWhereOneArrayEndsAndTheNextBegins) {
  const std::vector<std::int32_t> one = {1}, two = {2}, both = {1, 2};
  EXPECT_NE(Fingerprint().add(one).add(two).hex(), Fingerprint().add(both).hex());
}

TEST(Fingerprint, DependsOnEveryValueOfALongArray) {
  std::vector<Real> values(10000, Real(0.5));
  const std::string before = Fingerprint().add(values).hex();
  values[9999] = Real(0.25);
  EXPECT_NE(Fingerprint().add(values).hex(), before);
}

}  // namespace
}  // namespace heatfront
