// SPDX-License-Identifier: MIT
// Partitioned folders: what was written comes back row by row, and what is damaged or foreign is refused by name.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "heatfront_io/formats/generated.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/partitions/read_partition.h"
#include "heatfront_io/partitions/write_partition.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
using test::error_text;
using test::TemporaryFolder;

// Row by row: the neighbours and weights that the whole graph has, in its order.
void expect_rows_of(const Dataset& whole, const fs::path& folder) {
  Threads threads(2);
  const PartitionIndex index = read_index(folder);
  EXPECT_EQ(index.nodes, whole.nodes());
  EXPECT_EQ(index.arcs, whole.graph.arcs());
  EXPECT_EQ(index.weighted, !whole.weights.empty());
  const RankGraph graph = read_rank_graph(folder, index, Cluster::alone(), threads);
  std::int64_t rows = 0;
  for (const RowBlock& block : graph.inside) {
    for (std::int64_t i = 0; i < block.rows(); ++i, ++rows) {
      const NodeId u = graph.ids[at(block.first + i)];
      const ArcId begin = block.offsets[at(i)], begin_in_whole = whole.graph.begin_of(u);
      ASSERT_EQ(block.offsets[at(i) + 1] - begin, whole.graph.degree(u));
      for (ArcId arc = 0; arc < whole.graph.degree(u); ++arc) {
        const std::int64_t row = block.first + block.targets[at(begin + arc)];
        EXPECT_EQ(graph.ids[at(row)], whole.graph.targets()[at(begin_in_whole + arc)]);
        if (!whole.weights.empty()) {
          EXPECT_EQ(block.weights[at(begin + arc)], whole.weights[at(begin_in_whole + arc)]);
        }
      }
    }
  }
  EXPECT_EQ(rows, whole.nodes());
}

TEST(PartitionFolder, HasTheRowsOfTheGraphAndWhatIsSaidOfItsNodes) {
  const TemporaryFolder temporary;
  Threads threads(1);
  const Dataset karate = open_dataset("karate", {}, threads);
  for (const auto& [method, parts] : {std::pair("stream", 3), {"block", 4}, {"block", 36}}) {
    const fs::path folder = temporary / (std::string(method) + std::to_string(parts) + ".hfp");
    PartitionOptions options;
    options.method = method;
    options.parts = parts;
    write_partition(karate, options, folder, {});
    expect_rows_of(karate, folder);
    const Dataset nodes = read_partition_nodes(folder, read_index(folder), threads);
    EXPECT_EQ(nodes.name, "karate");
    EXPECT_EQ(nodes.labels, karate.labels);
    EXPECT_EQ(nodes.class_names, karate.class_names);
  }
}

TEST(PartitionFolder, TakesPartsFromAFile) {
  const TemporaryFolder temporary;
  Threads threads(1);
  const Dataset path = open_dataset("path:nodes=4", {}, threads);
  PartitionOptions options;
  options.method = "file";
  options.parts = 2;
  options.file = temporary.write("parts.txt", "1\n0\n1\n0\n");
  const PartitionIndex index = write_partition(path, options, temporary / "p.hfp", {});
  EXPECT_EQ(index.parts[0].count.rows, 2);
  EXPECT_EQ(index.parts[0].count.cut, 3);
  expect_rows_of(path, temporary / "p.hfp");
  options.file = temporary.write("short.txt", "1\n0\n");
  EXPECT_NE(error_text([&] {
              write_partition(path, options, temporary / "q.hfp", {});
            }).find("short.txt: the parts of 2 nodes; the graph has 4"),
            std::string::npos);
  options.file = temporary.write("wrong.txt", "1\n0\n2\n0\n");
  EXPECT_NE(error_text([&] {
              write_partition(path, options, temporary / "q.hfp", {});
            }).find("wrong.txt: line 3: '2' is no part; they are 0 to 1"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(temporary / "q.hfp"));
}

TEST(PartitionFolder, OfStreamedEdgesHasTheRowsOfTheGraphBuiltInMemory) {
  const TemporaryFolder temporary;
  Threads threads(2);
  for (const std::string name :
       {"rmat:scale=12,arcs=400000,seed=5", "rmat:scale=12,arcs=400000,seed=5,weighted=1,classes=3"}) {
    const Dataset whole = open_dataset(name, {}, threads);
    EXPECT_TRUE(is_streamed(name));
    const fs::path folder = temporary / (std::to_string(name.size()) + ".hfp");
    PartitionOptions options;
    options.parts = 3;
    options.memory_limit = 300000;  // several ranges
    stream_partition(name, options, folder, threads, {});
    expect_rows_of(whole, folder);
    EXPECT_EQ(read_partition_nodes(folder, read_index(folder), threads).labels, whole.labels);
    EXPECT_FALSE(fs::exists(folder / "rows"));
  }
}

class DamagedPartition : public testing::Test {
 protected:
  DamagedPartition() {
    PartitionOptions options;
    options.parts = 2;
    write_partition(open_dataset("karate", {}, threads_), options, folder_, {});
  }

  // What reading says, without the path of the folder.
  std::string reading() {
    std::string text = error_text([&] {
      const PartitionIndex index = read_index(folder_);
      read_partition_nodes(folder_, index, threads_);
      read_rank_graph(folder_, index, Cluster::alone(), threads_);
    });
    const std::string path = folder_.string() + "/";
    for (std::size_t at_path = text.find(path); at_path != text.npos; at_path = text.find(path))
      text.erase(at_path, path.size());
    return text;
  }
  void flip_byte(const std::string& name, int from_end) {
    std::fstream file(folder_ / name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(-from_end, std::ios::end);
    const int byte = file.get();
    file.seekp(-from_end, std::ios::end);
    file.put(static_cast<char>(byte ^ 1));
  }

  TemporaryFolder temporary_;
  Threads threads_{1};
  fs::path folder_ = temporary_ / "k.hfp";
};

constexpr std::string_view kForeign =
    ": it is not what index.json was written with: damaged, or of another partition";

TEST_F(DamagedPartition, IsRefusedByTheNameOfTheFile) {
  for (const std::string name :
       {"part-0000/offsets.npy", "part-0001/targets.npy", "part-0001/node_ids.npy", "nodes.npz"}) {
    flip_byte(name, 3);
    EXPECT_EQ(reading(), name + std::string(kForeign));
    flip_byte(name, 3);
  }
  EXPECT_EQ(reading(), "");
}

TEST_F(DamagedPartition, IsRefusedWhereAPartIsOfAnotherPartition) {
  fs::copy_file(folder_ / "part-0000/targets.npy", folder_ / "part-0001/targets.npy",
                fs::copy_options::overwrite_existing);
  EXPECT_EQ(reading(), "part-0001/targets.npy" + std::string(kForeign));
}

TEST_F(DamagedPartition, IsRefusedWhereAFileIsMissing) {
  fs::remove(folder_ / "part-0001/targets.npy");
  EXPECT_EQ(reading(), "part-0001/targets.npy: cannot be read: No such file or directory");
  fs::remove(folder_ / "index.json");
  EXPECT_NE(reading().find("there is no index.json in it"), std::string::npos);
}

TEST_F(DamagedPartition, IsRefusedWhereTheIndexWasChanged) {
  flip_byte("index.json", 30);
  const std::string text = reading();
  EXPECT_TRUE(text.starts_with("index.json: ")) << text;
}

TEST_F(DamagedPartition, IsNotWrittenOver) {
  EXPECT_NE(error_text([&] { write_partition(open_dataset("karate", {}, threads_), {}, folder_, {}); }), "");
  EXPECT_EQ(reading(), "");
}

}  // namespace
}  // namespace heatfront
