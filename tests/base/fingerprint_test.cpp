// SPDX-License-Identifier: MIT
#include "heatfront/base/fingerprint.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heatfront {
namespace {

std::string sha256_of(std::string_view text, std::size_t step,
                      Sha256::By by = Sha256::By::whatever_is_fastest) {
  Sha256 digest(by);
  for (; !text.empty(); text.remove_prefix(std::min(step, text.size())))
    digest.add(std::as_bytes(std::span(text.substr(0, step))));
  return hex_of(digest.digest());
}

TEST(Sha256, GivesThePublishedValues) {
  EXPECT_EQ(sha256_of("", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc", 3), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1000000, 'a'), 977),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, GivesThePublishedValueInPlainCode) {
  EXPECT_EQ(sha256_of("abc", 3, Sha256::By::plain_code),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, DoesNotDependOnHowTheBytesAreHandedOver) {
  for (const std::size_t length : {55U, 56U, 63U, 64U, 65U, 119U, 120U, 128U, 1000U}) {
    const std::string text(length, 'x');
    const std::string whole = sha256_of(text, length, Sha256::By::plain_code);
    for (const std::size_t step : {1U, 7U, 63U, 64U, 65U})
      EXPECT_EQ(sha256_of(text, step), whole) << length << " by " << step;
  }
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
