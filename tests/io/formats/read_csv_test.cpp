// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "support/csv_folder.h"
#include "support/gzip.h"

namespace heatfront {
namespace {

using test::csv_error;
using test::csv_in;
namespace fs = std::filesystem;
using ClassIds = std::vector<ClassId>;
using Names = std::vector<std::string>;

TEST(Csv, RefusesLinesThatEndAsOnOldMacs) {
  EXPECT_EQ(
      csv_error({.edges = "0,1\r1,2\r"}),
      "edges.csv: its lines end in CR alone, as on old Macs; save it with Unix or Windows line endings");
  EXPECT_EQ(csv_in({.edges = "0,1\r"}).nodes(), 2);
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
  EXPECT_EQ(data.labels, (ClassIds{0, 1}));
  const std::string matrix =
      folder.write("m.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n").string();
  const Dataset joined = csv_in("edges=" + matrix + ",labels=" + labels);
  EXPECT_EQ(joined.nodes(), 3);
  EXPECT_EQ(joined.changes.one_way, 0);
  EXPECT_EQ(joined.labels, (ClassIds{0, 1, kUnknown}));
}

TEST(Csv, TellsOfTablesThatItDoesNotRead) {
  const test::TemporaryFolder folder;
  folder.write("d/edges.csv", "0,1\n");
  folder.write("d/Label.CSV", "0,a\n");
  folder.write("d/readme.txt", "mine\n");
  folder.write("d/picture.png", "");
  folder.write("d/edge.csv", "0,1\n");
  EXPECT_EQ(csv_in(folder / "d").notes,
            (Names{"Label.CSV is not read; did you mean labels.csv?", "not read: edge.csv, readme.txt"}));
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
            missing +
                "; Edges.csv is not read; did you mean edges.csv?; edges=FILE,features=FILE,labels=FILE says "
                "which table is which");
  folder.write("other/notes.csv", "0,1\n");
  EXPECT_EQ(test::error_text([&] { csv_in(folder / "other"); }).substr((folder / "other").string().size()),
            ": no table says by its header that it has the edges; not read: notes.csv (0, 1); --source and "
            "--target name the columns, or edges=FILE,features=FILE,labels=FILE says which table is which");
}

TEST(Csv, GoesByTheHeadersWhereNoFileHasAKnownName) {
  const test::TemporaryFolder folder;
  folder.write("d/links.csv", "from_account;to_account;amount;on\na;b;1,5;x\nb;c;2;x\n");
  folder.write("d/accounts.csv", "account_id;turnover;kind\na;1,5;p\nb;2;p\nc;3;q\n");
  folder.write("d/reviewed.csv", "account_id;label;on\na;bad;1.2.2024\nb;good;2.2.2024\n");
  folder.write("d/notes.txt", "mine\n");
  ASSERT_TRUE(is_csv(folder / "d"));
  const Dataset data = csv_in(folder / "d");
  EXPECT_EQ(data.graph.edges(), 2);
  EXPECT_EQ(data.class_names, (Names{"bad", "good"}));
  EXPECT_EQ(data.feature_names, (Names{"turnover", "kind=p", "kind=(other)"}));
  EXPECT_EQ(
      data.notes.front(),
      "by their headers, links.csv holds the edges, accounts.csv the features, reviewed.csv the labels");
  EXPECT_EQ(data.notes.back(), "not read: notes.txt");
  folder.write("d/more.csv", "source,target\na,b\n");
  EXPECT_EQ(test::error_text([&] { csv_in(folder / "d"); }),
            (folder / "d").string() +
                ": both links.csv and more.csv may be the edges; say which, as in "
                "edges=FILE,features=FILE,labels=FILE");
}

TEST(Csv, GoesByTheHeadersForRolesThatNoNameTakes) {
  const test::TemporaryFolder folder;
  folder.write("d/labels.csv", "doc_id,topic\np1,physics\np3,maths\n");
  folder.write("d/documents.csv", "doc_id,words,year\np1,10,1990\np2,20,1991\np3,30,1992\n");
  folder.write("d/links.csv", "from_doc,to_doc\np1,p2\np2,p3\n");
  const Dataset data = csv_in(folder / "d");
  EXPECT_EQ(data.graph.edges(), 2);
  EXPECT_EQ(data.features.cols(), 2);
  EXPECT_EQ(data.classes(), 2);
  EXPECT_EQ(data.notes.front(), "by their headers, links.csv holds the edges, documents.csv the features");
  folder.write("d/features.csv", "doc_id,words\np1,10\np2,20\np3,30\n");
  const Dataset named = csv_in(folder / "d");
  EXPECT_EQ(named.features.cols(), 1);
  EXPECT_EQ(named.notes.front(), "by its header, links.csv holds the edges");
  EXPECT_EQ(named.notes.back(), "not read: documents.csv");
}

TEST(Csv, SaysHowTablesAreFoundWhoseHeadersDoNotNameTheNode) {
  const test::TemporaryFolder folder;
  folder.write("d/links.csv", "from_doc,to_doc\np1,p2\np2,p3\n");
  folder.write("d/reviewed.csv", "paper,verdict\np1,good\np3,bad\n");
  EXPECT_EQ(
      csv_in(folder / "d").notes.back(),
      "no other table has a column called node, id or the like; --node and --label say which columns are "
      "the node and its label");
  EXPECT_EQ(csv_in(folder / "d", {.columns = {.node = "paper", .label = "verdict"}}).classes(), 2);
}

TEST(Csv, SaysHowATableOfLabelsIsToldFromOneOfFeatures) {
  const test::TemporaryFolder folder;
  folder.write("d/edges.csv", "p1,p2\n");
  folder.write("d/documents.csv", "doc_id,words,year\np1,10,1990\np2,20,1991\n");
  folder.write("d/topics.csv", "doc_id,topic\np1,physics\np2,maths\n");
  EXPECT_EQ(test::error_text([&] { csv_in(folder / "d"); }),
            (folder / "d").string() +
                ": both documents.csv and topics.csv may be the features (if topics.csv holds the labels, "
                "--label topic says so); say which, as in edges=FILE,features=FILE,labels=FILE");
  EXPECT_EQ(csv_in(folder / "d", {.columns = {.label = "topic"}}).classes(), 2);
}

TEST(Csv, TellsOfSpreadsheetsAndFoldersInThePlaceOfTables) {
  const test::TemporaryFolder folder;
  folder.write("d/features.csv", "node,a,b\nann,1,2\nbob,3,4\n");
  folder.write("d/edges.xlsx", "PK");
  EXPECT_EQ(csv_in(folder / "d").notes, Names{"edges.xlsx is not read; save it as edges.csv"});
  folder.write("d/edges.csv/part-0.csv", "ann,bob\n");
  EXPECT_EQ(csv_in(folder / "d").notes, (Names{"edges.xlsx is not read; save it as edges.csv",
                                               "edges.csv is not read: it is a folder, not a table"}));
  folder.write("only/edges.xlsx", "PK");
  EXPECT_TRUE(is_csv(folder / "only"));
}

TEST(Csv, NamesNodesThatDifferInCaseAlone) {
  EXPECT_EQ(csv_in({.edges = "Bob,ann\nann,bob\n"}).notes,
            Names{"1 pair of nodes differs only in upper and lower case: 'Bob' and 'bob'; if they are the "
                  "same, write them alike"});
}

TEST(Csv, ListsTheRolesThatThereAre) {
  const test::TemporaryFolder folder;
  const std::string edges = folder.write("links.tsv", "0\t1\n").string();
  EXPECT_TRUE(is_csv("edge=" + edges));
  EXPECT_EQ(test::error_text([&] { csv_in("edge=" + edges); }),
            "edge=: unknown role 'edge' (did you mean 'edges'?); choose from: edges, features, labels, "
            "classes, split, as in "
            "edges=FILE,labels=FILE");
  EXPECT_EQ(test::error_text([&] { csv_in("edges=" + edges + ",label=x.csv"); }).substr(0, 28),
            "label=: unknown role 'label'");
  EXPECT_EQ(csv_in(folder.write("run=3.csv", "0,1\n")).nodes(), 2) << "a file may be named so";
}

TEST(Csv, RefusesWebPagesAndPointersInThePlaceOfTables) {
  const std::string page = "\xEF\xBB\xBF\n <!DOCTYPE html>\n<a b,\n<c d,\n";
  EXPECT_EQ(csv_error({.edges = page}), "edges.csv is a web page, not the data; fetch the file itself again");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .labels = "<HTML>\n0,1\n"}),
            "labels.csv is a web page, not the data; fetch the file itself again");
  EXPECT_EQ(csv_error({.edges = "0,1\n", .classes = "<?xml version='1.0'?>\n"}),
            "classes.csv is an XML page, not the data; fetch the file itself again");
  EXPECT_EQ(csv_error({.edges = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"}),
            "edges.csv is a git-lfs pointer, which stands for the file in a repository, not the data; fetch "
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

TEST(Csv, GoesByTheColumnsGivenWhereNoHeaderIsUsual) {
  const test::TemporaryFolder folder;
  folder.write("d/links.csv", "von;nach;betrag\nK1;K2;3,5\nK2;K3;1\n");
  folder.write("d/kunden.csv", "nr;ort;umsatz\nK1;Ulm;1.234,5\nK2;Ulm;2\nK3;Bonn;7\n");
  folder.write("d/gepr.csv", "nr;status\nK1;gut\nK3;faul\n");
  EXPECT_NE(test::error_text([&] { csv_in(folder / "d"); }).find("edges=FILE,features=FILE,labels=FILE says"),
            std::string::npos);
  const Dataset data = csv_in(
      folder / "d",
      {.columns = {.source = "von", .target = "nach", .weight = "betrag", .node = "nr", .label = "status"}});
  EXPECT_EQ(data.nodes(), 3);
  EXPECT_EQ(data.class_names, (Names{"faul", "gut"}));
  EXPECT_EQ(data.weights.size(), 4u);
  EXPECT_EQ(data.table.columns.size(), 2u);
}

TEST(Csv, TakesTheLabelsOfATableOfAllNodes) {
  const test::TemporaryFolder folder;
  folder.write("d/knows.csv", "from_person,to_person\np1,p2\np2,p3\n");
  folder.write("d/people.csv", "person_id,age,label\np1,3,a\np2,4,\np3,5,b\n");
  const Dataset data = csv_in(folder / "d");
  EXPECT_EQ(data.labels, (ClassIds{0, kUnknown, 1}));
  EXPECT_EQ(data.features.cols(), 1);
  EXPECT_NE(data.notes.front().find("'label' in it is the label"), std::string::npos) << data.notes.front();
  folder.write("d/people.csv", "person_id,when,label\np1,3,a\np3,5,b\n");  // labels and nothing else
  EXPECT_FALSE(csv_in(folder / "d").features.present());
}

TEST(Csv, AsksForTheEdgesWhereATableOfAFolderSaysNothing) {
  const test::TemporaryFolder folder;
  folder.write("d/people.csv", "person_id,age\np1,3\np2,4\n");
  EXPECT_EQ(csv_in(folder / "d").nodes(), 2);  // points
  folder.write("d/who.csv", "wer,wen\np1,p2\n");
  folder.write("d/wide.csv", "a;b;c;d;e;f;g\n1;2;3;4;5;6;7\n");
  EXPECT_NE(test::error_text([&] { csv_in(folder / "d"); })
                .find("no table says by its header that it has the edges; not read: who.csv (wer, wen), "
                      "wide.csv (a, b, c, d, e, f, …); --source and --target name the columns"),
            std::string::npos);
}

}  // namespace
}  // namespace heatfront
