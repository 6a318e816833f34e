// SPDX-License-Identifier: MIT
#include "heatfront/data/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "support/error_text.h"

namespace heatfront {
namespace {

using Ids = std::vector<NodeId>;

// By hand, from the generator alone: a class of 369 nodes with ids 0 … 368, seed 0.
TEST(PercentSplit, PermutesAsThePaperDoes) {
  std::mt19937 rng(0);
  Ids ids(369);
  std::iota(ids.begin(), ids.end(), 0);
  for (std::size_t i = 0; i + 1 < 369; ++i) {
    const std::size_t z = rng() % (369 - i);
    const NodeId kept = ids[i];
    ids[i] = ids[i + z];
    ids[i + z] = kept;
  }
  // The first output of mt19937(0) is 2357136044, and 2357136044 mod 369 = 206.
  EXPECT_EQ(Ids(ids.begin(), ids.begin() + 10), (Ids{206, 304, 170, 3, 327, 308, 241, 28, 188, 252}));

  const Split split = percent_split(std::vector<ClassId>(369, 0), 1, 40, 40, 0);
  Ids train(ids.begin(), ids.begin() + 147), validation(ids.begin() + 147, ids.begin() + 294);
  std::ranges::sort(train);
  std::ranges::sort(validation);
  EXPECT_EQ(split.train, train);
  EXPECT_EQ(split.validation, validation);
  EXPECT_EQ(split.test.size(), 75u);
}

TEST(PercentSplit, RunsOneGeneratorOnFromClassToClass) {
  std::vector<ClassId> labels = {1, 0, 1, 0, kUnknown, 1, 0, 1};
  std::mt19937 rng(5);
  Ids zero = {1, 3, 6}, one = {0, 2, 5, 7};
  for (Ids* ids : {&zero, &one}) {
    for (std::size_t i = 0; i + 1 < ids->size(); ++i)
      std::swap((*ids)[i], (*ids)[i + rng() % (ids->size() - i)]);
  }
  const Split split = percent_split(labels, 2, 50, 25, 5);
  Ids train = {zero[0], one[0], one[1]}, test = {zero[1], zero[2], one[3]};
  std::ranges::sort(train);
  std::ranges::sort(test);
  EXPECT_EQ(split.train, train);
  EXPECT_EQ(split.validation, Ids{one[2]});
  EXPECT_EQ(split.test, test);
}

TEST(PerClassSplit, GivesCountsToEachClassAndTheRestToTest) {
  std::vector<ClassId> labels(100);
  for (std::size_t u = 0; u < 100; ++u) labels[u] = u < 30 ? 0 : 1;
  const Split split = per_class_split(labels, 2, 20, 15, 3);
  EXPECT_EQ(split.train.size(), 40u);
  EXPECT_EQ(split.validation.size(), 25u);  // ten of the small class, fifteen of the other
  EXPECT_EQ(split.test.size(), 35u);
}

TEST(FoldSplit, TestsEveryNodeOnceAndSpreadsEachClassEvenly) {
  std::vector<ClassId> labels(103);
  for (std::size_t u = 0; u < 103; ++u) labels[u] = u < 31 ? 0 : u < 100 ? 1 : kUnknown;
  for (std::uint32_t shuffling = 0; shuffling < 3; ++shuffling) {
    std::vector<int> tested(103), validated(103), trained(103);
    for (std::uint32_t fold = 0; fold < 5; ++fold) {
      const Split split = fold_split(labels, 2, 5, 5 * shuffling + fold);
      EXPECT_EQ(split.train.size() + split.validation.size() + split.test.size(), 100u);
      EXPECT_EQ(split.test.size(), 20u);
      const auto small = std::ranges::count_if(split.test, [&](NodeId u) { return u < 31; });
      EXPECT_TRUE(small == 6 || small == 7);
      for (NodeId u : split.test) ++tested[at(u)];
      for (NodeId u : split.validation) ++validated[at(u)];
      for (NodeId u : split.train) ++trained[at(u)];
    }
    for (std::size_t u = 0; u < 103; ++u) {
      EXPECT_EQ(tested[u], u < 100 ? 1 : 0);
      EXPECT_EQ(validated[u], u < 100 ? 1 : 0);
      EXPECT_EQ(trained[u], u < 100 ? 3 : 0);
    }
  }
  EXPECT_NE(fold_split(labels, 2, 5, 0).hash(), fold_split(labels, 2, 5, 5).hash()) << "shuffled anew";
}

TEST(SplitHash, TellsSplitsApartAndForgetsTheName) {
  const std::vector<ClassId> labels(50, 0);
  Split first = percent_split(labels, 1, 40, 40, 0);
  const Split second = percent_split(labels, 1, 40, 40, 1);
  EXPECT_NE(first.hash(), second.hash());
  const std::string hash = first.hash();
  first.name = "another";
  EXPECT_EQ(first.hash(), hash);
  EXPECT_EQ(hash.size(), 16u);
}

TEST(Splits, WithholdTheirTestNodes) {
  const std::vector<ClassId> labels(50, 0);
  const Split whole = percent_split(labels, 1, 40, 40, 0), part = without_test(whole);
  EXPECT_TRUE(part.test.empty());
  EXPECT_EQ(part.withheld, whole.test);
  EXPECT_EQ(part.train, whole.train);
  EXPECT_EQ(part.validation, whole.validation);
}

TEST(Splits, RefuseSharesThatCannotBe) {
  const std::vector<ClassId> labels(5, 0);
  EXPECT_EQ(test::error_text([&] { percent_split(labels, 1, 60, 50, 0); }),
            "split 'percent 60,50': the shares must be 0 or more and together at most 100");
  EXPECT_NE(test::error_text([&] { per_class_split(labels, 1, -1, 0, 0); }), "");
  EXPECT_EQ(test::error_text([&] { fold_split(labels, 1, 2, 0); }),
            "split 'folds 2': one fold tests and one validates, so there must be 3 or more");
}

}  // namespace
}  // namespace heatfront
