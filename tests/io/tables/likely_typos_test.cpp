// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/dataset_tables.h"

#include <gtest/gtest.h>

namespace heatfront {
namespace {

TEST(LikelyTypos, AreOneSlipOrTheOtherCaseApart) {
  EXPECT_TRUE(nearly_same("finanse", "finance"));
  EXPECT_TRUE(nearly_same("Finance", "finance"));
  EXPECT_TRUE(nearly_same("fnance", "finance"));
  EXPECT_TRUE(nearly_same("fniance", "finance"));
  EXPECT_TRUE(nearly_same("ABC", "abc"));
  EXPECT_FALSE(nearly_same("sales", "finance"));
  EXPECT_FALSE(nearly_same("fiannec", "finance"));
  EXPECT_FALSE(nearly_same("cat", "bat"));
  EXPECT_FALSE(nearly_same("type1", "type2"));
}

TEST(LikelyTypos, AreToldOfRareClassesAlone) {
  const std::vector<std::string> names = {"finance", "finanse", "sales"};
  EXPECT_EQ(likely_typos(names, std::vector<ClassId>{0, 0, 1, 2, kUnknown}),
            std::vector<std::string>{"class 'finanse' has 1 label; did you mean 'finance', which has 2?"});
  EXPECT_TRUE(likely_typos(names, std::vector<ClassId>{0, 0, 0, 0, 1, 1, 1, 2}).empty());
  EXPECT_EQ(likely_typos(names, std::vector<ClassId>{0, 1, 2}),
            std::vector<std::string>{"class 'finanse' has 1 label; did you mean 'finance', which has 1?"});
}

TEST(LikelyTypos, AreToldOfAllClassesThatDifferInCaseAlone) {
  const std::vector<std::string> names = {"Chess", "chess"};
  EXPECT_EQ(likely_typos(names, std::vector<ClassId>{0, 0, 0, 0, 1, 1, 1}),
            std::vector<std::string>{"class 'chess' has 3 labels; did you mean 'Chess', which has 4?"});
  EXPECT_EQ(likely_typos(names, std::vector<ClassId>{0, 0, 0, 1, 1, 1}).size(), 1u);
}

TEST(NodesAlike, AreThoseThatDifferInCaseAlone) {
  EXPECT_EQ(nodes_alike(std::vector<std::string>{"Bob", "ann", "bob", "D003", "d003"}),
            std::vector<std::string>{"2 pairs of nodes differ only in upper and lower case: 'Bob' and 'bob'; "
                                     "'D003' and 'd003'; if they are the same, write them alike"});
  EXPECT_TRUE(nodes_alike(std::vector<std::string>{"ann", "bob"}).empty());
}

TEST(ListedIds, SayWhatFiveOfThemMayHaveBeenMeantToBe) {
  const std::vector<std::string> names = {"hana", "ann"};
  EXPECT_EQ(listed_ids(std::vector<std::string>{"hanna", "zoe"}, names),
            "'hanna' (did you mean 'hana'?), 'zoe'");
  EXPECT_EQ(listed_ids(std::vector<std::string>{"1", "2", "3", "4", "5", "6"}, names),
            "'1', '2', '3', '4', '5', …");
}

TEST(LikelyTypos, FindsWordsForWhatIsMissing) {
  const std::vector<std::string> names = {"NA", "Nat", "red"};
  EXPECT_EQ(likely_typos(names, std::vector<ClassId>{0, 0, 0, 1, 1, 1, 2}),
            (std::vector<std::string>{
                "class 'NA' has 3 labels; if it stands for unknown, leave the cell empty or write ?"}));
}

}  // namespace
}  // namespace heatfront
