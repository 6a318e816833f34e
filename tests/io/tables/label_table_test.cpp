// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/csv_folder.h"

namespace heatfront {
namespace {

using test::csv_error;
using test::csv_in;
using test::CsvFiles;
using test::notes_of;
using Ids = std::vector<NodeId>;
using ClassIds = std::vector<ClassId>;
using Names = std::vector<std::string>;

TEST(CsvLabels, AreClassesByNumberOrByName) {
  const Dataset numbers = csv_in({.edges = "0,1\n1,2\n", .labels = "0,10\n2,9\n1,10\n"});
  EXPECT_EQ(numbers.class_names, (Names{"9", "10"}));
  EXPECT_EQ(numbers.labels, (ClassIds{1, 1, 0}));
  const Dataset names = csv_in({.edges = "0,1\n1,2\n", .labels = "class,node\n9,0\n10,1\nx,2\n"});
  EXPECT_EQ(names.class_names, (Names{"10", "9", "x"}));
  EXPECT_EQ(names.labels, (ClassIds{1, 0, 2}));
}

TEST(CsvLabels, MayBeUnknown) {
  const CsvFiles files{.edges = "0,1\n1,2\n2,3\n3,4\n", .labels = "0,?\n1,3\n2,\n3,-1\n"};
  EXPECT_EQ(csv_in(files).labels, (ClassIds{kUnknown, 0, kUnknown, kUnknown, kUnknown}));
  EXPECT_EQ(notes_of(files), (Names{"labels.csv: label -1 stands for unknown (rows: 1)"}));
}

TEST(CsvLabels, FollowTheListOfClasses) {
  const Dataset data = csv_in({.edges = "0,1\n", .labels = "0,a b\n1,c\n", .classes = "class\nz\nc\na b\n"});
  EXPECT_EQ(data.class_names, (Names{"z", "c", "a b"}));
  EXPECT_EQ(data.labels, (ClassIds{2, 1}));
  EXPECT_EQ(csv_error({.edges = "0,1\n", .labels = "0,a\n1,c\n", .classes = "a\nb\n"}),
            "labels.csv:2: 'c' is not a class; the classes are a, b");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .labels = "0,a\n", .classes = "a\na\n"}),
            "classes.csv:2: class 'a' again, line 1 has it already");
}

TEST(CsvLabels, NameTheLineOfAMistake) {
  const auto error = [](const std::string& labels) {
    return csv_error({.edges = "0,1\n", .labels = labels});
  };
  EXPECT_EQ(error("0,a\n1,a\n0,b\n"),
            "labels.csv:3: node '0' again with another label, line 1 has it already; give it once, or "
            "--many-labels "
            "where a node can have several");
  EXPECT_EQ(error("0,a\n1,a\n0,a\n"), "");
  EXPECT_EQ(
      error("0\n1\n"),
      "labels.csv:1: one column; node,label is expected, separated by commas, semicolons, tabs or blanks");
  EXPECT_EQ(error("0,a,b\n1,a,b\n"),
            "labels.csv:1: 3 columns; node,label is expected, or a header that says which are");
  EXPECT_EQ(
      error("id,x,y2\n0,a,b\n"),
      "labels.csv:1: 3 columns, and the header does not say which are node,label; --node and --label name "
      "them, choose from: id, x, y2");
  EXPECT_EQ(error("0,a\n1\n"), "labels.csv:2: 1 column, but line 1 has 2");
}

TEST(CsvLabels, TakeTheColumnOfIdsBeforeThatOfNames) {
  EXPECT_EQ(csv_in({.edges = "0,1\n", .labels = "name,id,label\nann,1,x\nbob,0,y\n"}).labels,
            (ClassIds{1, 0}));
}

TEST(CsvLabels, MakeLoneNodesOfThoseInNoOtherTable) {
  const CsvFiles files{.edges = "0,1\n", .labels = "7,b\n0,a\n9,a\n"};
  const Dataset data = csv_in(files);
  EXPECT_EQ(data.node_names, (Names{"0", "1", "7", "9"}));
  EXPECT_EQ(data.labels, (ClassIds{0, kUnknown, 1, 0}));
  EXPECT_EQ(notes_of(files)[0],
            "labels.csv: 2 nodes are in neither edges nor features: '7', '9'; they stand alone");
}

TEST(CsvLabels, AreFoundByTheNamesGivenAlsoAmongTheFeatures) {
  const test::CsvFolder folder(
      {.edges = "a,b\n", .features = "key,size,verdict,who\na,1,good,x\nb,2,bad,x\n"});
  const Dataset data =
      test::csv_in(folder.path(), {.columns = {.node = "key", .label = "verdict", .ignored = {"who"}}});
  EXPECT_EQ(data.class_names, (Names{"bad", "good"}));
  EXPECT_EQ(data.labels, (ClassIds{1, 0}));
  EXPECT_EQ(data.feature_names, (Names{"size"}));
}

TEST(CsvLabels, StayOnOneLineInMessages) {
  CsvFiles files{.edges = "0,1\n", .labels = "0,a\n1,\"x\ny", .classes = "a\n"};
  files.labels.append(100, 'z').append("\"\n");
  std::string expected = "labels.csv:2: 'x y";
  expected.append(57, 'z').append("…' is not a class; the classes are a");
  EXPECT_EQ(csv_error(files), expected);
}

TEST(CsvSplit, PutsNodesIntoParts) {
  const CsvFiles files{.edges = "0,1\n1,2\n2,3\n", .split = "node,part\n3,test\n2,train\n0,train\n1,val\n"};
  const Dataset data = csv_in(files);
  ASSERT_TRUE(data.split);
  EXPECT_EQ(data.split->name, "file");
  EXPECT_EQ(data.split->train, (Ids{0, 2}));
  EXPECT_EQ(data.split->validation, (Ids{1}));
  EXPECT_EQ(data.split->test, (Ids{3}));
  EXPECT_EQ(csv_error({.edges = "0,1\n", .split = "0,train\n1,tent\n"}),
            "split.csv:2: part 'tent'; choose from: train, validation, test");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .split = "0,train\n0,test\n"}),
            "split.csv:2: node '0' again with another part, line 1 has it already; give it once");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .split = "0,train\n7,test\n"}),
            "split.csv:2: part without node: '7' is in neither edges nor features");
}

TEST(CsvLabels, HaveAHeaderWhereTheFirstRowNamesNobodyAndIsMetNowhereElse) {
  const Dataset data = csv_in({.edges = "a,b\nb,c\n", .labels = "kunde;status\na;gut\nc;faul\nlone;gut\n"});
  EXPECT_EQ(data.class_names, (Names{"faul", "gut"}));
  EXPECT_EQ(data.nodes(), 4);
  EXPECT_EQ(csv_in({.edges = "a,b\nb,c\n", .labels = "zed;gut\na;gut\nc;faul\nlone;gut\n"}).nodes(), 5);
}

}  // namespace
}  // namespace heatfront
