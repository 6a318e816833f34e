// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "support/csv_folder.h"

namespace heatfront {
namespace {

using test::csv_error;
using test::csv_in;
using test::CsvFolder;
using test::notes_of;
using ClassIds = std::vector<ClassId>;
using Names = std::vector<std::string>;

TEST(CsvEdges, AreTheSameWithAndWithoutHeaderAndInAnyOrderOfColumns) {
  const std::string plain = fingerprint(csv_in({.edges = "0,1,0.5\n1,2,2\n"})).graph;
  for (const char* text :
       {"source,target,weight\n0,1,0.5\n1,2,2\n", "Weight;to;from\n0.5;1;0\n2;2;1\n",
        "# a comment\nu v w\n0 1 0.5\n1 2 2\n", "here\tthere\tclose\r\n0\t1\t0.5\r\n1\t2\t2\r\n",
        "\"id_1\",\"id_2\",\"weight\"\n\"0\",\"1\",\"0.5\"\n1,2,2\n"}) {
    EXPECT_EQ(fingerprint(csv_in({.edges = text})).graph, plain) << text;
  }
}

TEST(CsvEdges, DeclareNodesThatStandAlone) {
  for (const char* text : {"0,1\n2\n3,\n", "2\n0,1\n3\n", "source,target\n3,\n0,1\n2\n", "0,1,1\n2,,\n3\n"}) {
    const Dataset data = csv_in({.edges = text});
    EXPECT_EQ(data.nodes(), 4) << text;
    EXPECT_EQ(data.graph.edges(), 1) << text;
    EXPECT_TRUE(data.node_names.empty()) << text;
  }
}

TEST(CsvEdges, TellOfNodesThatStandAlone) {
  EXPECT_EQ(test::notes_of({.edges = "0,1\n9\n7\n"}),
            (std::vector<std::string>{"edges.csv: 2 rows have a node and no edge, the first of '9'"}));
}

TEST(CsvEdges, HaveAHeaderWhereTwoCellsNameTheirEnds) {
  EXPECT_EQ(csv_in({.edges = "from_account,to_account\na,b\n"}).nodes(), 2);
  EXPECT_EQ(csv_in({.edges = "from here,to there\na,b\n"}).nodes(), 4);
}

TEST(CsvEdges, WithIntegersComeInTheirOrderAndKeepTheirNames) {
  const Dataset data = csv_in({.edges = "30,7\n7,100\n"});
  EXPECT_EQ(data.node_names, (Names{"7", "30", "100"}));
  EXPECT_EQ(data.graph.degree(0), 2);
}

TEST(CsvEdges, WithTextComeInOrderOfAppearance) {
  const Dataset data = csv_in({.edges = "zoe,5\n5,\"Smith, A.\"\n"});
  EXPECT_EQ(data.node_names, (Names{"zoe", "5", "Smith, A."}));
  EXPECT_EQ(data.labels, (ClassIds{kUnknown, kUnknown, kUnknown}));
  EXPECT_EQ(data.classes(), 0);
}

TEST(CsvEdges, IgnoreColumnsOfOtherNamesAndSaySo) {
  EXPECT_EQ(notes_of({.edges = "year,source,,target\n1999,0,x,1\n"}),
            (Names{"edges.csv: columns not used: year, (unnamed)"}));
}

TEST(CsvEdges, AreNotNodesAloneWhereTheFirstRowHasAnotherSeparator) {
  constexpr std::string_view kExpected =
      " is one cell; source,target is expected, separated by commas, semicolons, tabs or blanks, the same in "
      "all rows";
  for (const std::string first : {"source,target", "a|b"}) {
    EXPECT_EQ(csv_error({.edges = first + "\na;b\nb;c\n"}),
              fmt::format("edges.csv:1: '{}'{}", first, kExpected));
  }
  EXPECT_EQ(csv_error({.edges = "source|target\na|b\n"}),
            fmt::format("edges.csv:1: 'source|target'{}", kExpected));
  EXPECT_EQ(csv_in({.edges = "a\nb,c\n"}).nodes(), 3);
}

TEST(CsvEdges, CountOneWayEdgesAndRefuseThemWhenAskedTo) {
  const CsvFolder folder({.edges = "0,1\n1,0\n1,2\n"});
  EXPECT_EQ(csv_in(folder.path()).changes.one_way, 1);
  EXPECT_NE(test::error_text([&] { csv_in(folder.path(), {.refuse_one_way = true}); }), "");
}

TEST(Csv, SaysThatAFirstRowMayHaveBeenMeantAsHeader) {
  EXPECT_EQ(
      notes_of({.edges = "wer,wem\nann,bob\nbob,cid\n"}),
      Names{"edges.csv: the first row is read as an edge from 'wer' to 'wem', which no other row has; if "
            "it is a header, it must say source,target"});
  EXPECT_EQ(notes_of({.edges = "ann,bob\nbob,cid\n"}), Names{});
  EXPECT_EQ(notes_of({.edges = "1,2\n3,4\n"}), Names{});
  EXPECT_EQ(csv_error({.edges = "wer,wem,date\nann,bob,monday\n"}),
            "2 problems in the tables:\n"
            "  edges.csv:1: weight 'date' is not a number like 0.5; if this is a header, it must say "
            "source,target\n"
            "  edges.csv:2: weight 'monday' is not a number like 0.5");
  EXPECT_EQ(notes_of({.edges = "wer,wem,date\nann,bob,2024-01-31\n"}),
            Names{"edges.csv: columns not used: date"});
  EXPECT_EQ(notes_of({.edges = "ann,bob\n", .labels = "customer,state\nann,x\nbob,y\n"}),
            Names{"labels.csv: the first row is taken for a header: no node is called 'customer'"});
}

TEST(CsvEdges, AreFoundByWordsInTheHeaderOrByTheNamesGiven) {
  const std::string text = "date;from_account;to_account;amount\n1.2.2024;a;b;1.200,5\n2.2.2024;b;c;3\n";
  EXPECT_EQ(notes_of({.edges = text}), (Names{"edges.csv: edges go from 'from_account' to 'to_account'",
                                              "edges.csv: columns not used: date, amount"}));
  const CsvFolder folder({.edges = text});
  const Dataset data = csv_in(
      folder.path(),
      {.columns = {
           .source = "to_account", .target = "From Account", .weight = "amount", .ignored = {"date"}}});
  EXPECT_EQ(data.node_names, (Names{"b", "a", "c"}));
  EXPECT_EQ(data.weights[0], Real(1200.5));
  ASSERT_EQ(data.notes.size(), 1u);
  EXPECT_EQ(test::error_text([&] { csv_in(folder.path(), {.columns = {.weight = "amuont"}}); }).substr(0, 68),
            "--weight amuont: no table has such a column (did you mean 'amount'?)");
}

TEST(Csv, SaysWhichColumnOfAnotherNameIsTakenAsTheWeight) {
  EXPECT_EQ(
      notes_of({.edges = "wer,wem,txn_id\nann,bob,5000\nbob,cid,5001\n"}),
      Names{"edges.csv: 'txn_id' is taken as the weight; with the header source,target,txn_id it is not "
            "used"});
  EXPECT_EQ(notes_of({.edges = "wer,wem,weight\nann,bob,5000\nbob,cid,5001\n"}), Names{});
}

TEST(Csv, RefusesLabelsInThePlaceOfEdges) {
  EXPECT_NE(csv_error({.edges = "node,label\nann,x\nbob,y\n"})
                .find("edges.csv:1: the header names nodes and labels; edges have source,target, and labels"),
            std::string::npos);
}

TEST(Csv, RefusesFeaturesInThePlaceOfEdges) {
  const std::string advice =
      "edges.csv:1: this is a table of features (its first column is 'node'); write features=edges.csv";
  for (const char* table : {"node,tennis evenings,chess evenings\nann,1,2\nbob,3,4\n",
                            "node,city,job\nann,Ulm,cook\nbob,Bonn,cook\n", "node,age\nann,34\nbob,41\n"})
    EXPECT_EQ(csv_error({.edges = table}), advice) << table;
  EXPECT_EQ(csv_in({.edges = "node,neighbour\nann,bob\nbob,cid\n"}).graph.edges(), 3);
  EXPECT_EQ(csv_in({.edges = "id,other,weight\n1,2,0.5\n2,3,1\n"}).graph.edges(), 2);
}

TEST(CsvEdges, NameTheLineOfAMistake) {
  EXPECT_EQ(csv_error({.edges = "0,1\n1,2,3\n"}), "edges.csv:2: 3 columns, but line 1 has 2");
  EXPECT_EQ(csv_error({.edges = "0,1,1\n1,2\n"}), "edges.csv:2: 2 columns, but line 1 has 3");
  EXPECT_EQ(csv_error({.edges = "0,1,1,1\n"}),
            "edges.csv:1: 4 columns; source,target[,weight] is expected, or a header that says which are");
  EXPECT_EQ(
      csv_error({.edges = "a,b,c,d\n0,1,1,1\n"}),
      "edges.csv:1: the header does not say which columns are source and target; --source and --target name "
      "them, choose from: a, b, c, d");
  EXPECT_EQ(
      csv_error({.edges = ",0,1\n0,4,5\n"}),
      "edges.csv:1: the header does not say which columns are source and target; --source and --target name "
      "them, choose from: (unnamed), 0, 1");
  EXPECT_EQ(csv_error({.edges = "0,1\n,2\n"}),
            "edges.csv:2: no source; source,target or a node alone is expected");
  EXPECT_EQ(csv_error({.edges = "0,1,1\n0,,2\n"}), "edges.csv:2: a weight, but no target");
  EXPECT_EQ(csv_error({.edges = "0,1,1\n1,2,x\n"}), "edges.csv:2: weight 'x' is not a number like 0.5");
  for (const char* weight : {"-1", "nan", "inf", "1e999"}) {
    EXPECT_EQ(csv_error({.edges = "0,1,1\n1,2," + std::string(weight) + "\n"}),
              "edges.csv:2: weight " + std::string(weight) +
                  " cannot be used; weights must be finite and 0 or more");
  }
  EXPECT_EQ(csv_error({.edges = "0,1,1\n0,1,x\n1,2,-1\n\n,2,1\n"}),
            "3 problems in the tables:\n"
            "  edges.csv:2: weight 'x' is not a number like 0.5\n"
            "  edges.csv:3: weight -1 cannot be used; weights must be finite and 0 or more\n"
            "  edges.csv:5: no source; source,target or a node alone is expected");
  EXPECT_EQ(csv_error({.edges = "# nothing\n"}), "edges.csv: no rows; the table is empty");
}

TEST(CsvEdges, HaveAHeaderWhereNobodyKnowsTheFirstTwoWords) {
  const std::string edges = "mag,kennt\na,b\nb,c\n";
  EXPECT_EQ(csv_in({.edges = edges, .labels = "node,label\na,x\nc,y\n"}).nodes(), 3);
  EXPECT_EQ(csv_in({.edges = edges, .labels = "node,label\na,x\nmag,y\n"}).nodes(), 5);
  EXPECT_EQ(csv_in({.edges = edges}).nodes(), 5);  // they may be nodes as well as any
}

}  // namespace
}  // namespace heatfront
