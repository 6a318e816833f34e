// SPDX-License-Identifier: MIT
#include "heatfront_io/files/digest.h"

#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace heatfront
