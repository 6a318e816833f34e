// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "heatfront/data/readers.h"
#include "support/error_text.h"
#include "support/gzip.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;
using Labels = std::vector<ClassId>;
using Reals = std::vector<Real>;
using Ids = std::vector<NodeId>;

Dataset csv_in(const fs::path& path, const ReadOptions& options = {}) {
  Threads threads(2);
  return read_csv(path, options, threads);
}

struct Files {
  std::string edges, features, labels, classes, split;
};

// A folder d with the files that are not empty.
class CsvFolder {
 public:
  explicit CsvFolder(const Files& files) {
    const auto put = [&](std::string_view name, std::string_view text) {
      if (!text.empty()) folder_.write("d/" + std::string(name), text);
    };
    put("edges.csv", files.edges);
    put("features.csv", files.features);
    put("labels.csv", files.labels);
    put("classes.csv", files.classes);
    put("split.csv", files.split);
  }
  fs::path path() const { return folder_ / "d"; }

 private:
  test::TemporaryFolder folder_;
};

Dataset csv_in(const Files& files) { return csv_in(CsvFolder(files).path()); }

// Without the path before the file's name.
std::string csv_error(const Files& files) {
  const CsvFolder folder(files);
  const std::string text = test::error_text([&] { csv_in(folder.path()); });
  const std::string path = folder.path().string() + "/";
  return text.starts_with(path) ? text.substr(path.size()) : text;
}

Names notes_of(const Files& files) {
  const CsvFolder folder(files);
  Names notes = csv_in(folder.path()).notes;
  for (std::string& note : notes) note = note.substr(folder.path().string().size() + 1);
  return notes;
}

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

TEST(CsvEdges, WithIntegersComeInTheirOrderAndKeepTheirNames) {
  const Dataset data = csv_in({.edges = "30,7\n7,100\n"});
  EXPECT_EQ(data.node_names, (Names{"7", "30", "100"}));
  EXPECT_EQ(data.graph.degree(0), 2);
}

TEST(CsvEdges, WithTextComeInOrderOfAppearance) {
  const Dataset data = csv_in({.edges = "zoe,5\n5,\"Smith, A.\"\n"});
  EXPECT_EQ(data.node_names, (Names{"zoe", "5", "Smith, A."}));
  EXPECT_EQ(data.labels, (Labels{kUnknown, kUnknown, kUnknown}));
  EXPECT_EQ(data.classes(), 0);
}

TEST(CsvEdges, IgnoreColumnsOfOtherNamesAndSaySo) {
  EXPECT_EQ(notes_of({.edges = "year,source,,target\n1999,0,x,1\n"}),
            (Names{"edges.csv: columns not used: year, (unnamed)"}));
}

TEST(CsvEdges, CountOneWayEdgesAndRefuseThemWhenAskedTo) {
  const CsvFolder folder({.edges = "0,1\n1,0\n1,2\n"});
  EXPECT_EQ(csv_in(folder.path()).changes.one_way, 1);
  EXPECT_NE(test::error_text([&] { csv_in(folder.path(), {.refuse_one_way = true}); }), "");
}

TEST(Csv, SaysThatAFirstRowMayHaveBeenMeantAsHeader) {
  EXPECT_EQ(
      notes_of({.edges = "payer,payee\nann,bob\nbob,cid\n"}),
      Names{"edges.csv: the first row is read as an edge from 'payer' to 'payee', which no other row has; if "
            "it is a header, it must say source,target"});
  EXPECT_EQ(notes_of({.edges = "ann,bob\nbob,cid\n"}), Names{});
  EXPECT_EQ(notes_of({.edges = "1,2\n3,4\n"}), Names{});
  EXPECT_EQ(
      csv_error({.edges = "payer,payee,date\nann,bob,monday\n"}),
      "edges.csv:1: weight 'date' is not a number like 0.5; if this is a header, it must say source,target");
  EXPECT_EQ(
      csv_error({.edges = "ann,bob\n", .labels = "customer,state\nann,x\n"}),
      "labels.csv:1: label without node: 'customer' is in neither edges nor features; if this is a header, "
      "it must say node,label");
}

TEST(Csv, SaysWhichColumnOfAnotherNameIsTakenAsTheWeight) {
  EXPECT_EQ(
      notes_of({.edges = "payer,payee,txn_id\nann,bob,5000\nbob,cid,5001\n"}),
      Names{"edges.csv: 'txn_id' is taken as the weight; with the header source,target,txn_id it is not "
            "used"});
  EXPECT_EQ(notes_of({.edges = "payer,payee,weight\nann,bob,5000\nbob,cid,5001\n"}), Names{});
}

TEST(Csv, RefusesLinesThatEndAsOnOldMacs) {
  EXPECT_EQ(
      csv_error({.edges = "0,1\r1,2\r"}),
      "edges.csv: its lines end in CR alone, as on old Macs; save it with line ends of Unix or Windows");
  EXPECT_EQ(csv_in({.edges = "0,1\r"}).nodes(), 2);
}

TEST(Csv, RefusesLabelsInThePlaceOfEdges) {
  EXPECT_NE(csv_error({.edges = "node,label\nann,x\nbob,y\n"})
                .find("edges.csv:1: the header names nodes and labels; edges have source,target, and labels"),
            std::string::npos);
}

TEST(CsvEdges, NameTheLineOfAMistake) {
  EXPECT_EQ(csv_error({.edges = "0,1\n1,2,3\n"}), "edges.csv:2: 3 columns, but line 1 has 2");
  EXPECT_EQ(csv_error({.edges = "0,1,1\n1,2\n"}), "edges.csv:2: 2 columns, but line 1 has 3");
  EXPECT_EQ(csv_error({.edges = "0,1,1,1\n"}),
            "edges.csv:1: 4 columns; source,target[,weight] is expected, or a header that says which are");
  EXPECT_EQ(csv_error({.edges = "a,b,c,d\n0,1,1,1\n"}),
            "edges.csv:1: the header does not say which columns are source and target");
  EXPECT_EQ(csv_error({.edges = ",0,1\n0,4,5\n"}),
            "edges.csv:1: the header does not say which columns are source and target");
  EXPECT_EQ(csv_error({.edges = "0,1\n,2\n"}),
            "edges.csv:2: no source; source,target or a node alone is expected");
  EXPECT_EQ(csv_error({.edges = "0,1,1\n0,,2\n"}), "edges.csv:2: a weight, but no target");
  EXPECT_EQ(csv_error({.edges = "0,1,1\n1,2,x\n"}), "edges.csv:2: weight 'x' is not a number like 0.5");
  for (const char* weight : {"-1", "nan", "inf", "1e999"}) {
    EXPECT_EQ(csv_error({.edges = "0,1,1\n1,2," + std::string(weight) + "\n"}),
              "edges.csv:2: weight " + std::string(weight) +
                  " cannot be used; weights must be finite and 0 or more");
  }
  EXPECT_EQ(csv_error({.edges = "# nothing\n"}), "edges.csv: no rows; the table is empty");
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
  EXPECT_EQ(data.labels, (Labels{kUnknown, 0}));
}

TEST(CsvFeatures, NameTheLineOfAMistake) {
  const auto error = [](const std::string& features) {
    return csv_error({.edges = "0,1\n", .features = features});
  };
  EXPECT_EQ(error("0,1,2\n1,1\n"), "features.csv:2: 2 columns, but line 1 has 3");
  EXPECT_EQ(error("node,a,b\n0,1,2,3\n1,1,2\n"), "features.csv:2: 4 columns, but line 1 has 3");
  EXPECT_EQ(error("0,1\n1,2\n\n0,1\n"),
            "features.csv:4: node '0' again, line 1 has it already; give it one row, or the header "
            "node,feature,value");
  EXPECT_EQ(error("0,1\n"),
            "features.csv: 1 of 2 nodes has no row, the first is '1'; give every node of the edges a row");
  EXPECT_EQ(error("0,1\n1,x\n0,3\n").substr(0, 15), "features.csv:3:");
  EXPECT_EQ(error("0,1,2\n1,x,2\n"),
            "features.csv:2: feature value 'x' is not a number like 0.5; every cell must be one");
  EXPECT_EQ(error("0,1,2\n1,nan,2\n"),
            "features.csv:2: feature value nan; every value must be a finite number");
  EXPECT_EQ(error("0,1,2\n1,-inf,2\n"),
            "features.csv:2: feature value -inf; every value must be a finite number");
  EXPECT_EQ(error("0\n1\n"), "features.csv:1: one column; a node and its features are expected");
  EXPECT_EQ(error("0,1\n,2\n"), "features.csv:2: no node; every row of features begins with one");
  EXPECT_EQ(error("node,feature,value\n0,-1,2\n"),
            "features.csv:2: feature -1 cannot be; indices are 0 to 100000000");
  EXPECT_EQ(error("node,feature\n0,5\n1,4000000000\n"),
            "features.csv:3: feature 4000000000 cannot be; indices are 0 to 100000000");
  EXPECT_EQ(error("node,feature\n0,\n"), "features.csv:2: no feature; node,feature,value is expected");
  EXPECT_EQ(error("feature,value\n0,1\n"),
            "features.csv:1: the header has no node; node,feature,value is expected");
}

TEST(CsvLabels, AreClassesByNumberOrByName) {
  const Dataset numbers = csv_in({.edges = "0,1\n1,2\n", .labels = "0,10\n2,9\n1,10\n"});
  EXPECT_EQ(numbers.class_names, (Names{"9", "10"}));
  EXPECT_EQ(numbers.labels, (Labels{1, 1, 0}));
  const Dataset names = csv_in({.edges = "0,1\n1,2\n", .labels = "class,node\n9,0\n10,1\nx,2\n"});
  EXPECT_EQ(names.class_names, (Names{"10", "9", "x"}));
  EXPECT_EQ(names.labels, (Labels{1, 0, 2}));
}

TEST(CsvLabels, MayBeUnknown) {
  const Files files{.edges = "0,1\n1,2\n2,3\n3,4\n", .labels = "0,?\n1,3\n2,\n3,-1\n"};
  EXPECT_EQ(csv_in(files).labels, (Labels{kUnknown, 0, kUnknown, kUnknown, kUnknown}));
  EXPECT_EQ(notes_of(files), (Names{"labels.csv: label -1 stands for unknown (rows: 1)"}));
}

TEST(CsvLabels, FollowTheListOfClasses) {
  const Dataset data = csv_in({.edges = "0,1\n", .labels = "0,a b\n1,c\n", .classes = "class\nz\nc\na b\n"});
  EXPECT_EQ(data.class_names, (Names{"z", "c", "a b"}));
  EXPECT_EQ(data.labels, (Labels{2, 1}));
  EXPECT_EQ(csv_error({.edges = "0,1\n", .labels = "0,a\n1,c\n", .classes = "a\nb\n"}),
            "labels.csv:2: 'c' is not a class; there are: a, b");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .labels = "0,a\n", .classes = "a\na\n"}),
            "classes.csv:2: class 'a' again, line 1 has it already");
}

TEST(CsvLabels, NameTheLineOfAMistake) {
  const auto error = [](const std::string& labels) {
    return csv_error({.edges = "0,1\n", .labels = labels});
  };
  EXPECT_EQ(error("0,a\n7,b\n"), "labels.csv:2: label without node: '7' is in neither edges nor features");
  EXPECT_EQ(error("0,a\n1,a\n0,b\n"),
            "labels.csv:3: node '0' again with another label, line 1 has it already; give it once");
  EXPECT_EQ(error("0,a\n1,a\n0,a\n"), "");
  EXPECT_EQ(error("0\n1\n"), "labels.csv:1: one column; node,label is expected");
  EXPECT_EQ(error("0,a,b\n1,a,b\n"),
            "labels.csv:1: 3 columns; node,label is expected, or a header that says which are");
  EXPECT_EQ(error("id,x,y2\n0,a,b\n"),
            "labels.csv:1: 3 columns, and the header does not say which are node,label");
  EXPECT_EQ(error("0,a\n1\n"), "labels.csv:2: 1 column, but line 1 has 2");
}

TEST(CsvLabels, TakeTheColumnOfIdsBeforeThatOfNames) {
  EXPECT_EQ(csv_in({.edges = "0,1\n", .labels = "name,id,label\nann,1,x\nbob,0,y\n"}).labels, (Labels{1, 0}));
}

TEST(CsvLabels, StayOnOneLineInMessages) {
  Files files{.edges = "0,1\n", .labels = "0,a\n\"x\ny"};
  files.labels.append(100, 'z').append("\",b\n");
  std::string expected = "labels.csv:2: label without node: 'x y";
  expected.append(57, 'z').append("…' is in neither edges nor features");
  EXPECT_EQ(csv_error(files), expected);
}

TEST(CsvSplit, PutsNodesIntoParts) {
  const Files files{.edges = "0,1\n1,2\n2,3\n", .split = "node,part\n3,test\n2,train\n0,train\n1,val\n"};
  const Dataset data = csv_in(files);
  ASSERT_TRUE(data.split);
  EXPECT_EQ(data.split->name, "file");
  EXPECT_EQ(data.split->train, (Ids{0, 2}));
  EXPECT_EQ(data.split->validation, (Ids{1}));
  EXPECT_EQ(data.split->test, (Ids{3}));
  EXPECT_EQ(csv_error({.edges = "0,1\n", .split = "0,train\n1,tent\n"}),
            "split.csv:2: part 'tent'; there are: train, validation, test");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .split = "0,train\n0,test\n"}),
            "split.csv:2: node '0' again with another part, line 1 has it already; give it once");
}

TEST(Csv, FindsItsFiles) {
  const test::TemporaryFolder folder;
  folder.write("d/edges.tsv.gz", test::gzipped("0\t1\n"));
  folder.write("d/labels.txt", "0 x\n1 y\n");
  folder.write("d/README.md", "hello");
  EXPECT_TRUE(is_csv(folder / "d"));
  EXPECT_TRUE(is_csv(folder / "d/edges.tsv.gz"));
  EXPECT_FALSE(is_csv(folder.path()));
  EXPECT_FALSE(is_csv(folder / "d/README.md"));
  const Dataset data = csv_in(folder / "d/");
  EXPECT_EQ(data.name, "d");
  EXPECT_EQ(data.class_names, (Names{"x", "y"}));
  EXPECT_EQ(csv_in(folder / "d/edges.tsv.gz").name, "edges");
  folder.write("d/edges.csv", "0,1\n");
  EXPECT_EQ(test::error_text([&] { csv_in(folder / "d"); }),
            (folder / "d").string() + ": edges.csv and edges.tsv.gz both hold edges; keep one of them");
}

TEST(Csv, TakesFilesFromAnywhere) {
  const test::TemporaryFolder folder;
  const std::string edges = folder.write("a/x,1.txt", "0 1\n").string();
  const std::string labels = folder.write("b/y.csv", "0,p\n1,q\n").string();
  const fs::path listed = "labels=" + labels + ",edges=" + edges;
  EXPECT_TRUE(is_csv(listed));
  const Dataset data = csv_in(listed);
  EXPECT_EQ(data.name, "x,1");
  EXPECT_EQ(data.labels, (Labels{0, 1}));
  const std::string matrix =
      folder.write("m.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n").string();
  const Dataset joined = csv_in("edges=" + matrix + ",labels=" + labels);
  EXPECT_EQ(joined.nodes(), 3);
  EXPECT_EQ(joined.changes.one_way, 0);
  EXPECT_EQ(joined.labels, (Labels{0, 1, kUnknown}));
}

TEST(Csv, TellsOfTablesThatItDoesNotRead) {
  const test::TemporaryFolder folder;
  folder.write("d/edges.csv", "0,1\n");
  folder.write("d/Label.CSV", "0,a\n");
  folder.write("d/readme.txt", "mine\n");
  folder.write("d/picture.png", "");
  folder.write("d/edge.csv", "0,1\n");
  EXPECT_EQ(csv_in(folder / "d").notes,
            (Names{"Label.CSV is not read; is labels.csv meant?", "not read: edge.csv, readme.txt"}));
  folder.write("many/edges.csv", "0,1\n");
  for (const char* name : {"1", "2", "3", "4", "5", "6"})
    folder.write(std::string("many/") + name + ".tsv", "");
  EXPECT_EQ(csv_in(folder / "many").notes, Names{"not read: 1.tsv, 2.tsv, 3.tsv, 4.tsv, 5.tsv, …"});
}

TEST(Csv, SaysWhichFileAFolderMisses) {
  const test::TemporaryFolder folder;
  folder.write("d/labels.csv", "0,a\n");
  EXPECT_TRUE(is_csv(folder / "d"));
  const std::string missing = (folder / "d").string() +
                              ": neither edges nor features; edges.csv or features.csv is missing, one of "
                              "them is needed";
  EXPECT_EQ(test::error_text([&] { csv_in(folder / "d"); }), missing);
  folder.write("d/Edges.csv", "0,1\n");
  EXPECT_EQ(test::error_text([&] { csv_in(folder / "d"); }),
            missing + "; Edges.csv is not read; is edges.csv meant?");
  folder.write("other/notes.csv", "0,1\n");
  EXPECT_FALSE(is_csv(folder / "other"));
}

TEST(Csv, ListsTheRolesThatThereAre) {
  const test::TemporaryFolder folder;
  const std::string edges = folder.write("links.tsv", "0\t1\n").string();
  EXPECT_TRUE(is_csv("edge=" + edges));
  EXPECT_EQ(test::error_text([&] { csv_in("edge=" + edges); }),
            "edge=: unknown role 'edge'; there are: edges, features, labels, classes, split, as in "
            "edges=FILE,labels=FILE");
  EXPECT_EQ(test::error_text([&] { csv_in("edges=" + edges + ",label=x.csv"); }).substr(0, 29),
            "label=: unknown role 'label';");
  EXPECT_EQ(csv_in(folder.write("run=3.csv", "0,1\n")).nodes(), 2) << "a file may be named so";
}

TEST(Csv, RefusesWebPagesAndPointersInThePlaceOfTables) {
  const std::string page = "\xEF\xBB\xBF\n <!DOCTYPE html>\n<a b,\n<c d,\n";
  EXPECT_EQ(csv_error({.edges = page}),
            "edges.csv: is a web page, not the data; fetch the file itself again");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .labels = "<HTML>\n0,1\n"}),
            "labels.csv: is a web page, not the data; fetch the file itself again");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .classes = "<?xml version='1.0'?>\n"}),
            "classes.csv: is an XML page, not the data; fetch the file itself again");
  EXPECT_EQ(csv_error({.edges = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"}),
            "edges.csv: is a git-lfs pointer, which stands for the file in a repository, not the data; fetch "
            "the file itself again");
  EXPECT_EQ(csv_error({.edges = "version,html\n"}), "") << "nodes may be named so";
}

TEST(Csv, SaysWhatIsMissing) {
  EXPECT_NE(test::error_text([] { csv_in("labels=x.csv"); }).find("neither edges nor features"),
            std::string::npos);
  EXPECT_EQ(test::error_text([] { csv_in("edges=,labels=x.csv"); }),
            "edges=: no file given; edges=PATH is expected");
  EXPECT_EQ(test::error_text([] { csv_in("edges=nowhere.csv"); }), "nowhere.csv: no such file");
  const test::TemporaryFolder folder;
  const fs::path empty = folder.write("edges.csv", "");
  EXPECT_EQ(test::error_text([&] { csv_in(empty); }), empty.string() + ": the file is empty");
}

}  // namespace
}  // namespace heatfront
