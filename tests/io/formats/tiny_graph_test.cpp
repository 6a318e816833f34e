// SPDX-License-Identifier: MIT
// One tiny graph in every text format: four nodes, three edges, two features, two classes, one label unknown,
// a split.
#include <gtest/gtest.h>

#include "heatfront/base/random.h"
#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/gzip.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
using Reader = Dataset (*)(const fs::path&, const ReadOptions&, Threads&);

DatasetFingerprint print_of(Reader reader, const fs::path& path) {
  Threads threads(1);
  return fingerprint(reader(path, {}, threads));
}

class TinyGraph : public testing::Test {
 protected:
  TinyGraph() {
    folder.write("csv/edges.csv", "source,target\n0,1\n1,2\n0,2\n");
    folder.write("csv/features.csv", "node,a,b\n0,1,0\n1,0,1\n2,1,1\n3,1,0\n");
    folder.write("csv/labels.csv", "node,label\n0,0\n2,1\n3,0\n");
    folder.write("csv/split.csv", "0,train\n2,validation\n3,test\n");
    expected = print_of(read_csv, folder / "csv");
  }

  const test::TemporaryFolder folder;
  DatasetFingerprint expected;
};

TEST_F(TinyGraph, IsTheSameInTabsAndBlanksAndPacked) {
  folder.write("tsv/edges.tsv", "# nodes 0 to 3\n2\t1\n1\t0\n2\t0\n");
  folder.write("tsv/features.txt.gz", test::gzipped("3 1 0\n2 1 1\n1 0 1\n0 1 0\n"));
  folder.write("tsv/labels.csv.gz", test::gzipped("\xEF\xBB\xBFid;class\r\n3;0\r\n1;?\r\n2;1\r\n0;0\r\n"));
  folder.write("tsv/split.csv", "part,node\ntest,3\nval,2\ntrain,0\n");
  EXPECT_EQ(print_of(read_csv, folder / "tsv").whole(), expected.whole());
}

TEST_F(TinyGraph, IsTheSameFromOgb) {
  folder.write("ogb/raw/edge.csv", "0,1\n1,2\n2,0\n");
  folder.write("ogb/raw/num-node-list.csv", "4\n");
  folder.write("ogb/raw/node-feat.csv", "1.0,0.0\n0.0,1.0\n1.0,1.0\n1.0,0.0\n");
  folder.write("ogb/raw/node-label.csv", "0\nnan\n1\n0\n");
  folder.write("ogb/split/random/train.csv", "0\n");
  folder.write("ogb/split/random/valid.csv", "2\n");
  folder.write("ogb/split/random/test.csv", "3\n");
  EXPECT_EQ(print_of(read_ogb, folder / "ogb").whole(), expected.whole());
}

TEST_F(TinyGraph, HasTheSameEdgesFromMatrixMarket) {
  const fs::path path =
      folder.write("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n3 1\n");
  EXPECT_EQ(print_of(read_matrix_market, path).graph, expected.graph);
}

TEST_F(TinyGraph, HasTheSameEdgesAndLabelsFromMusaeAndTheFeaturesOfEntries) {
  folder.write("musae/a_edges.csv", "id_1,id_2\n0,1\n1,2\n0,2\n");
  folder.write("musae/a_features.json", R"({"0": [0], "1": [1], "2": [0, 1], "3": [0]})");
  folder.write("musae/a_target.csv", "id,target\n0,0\n1,\n2,1\n3,0\n");
  const DatasetFingerprint musae = print_of(read_musae, folder / "musae");
  EXPECT_EQ(musae.graph, expected.graph);
  EXPECT_EQ(musae.labels, expected.labels);
  folder.write("entries/edges.csv", "0,1\n1,2\n0,2\n3,\n");
  folder.write("entries/features.csv", "2,1,1\n0,0,1\n2,0,1\n1,1,1\n3,0,1\n");
  EXPECT_EQ(print_of(read_csv, folder / "entries").features, musae.features);
}

// Bytes of the files changed at random: a data set, one line, or a list with a line per problem.
TEST_F(TinyGraph, SurvivesAnyDamageOfItsFiles) {
  constexpr std::string_view kLetters = "0123-.,;\n\r\t \"#%?nae\x80";
  for (const char* name : {"edges.csv", "features.csv", "labels.csv", "split.csv"}) {
    const std::string text = test::file_text(folder / "csv" / name);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const Random random(seed);
      std::string damaged = text;
      for (std::uint64_t i = 0; i <= random.below(4, 0); ++i) {
        damaged[random.below(damaged.size(), 2 * i + 1)] = kLetters[random.below(kLetters.size(), 2 * i + 2)];
      }
      folder.write("csv/" + std::string(name), damaged);
      const std::string error = test::error_text([&] { print_of(read_csv, folder / "csv"); });
      const std::string place = (folder / "csv").string();
      if (error.find('\n') == error.npos) {
        EXPECT_TRUE(error.empty() || error.starts_with(place)) << error;
        continue;
      }
      for (std::size_t end = error.find('\n'); end != error.npos; end = error.find('\n', end + 1))
        EXPECT_TRUE(error.substr(end + 1).starts_with("  " + place)) << error;
    }
    folder.write("csv/" + std::string(name), text);
  }
}

}  // namespace
}  // namespace heatfront
