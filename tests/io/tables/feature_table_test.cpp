// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/csv_folder.h"

namespace heatfront {
namespace {

using test::csv_error;
using test::csv_in;
using ClassIds = std::vector<ClassId>;
using Reals = std::vector<Real>;

Reals dense_row(const Dataset& data, std::int64_t i) {
  const auto row = data.features.dense()->row(i);
  return {row.begin(), row.end()};
}

Reals sparse_row(const Dataset& data, std::int64_t i) {
  const SparseMatrix& matrix = *data.features.sparse();
  Reals row(static_cast<std::size_t>(matrix.cols));
  for (std::size_t k = 0; k < matrix.row_columns(i).size(); ++k) {
    row[static_cast<std::size_t>(matrix.row_columns(i)[k])] = matrix.row_values(i)[k];
  }
  return row;
}

TEST(CsvFeatures, AreRowsOfNumbers) {
  for (const char* text :
       {"1,0.5,2\n0,3,-4e1\n", "node,f0,f1\n0,3,-40\n1,0.5,2\n", "f0,id,f1\n0.5,1,2\n3,0,-40\n",
        "paper,0,1\n0,3,-40\n1,0.5,2\n", ",0,1\n0,3,-40\n1,0.5,2\n"}) {
    const Dataset data = csv_in({.edges = "0,1\n", .features = text});
    ASSERT_TRUE(data.features.dense()) << text;
    EXPECT_EQ(dense_row(data, 0), (Reals{3, -40})) << text;
    EXPECT_EQ(dense_row(data, 1), (Reals{0.5, 2})) << text;
  }
}

TEST(CsvFeatures, AreEntriesWhenTheHeaderSaysSoOrANodeComesBack) {
  for (const char* text : {"node,feature,value\n1,2,0.5\n0,0,3\n1,1,0\n",
                           "value,node,feature\n0.5,1,2\n3,0,0\n", "1,2,0.5\n0,0,3\n1,1,0\n"}) {
    const Dataset data = csv_in({.edges = "0,1\n1,2\n", .features = text});
    ASSERT_TRUE(data.features.sparse()) << text;
    EXPECT_EQ(data.features.entries(), 2);
    EXPECT_EQ(sparse_row(data, 0), (Reals{3, 0, 0})) << text;
    EXPECT_EQ(sparse_row(data, 1), (Reals{0, 0, 0.5})) << text;
    EXPECT_EQ(sparse_row(data, 2), (Reals{0, 0, 0})) << text;
  }
}

TEST(CsvFeatures, AreOnesWhereNoValueIsGiven) {
  const Dataset data =
      csv_in({.edges = "a,b\n", .features = "node,feature\na,red\nb,blue\na,blue\na,blue\n"});
  EXPECT_EQ(sparse_row(data, 0), (Reals{1, 2}));
  EXPECT_EQ(sparse_row(data, 1), (Reals{0, 1}));
}

TEST(CsvFeatures, MakePointsWithoutEdges) {
  const Dataset data = csv_in({.features = "x,1,2\ny,3,4\n", .labels = "y,blue\n"});
  EXPECT_EQ(data.nodes(), 2);
  EXPECT_EQ(data.graph.edges(), 0);
  EXPECT_EQ(data.labels, (ClassIds{kUnknown, 0}));
}

TEST(CsvFeatures, NameTheLineOfAMistake) {
  const auto error = [](const std::string& features) {
    return csv_error({.edges = "0,1\n", .features = features});
  };
  EXPECT_EQ(error("0,1,2\n1,1\n"), "features.csv:2: 2 columns, but line 1 has 3");
  EXPECT_EQ(error("node,a,b\n0,1,2,3\n1,1,2\n"), "features.csv:2: 4 columns, but line 1 has 3");
  EXPECT_EQ(error("0,1\n1,2\n\n0,3\n"),
            "features.csv:4: node '0' again, line 1 has it already with other values; give it one row, or "
            "the header "
            "node,feature,value");
  EXPECT_EQ(error("0,1\n1,x\n0,3\n").substr(0, 15), "features.csv:3:");
  EXPECT_EQ(error("node,a\n0,1\n1,2\n2,3\n3,4\n4,5\n5,6\n6,7\n7,8\n8,x\n9,9\n"),
            "features.csv:10: feature value 'x' in column 'a' is not a number like 0.5, as the others are; "
            "leave the "
            "cell empty where it is not known");
  EXPECT_EQ(error("0,1,2\n1,-inf,2\n"),
            "features.csv:2: feature value -inf; every value must be a finite number");
  EXPECT_EQ(error("0\n1\n"),
            "features.csv:1: one column; a node and its features are expected, separated by commas, "
            "semicolons, tabs or blanks");
  EXPECT_EQ(error("0,1\n,2\n"), "features.csv:2: no node; every row of features begins with one");
  EXPECT_EQ(error("node,feature,value\n0,-1,2\n"),
            "features.csv:2: feature -1 is out of range; indices are 0 to 100000000");
  EXPECT_EQ(error("node,feature\n0,5\n1,4000000000\n"),
            "features.csv:3: feature 4000000000 is out of range; indices are 0 to 100000000");
  EXPECT_EQ(error("node,feature\n0,\n"), "features.csv:2: no feature; node,feature,value is expected");
  EXPECT_EQ(error("feature,value\n0,1\n"),
            "features.csv:1: the header has no node; node,feature,value is expected");
}

}  // namespace
}  // namespace heatfront
