// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "heatfront_io/formats/readers.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using Names = std::vector<std::string>;
using ClassIds = std::vector<ClassId>;
using Columns = std::vector<std::int32_t>;

Dataset musae_in(const std::filesystem::path& path) {
  Threads threads(2);
  return read_musae(path, {}, threads);
}

class MusaeFolder {
 public:
  MusaeFolder() {
    put("x_edges.csv", "id_1,id_2\n0,1\n1,2\n");
    put("x_features.json", R"({"2": [0, 3], "0": [1, 1], "1": []})");
    put("x_target.csv", "id,name,ml_target\n0,ann,1\n1,bob,0\n3,cy,1\n2,di,0\n");
  }
  std::filesystem::path path() const { return folder_ / "x"; }
  void put(const std::string& name, const std::string& text) const { folder_.write("x/" + name, text); }
  std::string error_with(const std::string& name, const std::string& text) const {
    put(name, text);
    const std::string error = test::error_text([&] { musae_in(path()); });
    return error.substr(std::min(error.size(), path().string().size() + 1));
  }

 private:
  test::TemporaryFolder folder_;
};

TEST(Musae, ReadsAFolder) {
  const MusaeFolder folder;
  EXPECT_TRUE(is_musae(folder.path()));
  const Dataset data = musae_in(folder.path());
  EXPECT_EQ(data.name, "x");
  EXPECT_EQ(data.nodes(), 4);
  EXPECT_EQ(data.graph.edges(), 2);
  EXPECT_EQ(data.labels, (ClassIds{1, 0, 0, 1}));
  const SparseMatrix& features = *data.features.sparse();
  EXPECT_EQ(features.cols, 4);
  EXPECT_EQ(features.columns, (Columns{1, 0, 3}));
  EXPECT_EQ(features.values, (std::vector<Real>{1, 1, 1}));
  EXPECT_EQ(data.notes, (Names{(folder.path() / "x_edges.csv").string() + ": edges go from 'id_1' to 'id_2'",
                               (folder.path() / "x_target.csv").string() + ": columns not used: name"}));
}

TEST(Musae, ReadsListsOfFractionsAsDenseRows) {
  const MusaeFolder folder;
  folder.put("x_features.json", R"({"3": [1, 2], "2": [0.5, -1e-1], "0": [3, 4], "1": [5, 6]})");
  const Dataset data = musae_in(folder.path());
  ASSERT_TRUE(data.features.dense());
  EXPECT_EQ((*data.features.dense())(2, 0), Real(0.5));
  EXPECT_EQ((*data.features.dense())(3, 1), 2);
}

TEST(Musae, TakesTheNewIdAndTheLabelOfTwitch) {
  const MusaeFolder folder;
  folder.put("x_target.csv",
             "id,days,mature,views,partner,new_id\n900,5,True,7,False,1\n901,5,False,7,False,0\n");
  EXPECT_EQ(musae_in(folder.path()).class_names, (Names{"False", "True"}));
  EXPECT_EQ(musae_in(folder.path()).labels, (ClassIds{0, 1, kUnknown}));
}

TEST(Musae, NamesThePlaceOfAMistake) {
  const auto error = [](const std::string& json) {
    return MusaeFolder().error_with("x_features.json", json);
  };
  const std::string expected = "; an object with a list of numbers per node is expected";
  EXPECT_EQ(error("{\"0\": [1, 2"), "x_features.json: not JSON at byte 12" + expected);
  EXPECT_EQ(error("[1, 2]"), "x_features.json: a list at the start" + expected);
  EXPECT_EQ(error("7"), "x_features.json: a number at the start" + expected);
  EXPECT_EQ(error(R"({"0": 5})"), "x_features.json: a number at node '0'" + expected);
  EXPECT_EQ(error(R"({"0": [1], "1": ["a"]})"), "x_features.json: a string at node '1'" + expected);
  EXPECT_EQ(error(R"({"0": [null]})"), "x_features.json: null at node '0'" + expected);
  EXPECT_EQ(error(R"({"0": {"a": 1}})"), "x_features.json: an object at node '0'" + expected);
  EXPECT_EQ(error("{\"0\": " + std::string(100000, '[')), "x_features.json: a list at node '0'" + expected);
  EXPECT_EQ(error(R"({"0": [1], "0": [2]})"), "x_features.json: node '0' has two lists; give it one");
  EXPECT_EQ(error(R"({"": [2]})"), "x_features.json: a list belongs to no node; its name is empty");
  EXPECT_EQ(error(R"({"a\u0000": [2]})"),
            "x_features.json: node 'a\\x00' has a control character in its name; leave it out");
  EXPECT_EQ(error(R"({"0": [-1]})"), "x_features.json: node '0' has feature -1; indices are 0 to 100000000");
  EXPECT_EQ(error(R"({"0": [9000000000]})"),
            "x_features.json: node '0' has feature 9000000000; indices are 0 to 100000000");
  EXPECT_EQ(error(R"({"0": [0.5], "1": [1, 2]})"),
            "x_features.json: node '1' has 2 values, but node '0' has 1");
  EXPECT_EQ(error(R"({"0": [0.5], "1": [1]})"),
            "x_features.json: values of 2 nodes, but there are 4; give every node a list");
  EXPECT_EQ(MusaeFolder().error_with("x_target.csv", "id,target\n0,1\n1\n"),
            "x_target.csv:3: 1 column, but line 1 has 2");
  EXPECT_EQ(MusaeFolder().error_with("x_target.csv", "id,target\n,1\n"),
            "x_target.csv:2: no node; every row needs its id");
  EXPECT_EQ(MusaeFolder().error_with("y_edges.csv", "0,1\n"),
            " x_edges.csv and y_edges.csv are two files of the same kind; put each data set into a folder of "
            "its own");
}

}  // namespace
}  // namespace heatfront
