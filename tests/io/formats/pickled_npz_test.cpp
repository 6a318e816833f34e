// SPDX-License-Identifier: MIT
// npz files whose arrays are pickled objects: matrices of scipy, arrays of numpy, None, names.
#include <gtest/gtest.h>

#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/npz_file.h"
#include "support/pickle_file.h"
#include "support/public_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using namespace std::string_literals;
using test::Entries;
using test::PickleWriter;
using Names = std::vector<std::string>;
using Parts = std::vector<std::pair<std::string, std::string>>;

Dataset pickled_npz(const Entries& arrays) {
  const test::TemporaryFolder folder;
  Entries entries;
  for (const auto& [name, array] : arrays) entries.emplace_back(name + ".npy", array);
  Threads threads(1);
  return read_npz(test::write_zip(folder / "graph.npz", entries), {}, threads);
}

// The line without the folder and the file's name.
std::string pickled_error(const Entries& arrays) {
  const std::string text = test::error_text([&] { pickled_npz(arrays); });
  const std::size_t place = text.find("graph.npz: ");
  return place == std::string::npos ? text : text.substr(place + 11);
}

std::string content(const std::string& type, const std::vector<int>& values) {
  std::string bytes;
  for (const int value : values) {
    if (type == "<f4") bytes += test::bytes_of<float>({static_cast<float>(value)});
    if (type == "<f8") bytes += test::bytes_of<double>({static_cast<double>(value)});
    if (type == "<i4") bytes += test::bytes_of<std::int32_t>({value});
    if (type == "<i8") bytes += test::bytes_of<std::int64_t>({value});
    if (type == "|u1" || type == "|b1") bytes += static_cast<char>(value);
  }
  return bytes;
}

// The path 0 – 1 – 2 and the single node 3; `first` and `second` are the two that the format has of: the rows and columns
// of the entries, or where rows or columns begin and what they hold.
struct PathMatrix {
  PickleWriter write;
  std::string name = "csr_matrix", index = "<i4", value = "<f4";

  std::string array(const std::string& type, const std::vector<int>& values) const {
    return write.array(type, {std::ssize(values)}, content(type, values));
  }

  Parts parts() const {
    const Parts common = {{"_shape", write.shape({4, 4})}, {"data", array(value, {1, 1, 1, 1})}};
    Parts all = common;
    if (name.starts_with("coo")) {
      all.emplace_back("row", array(index, {1, 0, 2, 1}));
      all.emplace_back("col", array(index, {0, 1, 1, 2}));
    } else {
      all.emplace_back("indices", array(index, {1, 0, 2, 1}));
      all.emplace_back("indptr", array(index, {0, 1, 3, 4, 4}));
    }
    return all;
  }

  std::string npy() const { return write.npy(write.matrix(name, parts())); }

  // With one part replaced.
  std::string npy_with(const std::string& part, const std::string& by) const {
    Parts all = parts();
    for (auto& [key, held] : all) {
      if (key == part) held = by;
    }
    return write.npy(write.matrix(name, all));
  }
};

const Graph kPickledPath({0, 1, 3, 4, 4}, {1, 0, 2, 1});

class FileOfScipy : public testing::TestWithParam<const char*> {};

// The graph is described in tests/files/pickled/make_files.py.
TEST_P(FileOfScipy, IsReadWhole) {
  for (const std::string format : {"csr", "csc", "coo"}) {
    const auto path = std::filesystem::path(HEATFRONT_TEST_FILES) / "pickled" /
                      ("scipy-"s + GetParam() + "-" + format + ".npz");
    Threads threads(1);
    const Dataset dataset = read_npz(path, {.refuse_one_way = true}, threads);
    EXPECT_EQ(dataset.graph, kPickledPath);
    EXPECT_EQ(dataset.weights, (std::vector<Real>{1, 1, 2, 2}));
    ASSERT_NE(dataset.features.sparse(), nullptr);
    EXPECT_EQ(dataset.features.cols(), 3);
    EXPECT_EQ(dataset.features.sparse()->offsets, (std::vector<std::int64_t>{0, 1, 2, 3, 5}));
    EXPECT_EQ(dataset.features.sparse()->columns, (std::vector<std::int32_t>{0, 1, 2, 0, 2}));
    EXPECT_EQ(dataset.features.sparse()->values, (std::vector<Real>{1, 2, 0.5, 1, 3}));
    EXPECT_EQ(dataset.labels, (std::vector<ClassId>{0, 1, kUnknown, 1}));
    EXPECT_EQ(dataset.class_names, (Names{"red", "blue"}));
    EXPECT_EQ(dataset.node_names, (Names{"anna", "ben", "cleo", "dan"}));
    EXPECT_EQ(dataset.notes, Names{"arrays not read: edge_attr, metadata"});
  }
}

INSTANTIATE_TEST_SUITE_P(PickledNpz, FileOfScipy, testing::Values("1.2", "1.10", "1.17"),
                         [](const auto& version) {
                           std::string name = version.param;
                           name[1] = '_';
                           return "Version" + name;
                         });

TEST(PickledNpz, HasTheSameGraphHoweverItIsWritten) {
  int cases = 0;
  for (const int protocol : {2, 3, 4, 5})
    for (const char* numpy : {"numpy.core", "numpy._core"})
      for (const auto& [scipy, kind] : {std::pair("scipy.sparse.", "_matrix"),
                                        {"scipy.sparse._", "_matrix"},
                                        {"scipy.sparse._", "_array"},
                                        {"scipy.sparse._arrays", "_array"}})
        for (const char* format : {"csr", "csc", "coo"})
          for (const char* index : {"<i4", "<i8"})
            for (const char* value : {"<f4", "<f8", "<i4", "<i8", "|u1", "|b1"}) {
              const PathMatrix matrix{{protocol, numpy, scipy}, format + std::string(kind), index, value};
              EXPECT_EQ(pickled_npz({{"adj_matrix", matrix.npy()}}).graph, kPickledPath)
                  << protocol << numpy << scipy << format << index << value;
              ++cases;
            }
  EXPECT_EQ(cases, 1152);
}

TEST(PickledNpz, MayHoldItsObjectInAListOfOne) {
  const PathMatrix path;
  const std::string npy = path.write.npy({1}, {path.write.matrix(path.name, path.parts())});
  EXPECT_EQ(pickled_npz({{"adj_matrix", npy}}).graph, kPickledPath);
}

TEST(PickledNpz, OfFormatCooMayHaveItsPlacesInATuple) {
  const PathMatrix path{.name = "coo_array"};
  Parts parts = path.parts();
  parts.resize(2);
  parts.emplace_back("coords",
                     PickleWriter::tuple({path.array("<i4", {1, 0, 2, 1}), path.array("<i4", {0, 1, 1, 2})}));
  EXPECT_EQ(pickled_npz({{"adj_matrix", path.write.npy(path.write.matrix(path.name, parts))}}).graph,
            kPickledPath);
}

TEST(PickledNpz, KeepsTheRowsAndColumnsOfFeatures) {
  const PickleWriter write;
  // Rows {0, 5} and {7, 0} and {0, 0}, of which one entry is given twice.
  const Parts csc = {{"_shape", write.shape({3, 2})},
                     {"indptr", write.array<std::int32_t>({0, 1, 2})},
                     {"indices", write.array<std::int32_t>({1, 0})},
                     {"data", write.array<double>({7, 5})}};
  const Parts coo = {{"_shape", write.shape({3, 2})},
                     {"row", write.array<std::int32_t>({1, 0, 1})},
                     {"col", write.array<std::int32_t>({0, 1, 0})},
                     {"data", write.array<double>({3, 5, 4})}};
  for (const std::string& npy :
       {write.npy(write.matrix("csc_matrix", csc)), write.npy(write.matrix("coo_matrix", coo))}) {
    const Dataset dataset = pickled_npz({{"node_attr", npy}});
    ASSERT_NE(dataset.features.sparse(), nullptr);
    EXPECT_EQ(dataset.features.sparse()->offsets, (std::vector<std::int64_t>{0, 1, 2, 2}));
    EXPECT_EQ(dataset.features.sparse()->columns, (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(dataset.features.sparse()->values, (std::vector<Real>{5, 7}));
  }
}

TEST(PickledNpz, ReadsPickledArraysAsArrays) {
  for (const int protocol : {2, 3, 4, 5}) {
    const PickleWriter write{.protocol = protocol};
    for (const char* name : {"attr_matrix", "features", "node_features", "x", "node_attr"}) {
      const Dataset dataset =
          pickled_npz({{name, write.npy(write.array<double>({1, 2, 3, 4, 5, 6}, {3, 2}))}});
      ASSERT_NE(dataset.features.dense(), nullptr);
      EXPECT_EQ((*dataset.features.dense())(2, 0), 5);
    }
  }
}

TEST(PickledNpz, ReadsLabelsHoweverTheyArePickled) {
  const PickleWriter write;
  const auto number = PickleWriter::number;
  const Parts one_hot = {{"_shape", write.shape({4, 3})},
                         {"indptr", write.array<std::int32_t>({0, 1, 1, 2, 3})},
                         {"indices", write.array<std::int32_t>({2, 0, 1})},
                         {"data", write.array<float>({1, 1, 1})}};
  for (const std::string& labels :
       {test::npy<std::int64_t>({2, -1, 0, 1}), write.npy(write.array<std::int32_t>({2, -1, 0, 1})),
        write.npy(write.array<double>({0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, {4, 3})),
        write.npy({4}, {number(2), number(-1), number(0), number(1)}),
        write.npy({4}, {number(2), "N", number(0), number(1)}),
        write.npy(write.matrix("csr_matrix", one_hot))}) {
    const Dataset dataset = pickled_npz({{"adj_matrix", PathMatrix().npy()}, {"node_label", labels}});
    EXPECT_EQ(dataset.labels, (std::vector<ClassId>{2, kUnknown, 0, 1}));
    EXPECT_EQ(dataset.classes(), 3);
  }
  Parts two = one_hot;
  two[3].second = write.array<float>({1, 2, 1});
  EXPECT_EQ(pickled_error({{"adj_matrix", PathMatrix().npy()},
                           {"node_label", write.npy(write.matrix("csr_matrix", two))}}),
            "array 'node_label': row 2 is not one-hot; a single 1 is needed, or none");
}

TEST(PickledNpz, TakesNoneForNothing) {
  const std::string none = PickleWriter().npy("N");
  const Dataset dataset =
      pickled_npz({{"adj_matrix", PathMatrix().npy()}, {"node_attr", none}, {"node_label", none}});
  EXPECT_EQ(dataset.graph, kPickledPath);
  EXPECT_FALSE(dataset.features.present());
  EXPECT_EQ(dataset.labels, std::vector<ClassId>(4, kUnknown));
  EXPECT_TRUE(dataset.notes.empty());
  EXPECT_EQ(pickled_error({{"adj_matrix", none}}),
            "no graph (adj_data, adj_indices, adj_indptr, adj_shape) and no features (attr_matrix); it has: "
            "adj_matrix");
}

// The graph with two classes, and something more.
Dataset path_beside(const std::string& name, const std::string& npy) {
  return pickled_npz({{"adj_matrix", PathMatrix().npy()},
                      {"node_label", test::npy<std::int64_t>({0, 1, 0, -1})},
                      {name, npy}});
}

TEST(PickledNpz, TakesNamesWhereTheyAreClear) {
  const PickleWriter write;
  const std::string red = write.text("red"), blue = write.text("bl\u00fc");
  for (const std::string& npy : {write.npy({2}, {red, blue}), write.npy(write.list({red, blue})),
                                 write.npy(write.tuple({red, blue}))}) {
    EXPECT_EQ(path_beside("class_names", npy).class_names, (Names{"red", "bl\u00fc"}));
  }
  const std::string zero = write.number(0), one = write.number(1);
  EXPECT_EQ(path_beside("idx_to_class", write.npy("}(" + one + blue + zero + red + "u")).class_names,
            (Names{"red", "bl\u00fc"}));
  // Too few, the same twice, not UTF-8, no texts, numbered otherwise, no data at all.
  for (const std::string& npy :
       {write.npy({1}, {red}), write.npy({2}, {red, red}), write.npy({2}, {red, write.text("\xff")}),
        write.npy({2}, {red, "N"}), write.npy("N"), write.npy(write.named("os", "system"))}) {
    const Dataset dataset = path_beside("class_names", npy);
    EXPECT_EQ(dataset.class_names, (Names{"0", "1"}));
    EXPECT_EQ(dataset.notes,
              Names{"class_names left out: what is pickled in it is no list of different texts, one each"});
  }
  for (const std::string& npy :
       {write.npy("}(" + one + red + "u"), write.npy("}(" + zero + red + zero + blue + "u"),
        write.npy("}(" + zero + red + write.number(2) + blue + "u"), write.npy("}(" + red + one + "u"),
        write.npy("}(" + zero + one + one + red + "u"), write.npy(write.named("os", "system")),
        test::pickled_npy()}) {
    const Dataset dataset = path_beside("idx_to_class", npy);
    EXPECT_EQ(dataset.class_names, (Names{"0", "1"}));
    EXPECT_EQ(dataset.notes, Names{"arrays not read: idx_to_class"});
  }
}

TEST(PickledNpz, PassesOverWhatItDoesNotKnow) {
  const PickleWriter write;
  for (const std::string& npy : {write.npy(write.dict({{"source", "N"}})),
                                 write.npy(write.named("os", "system")), test::npy("|O", {}, "no pickle")}) {
    const Dataset dataset = path_beside("metadata", npy);
    EXPECT_EQ(dataset.graph, kPickledPath);
    EXPECT_EQ(dataset.notes, Names{"arrays not read: metadata"});
  }
}

TEST(PickledNpz, ReadsTheSamePublicFileAsWithPlainArrays) {
  const auto pickled = test::public_data("more/acm_pickled.npz"), plain = test::public_data("more/acm.npz");
  if (pickled.empty() || plain.empty())
    GTEST_SKIP() << "SKIPPED: needs more/acm_pickled.npz and more/acm.npz";
  Threads threads(2);
  const Dataset one = read_npz(pickled, {}, threads), other = read_npz(plain, {}, threads);
  EXPECT_EQ(fingerprint(one).whole(), fingerprint(other).whole());
  EXPECT_EQ(one.labels, other.labels);
}

// What a damaged or hostile file may hold in the place of a matrix.
TEST(HostilePickle, IsRefusedInOneLine) {
  const PickleWriter write;
  const auto graph_error = [](const std::string& npy) { return pickled_error({{"adj_matrix", npy}}); };
  const auto object_error = [&](const std::string& object) { return graph_error(write.npy(object)); };
  const auto part_error = [&](const char* format, const std::string& part, const std::string& by) {
    return graph_error(PathMatrix{.name = format + "_matrix"s}.npy_with(part, by));
  };
  const auto integers = [&](std::vector<std::int32_t> values) { return write.array(values); };
  const std::string only =
      ", which is not data; only numpy arrays, scipy matrices of format csr, csc and coo, and plain "
      "containers "
      "are read";

  // Other objects, and such as would be run.
  EXPECT_NE(object_error(write.named("os", "system") + write.tuple({write.text("true")}) + "R")
                .find(": pickle names 'os.system'" + only),
            std::string::npos);
  EXPECT_NE(object_error(write.matrix("lil_matrix", {})).find("'scipy.sparse._lil.lil_matrix'" + only),
            std::string::npos);
  EXPECT_NE(object_error(write.text("eval") + write.tuple({}) + "R").find("the pickle calls a text"),
            std::string::npos);
  EXPECT_NE(object_error("NN\x93").find("names a class by None and None; texts are needed"),
            std::string::npos);
  EXPECT_EQ(object_error(write.dict({})),
            "array 'adj_matrix' holds a dict; a scipy matrix, a numpy array or None is needed");
  EXPECT_EQ(
      object_error(write.array<float>({0, 1, 1, 0}, {2, 2})),
      "array 'adj_matrix' is a whole matrix; save it sparse: adj_data, adj_indices, adj_indptr, adj_shape");
  EXPECT_EQ(graph_error(test::pickled_npy()),
            "array 'adj_matrix' holds a list in place of an array of objects");
  EXPECT_EQ(graph_error(write.npy({2}, {"N", write.text("a")})),
            "array 'adj_matrix' holds a text in place of a number");

  // Sizes that are only declared.
  EXPECT_NE(object_error("\x8e\xff\xff\xff\xff\xff\xff\xff\x7f"s).find("the file is cut short"),
            std::string::npos);
  EXPECT_NE(
      graph_error(test::npy("|O", {}, "\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\xff."s)).find("cut short"),
      std::string::npos);
  EXPECT_EQ(graph_error(write.npy({1LL << 62}, {"N"})),
            "array 'adj_matrix': 1 objects in an array of shape (4611686018427387904)");
  EXPECT_NE(object_error(write.array("<f8", {1LL << 62, 1LL << 62}, "")).find("does not fit its 0 bytes"),
            std::string::npos);
  EXPECT_NE(object_error(write.array("<f8", {-1, -1}, "12345678")).find("whole numbers from 0 up"),
            std::string::npos);
  EXPECT_EQ(part_error("csr", "_shape", write.shape({2000000000, 2000000000})),
            "array 'adj_matrix': indptr has shape (5), but 2000000001 entries are needed: one per row, and "
            "one more");
  EXPECT_EQ(part_error("csc", "_shape", write.shape({2000000000, 4})),
            "array 'adj_matrix': _shape: 2000000000 rows for 4 entries; number the rows from 0 up");
  EXPECT_EQ(part_error("coo", "_shape", write.shape({2000000000, 2000000000})),
            "array 'adj_matrix': _shape: 2000000000 rows for 4 entries; number the rows from 0 up");
  EXPECT_EQ(
      part_error("csr", "_shape", write.shape({1LL << 40, 4})),
      "array 'adj_matrix': _shape: entry 0 is 1099511627776; it must be a whole number from -2147483648 to "
      "2147483647");

  // Values in circles and in depth: a list in itself, a matrix in its own state, a million tuples.
  EXPECT_EQ(object_error("]\x94h\x00"
                         "a"s)
                .find("array 'adj_matrix'"),
            0u);
  EXPECT_EQ(
      object_error(write.named("scipy.sparse._csr", "csr_matrix") + ")\x81r\x07\0\0\0}("s +
                   write.text("_shape") + write.shape({4, 4}) + write.text("indptr") + "j\x07\0\0\0ub"s),
      "array 'adj_matrix': indptr holds a scipy matrix; a numpy array is needed");
  EXPECT_EQ(object_error("N" + std::string(1'000'000, '\x85')),
            "array 'adj_matrix' holds a tuple; a scipy matrix, a numpy array or None is needed");
  EXPECT_NE(object_error(std::string(1'000'000, '(')), "");

  // Parts that do not fit each other.
  EXPECT_EQ(part_error("csr", "_shape", write.shape({4, 5})),
            "array 'adj_matrix' is (4, 5); the matrix of a graph is square");
  EXPECT_EQ(part_error("csr", "_shape", "N"), "array 'adj_matrix': _shape holds None; a tuple is needed");
  EXPECT_EQ(part_error("csr", "_shape", write.shape({4})),
            "array 'adj_matrix': _shape has shape (1), but 2 entries are needed: rows and columns");
  EXPECT_EQ(part_error("csr", "indices", "N"),
            "array 'adj_matrix': indices holds None; a numpy array is needed");
  EXPECT_EQ(part_error("csr", "indices", integers({1, 0, 4, 1})),
            "array 'adj_matrix': indices: entry 2 is 4; it must be from 0 to 3");
  EXPECT_EQ(part_error("csc", "indices", integers({1, 0, -1, 1})),
            "array 'adj_matrix': indices: entry 2 is -1; it must be from 0 to 3");
  EXPECT_EQ(part_error("csr", "indptr", integers({0, 3, 1, 4, 4})),
            "array 'adj_matrix': indptr: entry 2 is 1, after 3; entries must not decrease");
  EXPECT_EQ(part_error("csc", "indptr", integers({0, 1, 2, 3, 5})),
            "array 'adj_matrix': indices has shape (4), but 5 entries are needed: indptr ends with that");
  EXPECT_EQ(part_error("coo", "row", integers({0, 1, 9, 1})),
            "array 'adj_matrix': row: entry 2 is 9; it must be from 0 to 3");
  EXPECT_EQ(part_error("coo", "col", integers({0, 1, 1})),
            "array 'adj_matrix': col has shape (3), but 4 entries are needed: row has as many");
  EXPECT_EQ(part_error("coo", "row", write.array<std::int32_t>({0, 1, 2, 1}, {2, 2})),
            "array 'adj_matrix': row has shape (2, 2), but 4 entries are needed: one each");
  EXPECT_EQ(part_error("coo", "data", write.array<float>({1, 1, 1})),
            "array 'adj_matrix': data has shape (3), but 4 entries are needed: row has as many");
  EXPECT_EQ(part_error("coo", "data", write.array<float>({1, 1, -2, 1})),
            "array 'adj_matrix': row 2, column 1 is -2; a weight must be finite and 0 or more");
}

}  // namespace
}  // namespace heatfront
