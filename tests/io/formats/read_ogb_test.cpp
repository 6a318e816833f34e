// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/gzip.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<NodeId>;
using Labels = std::vector<ClassId>;

Dataset ogb_in(const fs::path& path) {
  Threads threads(2);
  return read_ogb(path, {}, threads);
}

// ogbn_tiny/: four nodes, three edges; a test spoils a file of it.
class OgbFolder {
 public:
  OgbFolder() {
    put("raw/edge.csv", "0,1\n1,2\n0,2\n");
    put("raw/num-node-list.csv", "4\n");
    put("raw/num-edge-list.csv", "3\n");
    put("raw/node-feat.csv", "0.5,1\n1,2\n-3,0\n0,0\n");
    put("raw/node-label.csv", "2\nnan\n0\n2.0\n");
    put("split/time/train.csv", "3\n0\n");
    put("split/time/valid.csv", "1\n");
    put("split/time/test.csv", "2\n");
  }
  fs::path path() const { return folder_ / "ogbn_tiny"; }
  void put(const std::string& name, const std::string& text) const {
    folder_.write("ogbn_tiny/" + name + ".gz", test::gzipped(text));
  }
  std::string error_with(const std::string& name, const std::string& text) const {
    put(name, text);
    const std::string error = test::error_text([&] { ogb_in(path()); });
    return error.substr(std::min(error.size(), path().string().size() + 1));
  }

 private:
  test::TemporaryFolder folder_;
};

TEST(Ogb, ReadsAFolder) {
  const OgbFolder folder;
  EXPECT_TRUE(is_ogb(folder.path()));
  const Dataset data = ogb_in(folder.path());
  EXPECT_EQ(data.name, "ogbn_tiny");
  EXPECT_EQ(data.nodes(), 4);
  EXPECT_EQ(data.graph.edges(), 3);
  EXPECT_EQ(data.labels, (Labels{2, kUnknown, 0, 2}));
  EXPECT_EQ(data.classes(), 3);
  EXPECT_EQ((*data.features.dense())(2, 0), -3);
  EXPECT_EQ(data.split->name, "time");
  EXPECT_EQ(data.split->train, (Ids{0, 3}));
  EXPECT_EQ(data.split->validation, (Ids{1}));
  EXPECT_TRUE(data.notes.empty());
}

TEST(Ogb, ReadsTheRawFolderTheSame) {
  const OgbFolder folder;
  const Dataset data = ogb_in(folder.path() / "raw/");
  EXPECT_EQ(data.name, "ogbn_tiny");
  EXPECT_EQ(fingerprint(data).whole(), fingerprint(ogb_in(folder.path())).whole());
}

TEST(Ogb, TakesTheFirstOfSeveralSplitsAndSaysSo) {
  const OgbFolder folder;
  for (const char* part : {"train", "valid", "test"})
    folder.put(std::string("split/sales/") + part + ".csv", "0\n");
  folder.put("split/sales/valid.csv", "1\n");
  folder.put("split/sales/test.csv", "2\n");
  folder.put("raw/edge-feat.csv", "1\n1\n1\n");
  const Dataset data = ogb_in(folder.path());
  EXPECT_EQ(data.split->name, "sales");
  EXPECT_EQ(data.notes,
            (std::vector<std::string>{
                (folder.path() / "split").string() + ": of the splits sales, time the first was taken",
                (folder.path() / "raw/edge-feat.csv.gz").string() + ": not used"}));
}

TEST(Ogb, CountsNodesByTheirFeaturesWhereNoListSaysHowMany) {
  const OgbFolder folder;
  fs::remove(folder.path() / "raw/num-node-list.csv.gz");
  EXPECT_EQ(ogb_in(folder.path()).nodes(), 4);
  EXPECT_EQ(folder.error_with("raw/node-feat.csv", "# none\n"),
            "raw/node-feat.csv.gz: no rows; one a node is needed");
}

TEST(Ogb, NamesFileAndLineOfAMistake) {
  const auto error = [](const std::string& name, const std::string& text) {
    return OgbFolder().error_with(name, text);
  };
  EXPECT_EQ(error("raw/edge.csv", "0,1\n1,4\n"), "raw/edge.csv.gz:2: node '4'; nodes are 0 to 3");
  EXPECT_EQ(error("raw/edge.csv", "0,1\n1,-1\n"), "raw/edge.csv.gz:2: node '-1'; nodes are 0 to 3");
  EXPECT_EQ(error("raw/edge.csv", "0,1,2\n"), "raw/edge.csv.gz:1: 3 columns; source,target is expected");
  EXPECT_EQ(error("raw/num-node-list.csv", "4\n5\n"),
            "raw/num-node-list.csv.gz:2: a second graph; only folders of one graph can be read");
  EXPECT_EQ(error("raw/num-node-list.csv", "x\n"),
            "raw/num-node-list.csv.gz:1: the number of nodes is expected");
  EXPECT_EQ(error("raw/num-node-list.csv", "2000000000\n"),
            "raw/edge.csv.gz: 2000000000 nodes, but 3 arcs; so few cannot be meant to join so many");
  EXPECT_EQ(error("raw/node-feat.csv", "1,2\n1,2\n1\n1,2\n"),
            "raw/node-feat.csv.gz:3: 1 column, but line 1 has 2");
  EXPECT_EQ(error("raw/node-feat.csv", "1,2\n1,2\n"),
            "raw/node-feat.csv.gz: 2 rows, but there are 4 nodes; one row a node is needed");
  EXPECT_EQ(error("raw/node-feat.csv", "1\n1\nnan\n1\n"),
            "raw/node-feat.csv.gz:3: feature value nan; every value must be a finite number");
  EXPECT_EQ(error("raw/node-label.csv", "0,1\n0,1\n0,1\n0,1\n"),
            "raw/node-label.csv.gz:1: 2 columns; labels of one task are expected, one per node");
  for (const char* label : {"1.5", "-2", "100000", "x", "inf"}) {
    EXPECT_EQ(error("raw/node-label.csv", "0\n" + std::string(label) + "\n0\n0\n"),
              "raw/node-label.csv.gz:2: label '" + std::string(label) +
                  "'; a class counted from 0 is expected, or nan where it is not known");
  }
  EXPECT_EQ(error("split/time/test.csv", "2\n9\n"), "split/time/test.csv.gz:2: node '9'; nodes are 0 to 3");
  EXPECT_EQ(error("split/time/test.csv", "3\n"),
            " the split has node 3 twice; train, validation and test must not overlap");
}

TEST(Ogb, SaysWhichPartOfASplitIsMissing) {
  const OgbFolder folder;
  fs::remove(folder.path() / "split/time/valid.csv.gz");
  EXPECT_EQ(test::error_text([&] { ogb_in(folder.path()); }),
            (folder.path() / "split/time/valid.csv").string() +
                ": no such file, nor with .gz; train, valid and test make a split");
}

}  // namespace
}  // namespace heatfront
