// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "heatfront/graph/components.h"
#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/public_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<NodeId>;

const fs::path kFiles = HEATFRONT_TEST_FILES;

Dataset planetoid_in(const fs::path& path, const ReadOptions& options = {}) {
  Threads threads(2);
  return read_planetoid(path, options, threads);
}

class EveryPythonWritesPlanetoid : public testing::TestWithParam<const char*> {};

// The data set is described in tests/files/planetoid/make_files.py.
TEST_P(EveryPythonWritesPlanetoid, TheSameWay) {
  ASSERT_TRUE(is_planetoid(kFiles / "planetoid" / GetParam()));
  const Dataset data = planetoid_in(kFiles / "planetoid" / GetParam());
  EXPECT_EQ(data.name, "tiny");
  EXPECT_EQ(data.nodes(), 8);
  EXPECT_EQ(data.graph.edges(), 5);
  EXPECT_EQ(data.graph.degree(6), 0);
  EXPECT_EQ(data.changes.loops, 1);
  EXPECT_EQ(data.changes.repeats, 1);
  EXPECT_EQ(data.changes.one_way, 0);
  EXPECT_EQ(data.labels, (std::vector<ClassId>{0, 1, 0, 1, kUnknown, 0, 0, 1}));
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"0", "1"}));
  const SparseMatrix& features = *data.features.sparse();
  EXPECT_EQ(features.cols, 3);
  EXPECT_EQ(features.offsets, (std::vector<std::int64_t>{0, 1, 2, 3, 5, 5, 6, 6, 7}));
  EXPECT_EQ(features.columns, (std::vector<std::int32_t>{0, 1, 2, 0, 2, 2, 1}));
  EXPECT_EQ(features.values, (std::vector<Real>{1, 2, 0.5, 1, 1, 4, 3}));
  ASSERT_TRUE(data.split);
  EXPECT_EQ(data.split->name, "file");
  EXPECT_EQ(data.split->train, (Ids{0, 1}));
  EXPECT_EQ(data.split->validation, (Ids{2, 3}));
  EXPECT_EQ(data.split->test, (Ids{5, 7}));
  EXPECT_EQ(
      data.notes,
      std::vector<std::string>{
          "1 of the nodes are known from the graph alone: no features, class 0, no place in the split"});
}

INSTANTIATE_TEST_SUITE_P(Planetoid, EveryPythonWritesPlanetoid,
                         testing::Values("protocol0", "protocol1", "protocol2", "python2"),
                         [](const auto& folder) { return std::string(folder.param); });

// A copy of the tiny data set, to be damaged.
class DamagedPlanetoid : public testing::Test {
 protected:
  DamagedPlanetoid() { fs::copy(kFiles / "planetoid/python2", folder_.path()); }

  void replace(std::string_view part, std::string_view bytes) {
    folder_.write("ind.tiny." + std::string(part), bytes);
  }
  void put(std::string_view part, const fs::path& file) { replace(part, test::file_text(file)); }
  std::string error() const {
    return test::error_text([&] { planetoid_in(folder_.path()); });
  }
  std::string in(std::string_view part, std::string_view text) const {
    return (folder_ / "ind.tiny.").string() + std::string(part) + std::string(text);
  }

  test::TemporaryFolder folder_;
};

TEST_F(DamagedPlanetoid, IsFoundUnderEveryNameThatPeopleUse) {
  for (const char* name : {"ind.tiny", "tiny", "ind.tiny.x", "ind.tiny.test.index", ""}) {
    EXPECT_TRUE(is_planetoid(folder_ / name)) << name;
    EXPECT_EQ(planetoid_in(folder_ / name).name, "tiny") << name;
  }
  for (const char* name : {"tin", "ind.", "ind.other", "other/"})
    EXPECT_FALSE(is_planetoid(folder_ / name)) << name;
}

TEST_F(DamagedPlanetoid, MustBeNamedWhereThereAreSeveral) {
  folder_.write("ind.nell.0.1.test.index", "1\n");
  EXPECT_TRUE(is_planetoid(folder_.path()));
  EXPECT_EQ(error(), folder_.path().string() +
                         ": the folder has the data sets nell.0.1, tiny; say which, as in " +
                         (folder_ / "nell.0.1").string());
  EXPECT_EQ(planetoid_in(folder_ / "tiny").nodes(), 8);
}

TEST_F(DamagedPlanetoid, NamesTheFileThatIsMissing) {
  fs::remove(folder_ / "ind.tiny.ty");
  EXPECT_EQ(
      error(),
      in("ty",
         ": no such file; a Planetoid data set is all of ind.tiny.{x,y,tx,ty,allx,ally,graph,test.index}"));
}

TEST_F(DamagedPlanetoid, NamesTheFileAndTheByteOfABadPickle) {
  for (const char* broken : {"foreign_class", "truncated", "unknown_opcode"}) {
    put("graph", kFiles / "broken" / (std::string(broken) + ".pickle"));
    EXPECT_TRUE(error().starts_with(in("graph", ": byte "))) << error();
  }
  put("graph", kFiles / "broken/circle.pickle");
  EXPECT_EQ(error(),
            in("graph", ": the file holds a list; a dict from node to list of neighbours is needed"));
}

TEST_F(DamagedPlanetoid, HasAGraphOfNodesInRange) {
  replace("test.index", "6\n5\n");
  replace("graph", "(dI0\n(lI8\nas.");
  EXPECT_EQ(error(),
            in("graph", ": node 8 in the graph; allx, tx and the keys of the graph make nodes 0 to 6"));
  replace("graph", "(dI-1\n(ls.");
  EXPECT_NE(error().find("node -1 in the graph"), std::string::npos) << error();
  replace("graph", "(dI0\n(lVa\nas.");
  EXPECT_EQ(error(), in("graph", ": a text stands in place of a node; nodes are whole numbers"));
  replace("graph", "(dI0\nNs.");
  EXPECT_EQ(error(), in("graph", ": node 0 has None in place of its neighbours; a list of nodes is needed"));
  replace("graph", "(dI0\n(lp0\ng0\nas.");
  EXPECT_EQ(error(), in("graph", ": a list stands in place of a node; nodes are whole numbers"));
}

TEST_F(DamagedPlanetoid, CannotMakeAHugeGraphOfASmallFile) {
  std::string graph = "(](";
  for (int i = 0; i < 1000; ++i) graph += std::string("K\x01");
  graph += "ep0\n(";
  for (int i = 0; i < 1000; ++i) graph += "I2\ng0\n";
  replace("graph", graph + "d.");
  EXPECT_EQ(error(),
            in("graph", ": more neighbours than the file has bytes; every node needs a list of its own"));
}

TEST_F(DamagedPlanetoid, HasOneTestNodeALine) {
  replace("test.index", "7\nfive\n");
  EXPECT_EQ(error(), in("test.index", ":2: 'five' is not a node; one whole number per line is needed"));
  replace("test.index", "7\n4\n");
  EXPECT_EQ(error(), in("test.index", ":2: node 4; test nodes come after the rows of allx and are 5 to 7"));
  replace("test.index", "2000000000\n5\n");
  EXPECT_EQ(error(),
            in("test.index", ":1: node 2000000000; test nodes come after the rows of allx and are 5 to 7"));
  replace("test.index", "7\n7\n");
  EXPECT_EQ(error(), in("test.index", ":2: node 7 is listed a second time"));
  replace("test.index", "7\n");
  EXPECT_EQ(error(), in("test.index", ": 1 nodes, but tx has 2"));
  replace("test.index", "7\r\n5 \r\n\r\n");
  EXPECT_EQ(error(), "");
}

TEST_F(DamagedPlanetoid, HasRowsAndColumnsThatFit) {
  put("ty", folder_ / "ind.tiny.ally");
  EXPECT_EQ(error(), in("ty", ": 5 rows, but ind.tiny.tx has 2"));
  put("ty", folder_ / "ind.tiny.y");
  put("x", folder_ / "ind.tiny.allx");
  put("y", folder_ / "ind.tiny.ally");
  put("allx", folder_ / "ind.tiny.tx");
  put("ally", folder_ / "ind.tiny.ty");
  EXPECT_EQ(error(), in("x", ": 5 rows, but they must be the first of the 2 of allx"));
  put("x", kFiles / "planetoid/protocol1/ind.tiny.y");  // two columns, where the others have three
  put("y", folder_ / "ind.tiny.ty");
  EXPECT_EQ(error(), in("x", ": 2 columns, but ind.tiny.allx has 3"));
}

TEST_F(DamagedPlanetoid, HasClassesOfASingleOne) {
  put("ty", kFiles / "planetoid/protocol1/ind.tiny.tx");
  EXPECT_EQ(error(), in("ty", ": row 0 is not one-hot; a single 1 is needed, or none"));
  put("ty", folder_ / "ind.tiny.tx");
  EXPECT_EQ(error(), in("ty", " holds a scipy matrix; a numpy array is needed"));
}

TEST_F(DamagedPlanetoid, CompletesEdgesOrRefusesTo) {
  replace("test.index", "6\n5\n");
  replace("graph", "(dI0\n(lI1\nas.");
  EXPECT_EQ(planetoid_in(folder_.path()).changes.one_way, 1);
  EXPECT_NE(test::error_text([&] { planetoid_in(folder_.path(), {.refuse_one_way = true}); }), "");
}

struct KnownCounts {
  const char* name;
  NodeId nodes;
  ArcId arcs;
  std::int64_t given, features, entries;
  ClassId classes;
  std::size_t train;
  NodeId isolated, components, largest;
};

class PublicPlanetoid : public testing::TestWithParam<KnownCounts> {};

TEST_P(PublicPlanetoid, HasItsPublishedSize) {
  const KnownCounts& known = GetParam();
  const fs::path folder = test::public_data("planetoid");
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: needs planetoid/ of the public data";
  const Dataset data = planetoid_in(folder / known.name);
  EXPECT_EQ(data.nodes(), known.nodes);
  EXPECT_EQ(data.graph.arcs(), known.arcs);
  EXPECT_EQ(data.graph.arcs() + data.changes.loops + data.changes.repeats, known.given);
  EXPECT_EQ(data.changes.one_way, 0);
  EXPECT_EQ(data.features.cols(), known.features);
  EXPECT_EQ(data.features.entries(), known.entries);
  EXPECT_EQ(data.classes(), known.classes);
  EXPECT_EQ(data.split->train.size(), known.train);
  EXPECT_EQ(data.split->validation.size(), 500u);
  EXPECT_EQ(data.split->test.size(), 1000u);
  EXPECT_EQ(count_isolated(data.graph), known.isolated);
  EXPECT_EQ(connected_components(data.graph).count(), known.components);
  EXPECT_EQ(connected_components(data.graph).largest(), known.largest);
}

INSTANTIATE_TEST_SUITE_P(
    Planetoid, PublicPlanetoid,
    testing::Values(KnownCounts{"cora", 2708, 10556, 10858, 1433, 49216, 7, 140, 0, 78, 2485},
                    KnownCounts{"citeseer", 3327, 9104, 9464, 3703, 105165, 6, 120, 48, 438, 2120},
                    KnownCounts{"pubmed", 19717, 88648, 88676, 500, 988031, 3, 60, 0, 1, 19717}),
    [](const auto& known) { return std::string(known.param.name); });

}  // namespace
}  // namespace heatfront
