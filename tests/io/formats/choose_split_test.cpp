// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/choose_split.h"

#include <gtest/gtest.h>

#include "support/error_text.h"
#include "support/npz_file.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::error_text;
using test::npy;
using test::TemporaryFolder;
using Ids = std::vector<NodeId>;

TEST(SplitFile, ComesBackAsWritten) {
  const TemporaryFolder folder;
  const Split split{.name = "percent 40,40 seed 0", .train = {0, 4}, .validation = {}, .test = {1, 2}};
  write_split_npz(split, folder / "S.npz");
  const Split read = read_split_npz(folder / "S.npz");
  EXPECT_EQ(read.name, "file S.npz");
  EXPECT_EQ(read.train, split.train);
  EXPECT_EQ(read.validation, Ids{});
  EXPECT_EQ(read.test, split.test);
  EXPECT_EQ(read.hash(), split.hash());
}

TEST(SplitFile, IsRefusedByAnotherDataSet) {
  const TemporaryFolder folder;
  const auto data = [](std::vector<ClassId> labels, std::vector<std::string> names) {
    return Dataset{.name = "mine",
                   .graph = Graph::without_edges(static_cast<NodeId>(labels.size())),
                   .labels = std::move(labels),
                   .class_names = std::move(names)};
  };
  const Split split{.name = "mine", .train = {0, 3}, .validation = {}, .test = {1}};
  const auto path = folder / "S.npz";
  const auto error = [&](const Dataset& dataset) {
    return error_text([&] { read_split_npz(path, dataset); });
  };
  write_split_npz(split, data({0, 1, kUnknown, 1}, {"a", "b"}), path);
  EXPECT_EQ(read_split_npz(path, data({0, 1, kUnknown, 1}, {"a", "b"})).hash(), split.hash());
  EXPECT_EQ(error(data({1, 0, kUnknown, 0}, {"b", "a"})), "") << "classes in another order";
  EXPECT_EQ(error(data({0, 1, 1, 1}, {"a", "b"})), "") << "a label more";
  EXPECT_EQ(error(data({0, 1, kUnknown, 1, 1}, {"a", "b"})),
            path.string() +
                " was made for other data, with 4 nodes where mine has 5; `heatfront split` "
                "makes one for mine");
  EXPECT_EQ(error(data({0, 0, kUnknown, 1}, {"a", "b"})),
            path.string() +
                " was made for other data: its nodes have other labels in mine; `heatfront "
                "split` makes one for mine");
  write_split_npz(split, path);
  EXPECT_EQ(error(data({0, 0, 0, 0, 0}, {"a"})), "") << "a file that does not say what it was made for";
  EXPECT_NE(error(data({0, 0, 0}, {"a"})).find("names node 3"), std::string::npos);
}

TEST(SplitFile, ReadsMasksToo) {
  const TemporaryFolder folder;
  const auto path = test::write_zip(folder / "S.npz", {{"train_mask.npy", npy("|b1", {3}, {"\1\0\0", 3})},
                                                       {"test_mask.npy", npy("|b1", {3}, {"\0\1\1", 3})}});
  EXPECT_EQ(read_split_npz(path).test, (Ids{1, 2}));
}

TEST(SplitFile, TellsWhatIsNoSplit) {
  const TemporaryFolder folder;
  const auto none = test::write_zip(folder / "a.npz", {{"labels.npy", npy<float>({1})}});
  EXPECT_NE(error_text([&] { read_split_npz(none); }).find("train_idx, val_idx and test_idx"),
            std::string::npos);
  const auto twice = test::write_zip(folder / "b.npz", {{"train_idx.npy", npy<std::int32_t>({5, 1})},
                                                        {"test_idx.npy", npy<std::int32_t>({5})}});
  EXPECT_NE(error_text([&] { read_split_npz(twice); }).find("b.npz: node 5 appears twice"),
            std::string::npos);
}

}  // namespace
}  // namespace heatfront
