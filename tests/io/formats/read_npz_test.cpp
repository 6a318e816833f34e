// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/npz_file.h"
#include "support/public_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::Entries;
using test::error_text;
using test::npy;
using test::TemporaryFolder;
using Ids = std::vector<NodeId>;
using Texts = std::vector<std::string>;

Dataset npz_of(const Entries& arrays, const ReadOptions& options = {}) {
  const TemporaryFolder folder;
  Entries entries;
  for (const auto& [name, array] : arrays) entries.emplace_back(name + ".npy", array);
  Threads threads(1);
  return read_npz(test::write_zip(folder / "graph.npz", entries), options, threads);
}

// The line without the folder and the file's name.
std::string read_error(const Entries& arrays, const ReadOptions& options = {}) {
  const std::string text = error_text([&] { npz_of(arrays, options); });
  const std::size_t place = text.find("graph.npz: ");
  return place == std::string::npos ? text : text.substr(place + 11);
}

// The path 0 – 1 – 2 and the single node 3.
Entries path_graph(const std::string& prefix = "adj_") {
  return {{prefix + "data", npy<float>({1, 1, 1, 1})},
          {prefix + "indices", npy<std::int32_t>({1, 0, 2, 1})},
          {prefix + "indptr", npy<std::int32_t>({0, 1, 3, 4, 4})},
          {prefix + "shape", npy<std::int64_t>({4, 4})}};
}

Entries with(Entries arrays, const std::string& name, const std::string& array) {
  for (auto& entry : arrays) {
    if (entry.first == name) {
      entry.second = array;
      return arrays;
    }
  }
  arrays.emplace_back(name, array);
  return arrays;
}

Entries without(Entries arrays, const std::string& name) {
  std::erase_if(arrays, [&](const auto& entry) { return entry.first == name; });
  return arrays;
}

const Graph kPath({0, 1, 3, 4, 4}, {1, 0, 2, 1});

TEST(ReadNpz, ReadsCompressedRowsUnderEverySpelling) {
  for (const char* prefix : {"adj_", "adj_matrix.", "adj_matrix_", "adj."}) {
    const Dataset dataset = npz_of(path_graph(prefix));
    EXPECT_EQ(dataset.name, "graph");
    EXPECT_EQ(dataset.graph, kPath) << prefix;
    EXPECT_TRUE(dataset.weights.empty());
    EXPECT_EQ(dataset.labels, std::vector<ClassId>(4, kUnknown));
    EXPECT_TRUE(dataset.notes.empty());
  }
}

TEST(ReadNpz, ReadsAMatrixOfScipy) {
  EXPECT_EQ(npz_of(with(path_graph(""), "format", npy("|S3", {}, "csr"))).graph, kPath);
  const Entries array = with(path_graph(""), "_is_array", npy("|b1", {}, "\1"));
  EXPECT_TRUE(npz_of(with(array, "format", npy("|S3", {}, "csr"))).notes.empty());
  EXPECT_EQ(npz_of(with(path_graph(""), "format", npy("|S3", {}, "csc"))).graph, kPath);
  EXPECT_EQ(npz_of({{"format", npy("|S3", {}, "coo")},
                    {"shape", npy<std::int64_t>({4, 4})},
                    {"row", npy<std::int32_t>({2, 0, 1, 1})},
                    {"col", npy<std::int32_t>({1, 1, 2, 0})},
                    {"data", npy<double>({1, 1, 1, 1})}})
                .graph,
            kPath);
  EXPECT_EQ(read_error(with(path_graph(""), "format", npy("|S3", {}, "bsr"))),
            "array 'shape': a sparse matrix of format 'bsr'; csr, csc and coo are read");
  EXPECT_EQ(read_error(with(path_graph(""), "format", npy("|S3", {}, "coo"))),
            "there is no array 'row'; a sparse matrix is data, row, col and shape");
}

TEST(ReadNpz, ReadsRowsWithoutDataAndWithOtherIntegers) {
  Entries arrays = without(path_graph(), "adj_data");
  arrays = with(arrays, "adj_indices", npy("|u1", {4}, {"\1\0\2\1", 4}));
  arrays = with(arrays, "adj_indptr", npy(">i2", {5}, {"\0\0\0\1\0\3\0\4\0\4", 10}));
  EXPECT_EQ(npz_of(arrays).graph, kPath);
}

TEST(ReadNpz, ReadsListsOfEdges) {
  const std::string labels = npy<std::int64_t>({0, 1, 0, 1});
  EXPECT_EQ(npz_of({{"edges", npy<std::int64_t>({0, 1, 1, 2, 2, 0}, {3, 2})}}).graph.edges(), 3);
  EXPECT_EQ(npz_of({{"edges", npy<std::int64_t>({0, 1, 1, 2}, {2, 2})}, {"labels", labels}}).graph, kPath);
  EXPECT_EQ(npz_of({{"edge_index", npy<std::int64_t>({0, 1, 1, 2}, {2, 2})}, {"y", labels}}).graph, kPath);
  const Dataset dataset = npz_of({{"edge_index", npy<std::int32_t>({0, 2, 1, 1}, {2, 2})},
                                  {"edge_weight", npy<double>({0.5, 2})},
                                  {"node_labels", labels}});
  EXPECT_EQ(dataset.graph, kPath);
  EXPECT_EQ(dataset.weights, (std::vector<Real>{0.5, 0.5, 2, 2}));
  EXPECT_EQ(dataset.changes.one_way, 2);
}

TEST(ReadNpz, RefusesOneWayEdgesWhenAsked) {
  EXPECT_NE(read_error({{"edges", npy<std::int64_t>({0, 1}, {1, 2})}}, {.refuse_one_way = true}), "");
}

TEST(ReadNpz, ReadsSparseFeaturesInOrder) {
  Entries arrays = path_graph();
  arrays = with(arrays, "attr_matrix.data", npy<float>({2, 1, 0, 3}));
  arrays = with(arrays, "attr_matrix.indices", npy<std::int32_t>({4, 0, 1, 2}));
  arrays = with(arrays, "attr_matrix.indptr", npy<std::int32_t>({0, 2, 2, 3, 4}));
  arrays = with(arrays, "attr_matrix.shape", npy<std::int64_t>({4, 5}));
  const Dataset dataset = npz_of(arrays);
  ASSERT_NE(dataset.features.sparse(), nullptr);
  EXPECT_EQ(dataset.features.sparse()->columns, (std::vector<std::int32_t>{0, 4, 2}));
  EXPECT_EQ(dataset.features.sparse()->values, (std::vector<Real>{1, 2, 3}));
  EXPECT_EQ(dataset.features.cols(), 5);
}

TEST(ReadNpz, ReadsDenseFeaturesAsPointsWhereThereIsNoGraph) {
  for (const char* name : {"attr_matrix", "features", "node_features", "x"}) {
    const Dataset dataset = npz_of({{name, npy<double>({1, 2, 3, 4, 5, 6}, {3, 2})}});
    EXPECT_EQ(dataset.nodes(), 3);
    EXPECT_EQ(dataset.graph.arcs(), 0);
    ASSERT_NE(dataset.features.dense(), nullptr);
    EXPECT_EQ((*dataset.features.dense())(2, 0), 5);
  }
}

TEST(ReadNpz, ReadsLabelsAsNumbersFloatsOrOneHot) {
  const std::vector<ClassId> expected = {2, kUnknown, 0, 1};
  for (const std::string& labels :
       {npy<std::int64_t>({2, -1, 0, 1}), npy<std::int32_t>({2, -1, 0, 1}, {4, 1}),
        npy<float>({2, std::nanf(""), 0, 1}),
        npy<std::uint8_t>({0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, {4, 3})}) {
    const Dataset dataset = npz_of(with(path_graph(), "labels", labels));
    EXPECT_EQ(dataset.labels, expected);
    EXPECT_EQ(dataset.class_names, (Texts{"0", "1", "2"}));
  }
}

TEST(ReadNpz, ReadsNamesAndLeavesPickledOnesOutWithANote) {
  Entries arrays = with(path_graph(), "labels", npy<std::int64_t>({0, 1, 0, -1}));
  arrays = with(arrays, "class_names", npy("|S3", {3}, {"catdogcow", 9}));
  const Dataset named = npz_of(with(arrays, "node_names", npy("|S1", {4}, "abcd")));
  EXPECT_EQ(named.class_names, (Texts{"cat", "dog", "cow"}));
  EXPECT_EQ(named.node_name(3), "d");

  arrays =
      with(with(arrays, "class_names", test::pickled_npy()), "node_names", npy<std::int32_t>({1, 2, 3, 4}));
  const Dataset unnamed = npz_of(arrays);
  EXPECT_EQ(unnamed.class_names, (Texts{"0", "1"}));
  EXPECT_EQ(unnamed.notes, (Texts{"class_names left out: what is pickled in it is no list of different "
                                  "texts, one each",
                                  "node_names left out: it is not a list of texts"}));
}

TEST(ReadNpz, ListsTheArraysItDoesNotKnow) {
  const Entries arrays =
      with(with(path_graph(), "front", npy<float>({1})), "idx_to_class", test::pickled_npy());
  EXPECT_EQ(npz_of(arrays).notes, Texts{"arrays not read: front, idx_to_class"});
}

TEST(ReadNpz, ReadsTheSplitFromListsOrMasks) {
  Entries lists = with(path_graph(), "train_idx", npy<std::int64_t>({3, 0}));
  lists = with(with(lists, "valid_idx", npy<std::int32_t>({1})), "test_idx", npy<std::int64_t>({2}));
  Entries masks = with(path_graph(), "train_mask", npy("|b1", {4}, {"\1\0\0\1", 4}));
  masks = with(masks, "val_mask", npy("|b1", {4}, {"\0\1\0\0", 4}));
  masks = with(masks, "test_mask", npy("|b1", {4}, {"\0\0\1\0", 4}));
  for (const Entries& arrays : {lists, masks}) {
    const Dataset dataset = npz_of(arrays);
    ASSERT_TRUE(dataset.split);
    EXPECT_EQ(dataset.split->name, "file");
    EXPECT_EQ(dataset.split->train, (Ids{0, 3}));
    EXPECT_EQ(dataset.split->validation, Ids{1});
    EXPECT_EQ(dataset.split->test, Ids{2});
    EXPECT_TRUE(dataset.notes.empty());
  }
}

TEST(ReadNpz, TakesTheFirstOfSeveralMasks) {
  Entries arrays = with(path_graph(), "train_masks", npy("|b1", {2, 4}, {"\1\0\0\0\0\1\0\0", 8}));
  arrays = with(arrays, "test_masks", npy("|b1", {2, 4}, {"\0\0\1\1\0\0\1\1", 8}));
  const Dataset dataset = npz_of(arrays);
  EXPECT_EQ(dataset.split->train, Ids{0});
  EXPECT_TRUE(dataset.split->validation.empty());
  EXPECT_EQ(dataset.split->test, (Ids{2, 3}));
  EXPECT_EQ(dataset.notes, Texts{"train_masks holds 2 splits; the first is used"});
}

struct Damage {
  std::string array;  // name
  std::string npy;    // "": taken away
  std::string text;
};

std::ostream& operator<<(std::ostream& out, const Damage& damage) { return out << damage.text; }

class DamagedNpz : public testing::TestWithParam<Damage> {};

TEST_P(DamagedNpz, IsRefusedInOneLine) {
  const auto& [array, bytes, text] = GetParam();
  EXPECT_EQ(read_error(bytes.empty() ? without(path_graph(), array) : with(path_graph(), array, bytes)),
            text);
}

INSTANTIATE_TEST_SUITE_P(
    ReadNpz, DamagedNpz,
    testing::Values(
        Damage{"adj_indptr", "",
               "there is no array 'adj_indptr'; a sparse matrix is adj_data, adj_indices, adj_indptr and "
               "adj_shape"},
        Damage{"adj_shape", npy<std::int64_t>({4, 5}),
               "array 'adj_shape' is (4, 5); the matrix of a graph is square"},
        Damage{"adj_shape", npy<std::int64_t>({-4, 4}),
               "array 'adj_shape': entry 0 is -4; it must be from 0 to 2147483647"},
        Damage{"adj_shape", npy<std::int64_t>({4}),
               "array 'adj_shape' has shape (1), but 2 entries are needed: rows and columns"},
        Damage{"adj_indptr", npy<std::int32_t>({1, 1, 3, 4, 4}),
               "array 'adj_indptr' begins with 1; it must begin with 0"},
        Damage{"adj_indptr", npy<std::int32_t>({0, 3, 1, 4, 4}),
               "array 'adj_indptr': entry 2 is 1, after 3; entries must not decrease"},
        Damage{"adj_indptr", npy<std::int32_t>({0, 1, 3, 4, 5}),
               "array 'adj_indices' has shape (4), but 5 entries are needed: adj_indptr ends with that"},
        Damage{"adj_indptr", npy<std::int32_t>({0, 4}),
               "array 'adj_indptr' has shape (2), but 5 entries are needed: one per row, and one more"},
        Damage{"adj_indices", npy<std::int32_t>({1, -1, 2, 1}),
               "array 'adj_indices': entry 1 is -1; it must be from 0 to 3"},
        Damage{"adj_indices", npy<std::int64_t>({1, 0, 2, 1LL << 40}),
               "array 'adj_indices': entry 3 is 1099511627776; it must be a whole number from -2147483648 to "
               "2147483647"},
        Damage{"adj_data", npy<float>({1, std::nanf(""), 1, 1}),
               "array 'adj_data': row 1, column 0 is nan; a weight must be finite and 0 or more"},
        Damage{"adj_data", npy<double>({1, 1, 1, -2}),
               "array 'adj_data': row 2, column 1 is -2; a weight must be finite and 0 or more"},
        Damage{"adj_data", npy<float>({1}),
               "array 'adj_data' has shape (1), but 4 entries are needed: adj_indices has as many"},
        Damage{"attr_matrix", npy<float>({1, 2}, {2, 1}),
               "features have 2 rows, but there are 4 nodes; one row a node is needed"},
        Damage{"attr_matrix", npy<float>({1, 2, INFINITY, 4}, {4, 1}),
               "feature row of node 2 holds inf; every value must be a finite number"},
        Damage{"attr_matrix", test::pickled_npy(),
               "array 'attr_matrix' holds a list in place of an array of objects"},
        Damage{"labels", npy<std::int64_t>({0, 1}),
               "2 labels, but there are 4 nodes; one a node is needed (-1 where unknown)"},
        Damage{"labels", npy<std::int64_t>({0, 1, -2, 0}),
               "node 2 has label -2; classes are 0 to 1, -1 is unknown"},
        Damage{"labels", npy<std::int64_t>({0, 1, 2000000000, 0}),
               "array 'labels': class 2000000000 for 4 nodes; number the classes from 0 up"},
        Damage{"labels", npy<float>({0, 1, 0.5, 0}),
               "array 'labels': entry 2 is 0.5; a class is a whole number, -1 or nan where unknown"},
        Damage{"labels", npy<float>({1, 0, 1, 1, 0, 0, 0, 1}, {4, 2}),
               "array 'labels': row 1 is not one-hot; a single 1 is needed, or none"},
        Damage{"labels", npy("|u1", {1LL << 40, 0}, ""),
               "array 'labels' has shape (1099511627776, 0); a label a node is needed"},
        Damage{"labels", npy("|u1", {0, 1LL << 40}, ""),
               "array 'labels': class 1099511627775 for 0 nodes; number the classes from 0 up"},
        Damage{"train_idx", npy<std::int64_t>({0}),
               "there is no array 'test_idx' or 'test_mask' beside 'train_idx'"}));

TEST(ReadNpz, RefusesSplitsThatDoNotFitTheGraph) {
  const Entries tested = with(path_graph(), "test_idx", npy<std::int64_t>({2}));
  EXPECT_EQ(read_error(with(tested, "train_idx", npy<std::int64_t>({4}))),
            "the split names node 4; nodes are 0 to 3");
  EXPECT_EQ(read_error(with(tested, "train_idx", npy<std::int64_t>({-1}))),
            "array 'train_idx': entry 0 is -1; it must be from 0 to 2147483647");
  EXPECT_NE(read_error(with(tested, "train_idx", npy<std::int64_t>({2}))).find("must not overlap"),
            std::string::npos);
  EXPECT_EQ(read_error(with(tested, "train_mask", npy("|b1", {3}, "\1\1\1"))),
            "array 'train_mask' is for 3 nodes, but there are 4");
}

TEST(ReadNpz, RefusesListsOfEdgesThatCannotBe) {
  const std::string labels = npy<std::int64_t>({0, 1});
  EXPECT_EQ(read_error({{"edges", npy<std::int64_t>({0, 2}, {1, 2})}, {"labels", labels}}),
            "array 'edges': edge 0 joins 0 and 2; nodes are 0 to 1");
  EXPECT_EQ(read_error({{"edges", npy<std::int64_t>({0, 2000000000}, {1, 2})}}),
            "array 'edges': node 2000000000 in a list of 1 edges; number the nodes from 0 up");
  EXPECT_NE(read_error({{"edges", npy<std::int64_t>({0, -1}, {1, 2})}}), "");
  EXPECT_EQ(read_error({{"edges", npy<std::int64_t>({0, 1, 2}, {1, 3})}}),
            "array 'edges' has shape (1, 3); two nodes an edge are needed");
  EXPECT_EQ(read_error({{"edges", npy<std::int64_t>({0, 1}, {1, 2})}, {"edge_weights", npy<float>({1, 2})}}),
            "array 'edge_weights' has 2 entries, but there are 1 edges");
}

TEST(ReadNpz, SaysWhatIsMissingWhereThereIsNoGraph) {
  EXPECT_EQ(read_error({{"labels", npy<std::int64_t>({0, 1})}}),
            "no graph (adj_data, adj_indices, adj_indptr, adj_shape) and no features (attr_matrix); it has: "
            "labels");
  EXPECT_EQ(
      read_error({{"adj_matrix", npy<float>({0, 1, 1, 0}, {2, 2})}, {"x", npy<float>({1, 2}, {2, 1})}}),
      "array 'adj_matrix' is a whole matrix; save it sparse: adj_data, adj_indices, adj_indptr, adj_shape");
  // Rows of no columns are not believed to be nodes.
  EXPECT_NE(read_error({{"x", npy("<f4", {1LL << 40, 0}, "")}}), "");
}

TEST(IsNpz, KnowsTheFileByItsNameOrItsFirstBytes) {
  const TemporaryFolder folder;
  const auto zip = test::write_zip(folder / "data.bin", {{"a.npy", npy<float>({1})}});
  EXPECT_TRUE(is_npz(zip));
  EXPECT_TRUE(is_npz("cora.npz"));
  EXPECT_FALSE(is_npz(folder.write("a.csv", "0,1\n")));
  EXPECT_FALSE(is_npz(folder.path()));
}

struct PublicFile {
  std::string name;
  NodeId nodes;
  ArcId arcs;
  std::int64_t features, entries;
  ClassId classes;
  std::size_t train, validation, test;  // all 0: no split
};

std::ostream& operator<<(std::ostream& out, const PublicFile& file) { return out << file.name; }

class PublicNpz : public testing::TestWithParam<PublicFile> {};

TEST_P(PublicNpz, HasTheSizesOfItsTable) {
  const PublicFile& expected = GetParam();
  const auto path = test::public_data(expected.name + ".npz");
  if (path.empty()) GTEST_SKIP() << "SKIPPED: needs " << expected.name << ".npz";
  Threads threads(2);
  const Dataset dataset = read_npz(path, {.refuse_one_way = true}, threads);
  EXPECT_EQ(dataset.name, expected.name);
  EXPECT_EQ(dataset.nodes(), expected.nodes);
  EXPECT_EQ(dataset.graph.arcs(), expected.arcs);
  EXPECT_EQ(dataset.features.cols(), expected.features);
  EXPECT_EQ(dataset.features.entries(), expected.entries);
  EXPECT_EQ(dataset.classes(), expected.classes);
  EXPECT_EQ(dataset.changes.loops + dataset.changes.repeats, 0);
  EXPECT_TRUE(dataset.weights.empty());
  EXPECT_TRUE(dataset.notes.empty());
  const Split split = dataset.split.value_or(Split{});
  EXPECT_EQ(split.train.size(), expected.train);
  EXPECT_EQ(split.validation.size(), expected.validation);
  EXPECT_EQ(split.test.size(), expected.test);
}

INSTANTIATE_TEST_SUITE_P(ReadNpz, PublicNpz,
                         testing::Values(PublicFile{"cora", 2708, 10556, 1433, 49216, 7, 140, 500, 1000},
                                         PublicFile{"citeseer", 3327, 9104, 3703, 105165, 6, 120, 500, 1000},
                                         PublicFile{"pubmed", 19717, 88648, 500, 988031, 3, 60, 500, 1000},
                                         PublicFile{"amazon_photo", 7650, 238162, 745, 1979909, 8, 0, 0, 0},
                                         PublicFile{"county_fb", 3106, 45148, 9, 3106 * 9, 2, 0, 0, 0},
                                         PublicFile{"lastfm_asia_nofeat", 7624, 55612, 0, 0, 18, 0, 0, 0}),
                         [](const auto& file) { return file.param.name; });

}  // namespace
}  // namespace heatfront
