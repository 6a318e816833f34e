// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/label_file.h"

#include <gtest/gtest.h>

#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

class PriorFile : public testing::Test {
 protected:
  std::vector<double> read(const std::string& text) {
    return read_prior_file(folder_.write("prior.csv", text), dataset_).shares.value();
  }
  ClassVolumes sizes(const std::string& text) {
    return read_prior_file(folder_.write("prior.csv", text), dataset_).volumes.value();
  }
  // Without the folder.
  std::string error(const std::string& text) {
    return test::error_text([&] { read(text); }).substr(folder_.path().string().size() + 1);
  }

  const test::TemporaryFolder folder_;
  const Dataset dataset_{.name = "data", .class_names = {"red", "blue", "green"}};
};

TEST_F(PriorFile, HasSizesOrBoundsOfThemWhereItsHeaderSaysSo) {
  const ClassVolumes exact = sizes("class,size\ngreen,3\nred,1\nblue,2\n");
  EXPECT_EQ(exact.least, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_EQ(exact.most, exact.least);
  const ClassVolumes bounds = sizes("class,least,most\nred,1,4\nblue,0,2\ngreen,3,3\n");
  EXPECT_EQ(bounds.least, (std::vector<std::int64_t>{1, 0, 3}));
  EXPECT_EQ(bounds.most, (std::vector<std::int64_t>{4, 2, 3}));
  EXPECT_EQ(error("class,size\nred,1\nblue,2.5\ngreen,1\n"),
            "prior.csv:3: every class needs a whole number of nodes, 0 or more");
  EXPECT_EQ(error("class,size\nred,1\nblue,2\n"),
            "prior.csv: no size for class 'green'; give every class one");
}

TEST_F(PriorFile, IsScaledToSumOne) {
  EXPECT_EQ(read("class,share\nblue,3\nred,1\ngreen,0\n"), (std::vector<double>{0.25, 0.75, 0}));
}

TEST_F(PriorFile, NamesLineAndMistake) {
  EXPECT_EQ(error("red,1\nblue,1\nred,2\n"),
            "prior.csv:3: class 'red' again, line 1 has it already; give it once");
  EXPECT_EQ(error("red,1\n\"a\nb\",1\n"),
            "prior.csv:2: 'a b' is not a class of data; choose from: red, blue, green");
  EXPECT_EQ(error("red,1\nblue,-1\n"), "prior.csv:2: share '-1' must be a number of 0 or more");
  EXPECT_EQ(error("red,1\ngreen,2\n"),
            "prior.csv: no share for class 'blue'; give every class one, 0 where none is expected");
  EXPECT_EQ(error("red,0\nblue,0\ngreen,0\n"),
            "prior.csv: the shares sum to 0; at least one class must have some");
}

TEST(LabelFile, SaysWhoseNodeIsMissing) {
  const test::TemporaryFolder folder;
  const Dataset club{.name = "club",
                     .graph = Graph::without_edges(2),
                     .labels = {kUnknown, kUnknown},
                     .class_names = {"red"},
                     .node_names = {"ann", "bob"}};
  const auto path = folder.write("l.csv", "ann,red\nYara,red\n");
  EXPECT_EQ(test::error_text([&] { read_label_file(path, club); }),
            path.string() + ":2: label without node: 'Yara' is not a node of club");
  const auto typo = folder.write("typo.csv", "ann,red\nBob,red\n");
  EXPECT_EQ(test::error_text([&] { read_label_file(typo, club); }),
            typo.string() + ":2: label without node: 'Bob' (did you mean 'bob'?) is not a node of club");
}

TEST(LabelFile, SaysInOneLineThatItIsOfOtherData) {
  const test::TemporaryFolder folder;
  const Dataset club{.name = "club",
                     .graph = Graph::without_edges(1),
                     .labels = {kUnknown},
                     .class_names = {"red"},
                     .node_names = {"ann"}};
  const auto path = folder.write("l.csv", "node,label\np1,red\np2,red\np3,blue\n");
  EXPECT_EQ(test::error_text([&] { read_label_file(path, club); }),
            path.string() +
                ":2: 'p1' is not a node of club, and neither is any other of the 3 names in this table");
}

}  // namespace
}  // namespace heatfront
