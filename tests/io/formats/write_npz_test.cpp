// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/formats/writers.h"
#include "support/public_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::TemporaryFolder;
using Texts = std::vector<std::string>;

Dataset through_npz(const Dataset& dataset) {
  const TemporaryFolder folder;
  write_npz(dataset, folder / "again.npz");
  EXPECT_EQ(test::files_in(folder.path()), 1u);
  Threads threads(1);
  return read_npz(folder / "again.npz", {.refuse_one_way = true}, threads);
}

void expect_same(const Dataset& found, const Dataset& expected) {
  const DatasetFingerprint have = fingerprint(found), need = fingerprint(expected);
  EXPECT_EQ(have.graph, need.graph);
  EXPECT_EQ(have.features, need.features);
  EXPECT_EQ(have.labels, need.labels);
  EXPECT_EQ(have.split, need.split);
  EXPECT_EQ(found.class_names, expected.class_names);
  EXPECT_EQ(found.node_names, expected.node_names);
  EXPECT_TRUE(found.notes.empty());
}

// The path 0 – 1 – 2 and the single node 3, with all that a data set can have.
Dataset full_dataset() {
  Matrix features(4, 2);
  features(0, 1) = Real(0.1);
  features(3, 0) = -2;
  return {.name = "full",
          .graph = Graph({0, 1, 3, 4, 4}, {1, 0, 2, 1}),
          .weights = {Real(0.1), Real(0.1), 3, 3},
          .features = Features(std::move(features)),
          .labels = {1, kUnknown, 0, kUnknown},
          .class_names = {"cat", "d\u00f6g", "cow"},
          .node_names = {"a", "b", "c", "long name"},
          .split = Split{.name = "by hand", .train = {0}, .validation = {}, .test = {2}}};
}

TEST(WriteNpz, KeepsEverything) { expect_same(through_npz(full_dataset()), full_dataset()); }

TEST(WriteNpz, KeepsSparseFeatures) {
  Dataset dataset = full_dataset();
  dataset.features = Features(SparseMatrix{
      .rows = 4, .cols = 9, .offsets = {0, 1, 1, 3, 3}, .columns = {8, 0, 4}, .values = {1, 2, Real(0.3)}});
  expect_same(through_npz(dataset), dataset);
}

TEST(WriteNpz, KeepsGraphsWithoutAnythingElse) {
  const Dataset edges{.graph = Graph({0, 1, 2, 2}, {1, 0}), .labels = {kUnknown, kUnknown, kUnknown}};
  expect_same(through_npz(edges), edges);
  const Dataset lonely{
      .graph = Graph::without_edges(3), .labels = {0, kUnknown, 1}, .class_names = {"0", "1"}};
  expect_same(through_npz(lonely), lonely);
}

TEST(WriteNpz, KeepsPoints) {
  Dataset dataset = full_dataset();
  dataset.graph = Graph::without_edges(4);
  dataset.weights = {};
  const TemporaryFolder folder;
  write_npz(dataset, folder / "points.npz");
  EXPECT_FALSE(NpzReader(folder / "points.npz").has("adj_shape"));
  expect_same(through_npz(dataset), dataset);
}

TEST(WriteNpz, KeepsClassesThatNoNodeHas) {
  Dataset dataset = full_dataset();
  dataset.class_names = {"0", "1", "2", "3"};
  EXPECT_EQ(through_npz(dataset).class_names, dataset.class_names);
}

TEST(WriteNpz, UsesTheTypesThatOthersExpect) {
  const TemporaryFolder folder;
  write_npz(full_dataset(), folder / "a.npz");
  const NpzReader npz(folder / "a.npz");
  EXPECT_EQ(npz.names(), (Texts{"adj_data", "adj_indices", "adj_indptr", "adj_shape", "attr_matrix", "labels",
                                "train_idx", "val_idx", "test_idx", "class_names", "node_names"}));
  EXPECT_EQ(npz.header("adj_data").type.descr, "<f4");
  EXPECT_EQ(npz.header("adj_indices").type.descr, "<i4");
  EXPECT_EQ(npz.header("adj_indptr").type.descr, "<i4");
  EXPECT_EQ(npz.header("adj_shape").type.descr, "<i8");
  EXPECT_EQ(npz.header("attr_matrix").type.descr, "<f4");
  EXPECT_EQ(npz.header("labels").type.descr, "<i8");
  EXPECT_EQ(npz.header("train_idx").type.descr, "<i8");
  EXPECT_EQ(npz.header("class_names").type.descr, "<U3");
}

TEST(WriteNpz, KeepsPublicFiles) {
  for (const char* name : {"cora.npz", "county_fb.npz"}) {
    const auto path = test::public_data(name);
    if (path.empty()) GTEST_SKIP() << "SKIPPED: needs " << name;
    Threads threads(1);
    const Dataset dataset = read_npz(path, {}, threads);
    expect_same(through_npz(dataset), dataset);
  }
}

}  // namespace
}  // namespace heatfront
