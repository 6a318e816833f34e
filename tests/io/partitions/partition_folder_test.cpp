// SPDX-License-Identifier: MIT
// Partitioned folders: what was written comes back row by row, and what is damaged or foreign is refused by name.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>

#include "heatfront/base/random.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/partitions/read_partition.h"
#include "heatfront_io/partitions/write_partition.h"
#include "support/error_text.h"
#include "support/gzip.h"
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

// Names and bytes of all files.
std::map<std::string, std::string> content_of(const fs::path& folder) {
  std::map<std::string, std::string> content;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file())
      content[entry.path().lexically_relative(folder)] = test::file_text(entry.path());
  }
  return content;
}

// Lines of two nodes and a weight of eighths: loops, zeros, repeats, edges given in one direction or, unevenly, in both.
std::string messy_edges(std::int64_t count, std::int64_t nodes, std::string_view separator, bool weighted,
                        std::int64_t first_node) {
  const Random random(7);
  std::string text;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
    const std::uint64_t limit = i % 3 == 0 ? 10 : static_cast<std::uint64_t>(nodes);
    text += fmt::format("{}{}{}", first_node + static_cast<std::int64_t>(random.below(limit, 3 * i)),
                        separator, first_node + static_cast<std::int64_t>(random.below(limit, 3 * i + 1)));
    if (weighted)
      text += fmt::format("{}{}", separator, static_cast<double>(random.below(24, 3 * i + 2)) / 8);
    text += '\n';
  }
  return text;
}

class StreamedPartition : public testing::Test {
 protected:
  // The folder of arcs that were never held is that of the graph built in memory, file by file, and so is what was changed.
  void expect_same(const std::string& data, const ReadOptions& reading = {}) {
    SCOPED_TRACE(data);
    PartitionOptions options;
    options.parts = 3;
    const fs::path whole = temporary_ / fmt::format("whole{}.hfp", ++count_),
                   streamed = temporary_ / fmt::format("streamed{}.hfp", count_);
    const Dataset held = open_dataset(data, reading, threads_);
    write_partition(held, options, whole, {});
    options.memory_limit = 20000;  // several ranges, part by part
    const WrittenPartition written = partition_data(data, reading, options, streamed, threads_, {});
    EXPECT_EQ(written.data.graph.arcs(), 0);  // it was not held
    EXPECT_TRUE(content_of(whole) == content_of(streamed));
    EXPECT_EQ(written.data.notes, held.notes);
    for (const auto field : {&BuildReport::loops, &BuildReport::zeros, &BuildReport::repeats,
                             &BuildReport::one_way, &BuildReport::uneven})
      EXPECT_EQ(written.data.changes.*field, held.changes.*field);
  }

  TemporaryFolder temporary_;
  Threads threads_{2};
  int count_ = 0;
};

TEST_F(StreamedPartition, OfGeneratedEdgesIsThatOfTheGraphBuiltInMemory) {
  expect_same("grid:rows=70,cols=30,classes=3");
  expect_same("grid:rows=9,cols=1");
  expect_same("grid:rows=1,cols=9");
  expect_same("rmat:scale=10,arcs=40000,seed=5");
  expect_same("rmat:scale=10,arcs=40000,seed=5,weighted=1,classes=3");
}

TEST_F(StreamedPartition, OfTablesIsThatOfTheGraphBuiltInMemory) {
  for (const bool weighted : {false, true}) {
    const std::string folder = weighted ? "weighted" : "plain";
    temporary_.write(folder + "/edges.csv", (weighted ? "source,target,weight\n" : "source,target\n") +
                                                messy_edges(4000, 300, ",", weighted, 1000) + "5000\n");
    temporary_.write(folder + "/labels.csv", "node,label\n1003,a\n1001,b\n6000,a\n");
    expect_same((temporary_ / folder).string());
  }
  temporary_.write("names.tsv", "anna\tbob\nbob\tcarla\ncarla\tanna\ncarla\tdora\n");
  expect_same((temporary_ / "names.tsv").string());
  temporary_.write("packed.csv.gz", test::gzipped(messy_edges(3000, 200, ",", false, 0)) +
                                        test::gzipped(messy_edges(3000, 100, ",", false, 0)));
  expect_same((temporary_ / "packed.csv.gz").string());
}

TEST_F(StreamedPartition, OfMatrixMarketAndOgbFilesIsThatOfTheGraphBuiltInMemory) {
  for (const std::string kind : {"pattern general", "real general", "pattern symmetric", "real symmetric"}) {
    const bool weighted = kind.starts_with("real");
    temporary_.write(kind + ".mtx", fmt::format("%%MatrixMarket matrix coordinate {}\n300 300 4000\n", kind) +
                                        messy_edges(4000, 300, " ", weighted, 1));
    expect_same((temporary_ / (kind + ".mtx")).string());
  }
  temporary_.write("ogb/raw/num-node-list.csv", "300\n");
  temporary_.write("ogb/raw/edge.csv.gz", test::gzipped(messy_edges(4000, 300, ",", false, 0)));
  expect_same((temporary_ / "ogb").string());
}

TEST_F(StreamedPartition, OfArraysIsThatOfTheGraphBuiltInMemory) {
  const Random random(3);
  std::vector<std::int32_t> targets;
  std::vector<float> weights;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    targets.push_back(static_cast<std::int32_t>(random.below(i < 400 ? 4 : 200, i)));
    weights.push_back(static_cast<float>(random.below(16, 10000 + i)) / 8);
  }
  std::vector<std::int32_t> offsets(201, 4000);  // the last rows are empty
  for (std::size_t u = 0; u < 160; ++u) offsets[u] = static_cast<std::int32_t>(25 * u);
  for (const bool weighted : {false, true}) {
    const fs::path path = temporary_ / (weighted ? "weighted.npz" : "plain.npz");
    NpzWriter matrix(path);
    matrix.add("adj_indptr", offsets);
    matrix.add("adj_indices", targets);
    matrix.add("adj_data", weighted ? weights : std::vector<float>(4000, 1.0f));
    matrix.add("adj_shape", std::vector<std::int64_t>{200, 200});
    matrix.add("labels", std::vector<std::int64_t>(200, 1));
    matrix.commit();
    expect_same(path.string());
  }
  std::vector<std::int64_t> ends;
  for (std::uint64_t i = 0; i < 8000; ++i) ends.push_back(static_cast<std::int64_t>(random.below(300, i)));
  std::vector<float> features;
  for (std::uint64_t i = 0; i < 600; ++i) features.push_back(static_cast<float>(random.uniform(i)));
  for (const Packing packing : {Packing::stored, Packing::deflated}) {
    const std::string name = packing == Packing::stored ? "stored" : "deflated";
    fs::create_directories(temporary_ / (name + "/raw"));
    NpzWriter data(temporary_ / (name + "/raw/data.npz"), packing);
    data.add("num_nodes_list", std::vector<std::int64_t>{300});
    data.add("edge_index", ends, {2, 4000});
    data.add("node_feat", features, {300, 2});
    data.commit();
    std::vector<float> labels(300, 2.0f);
    labels[7] = std::numeric_limits<float>::quiet_NaN();
    NpzWriter of_nodes(temporary_ / (name + "/raw/node-label.npz"), packing);
    of_nodes.add("node_label", labels, {300, 1});
    of_nodes.commit();
    expect_same((temporary_ / name).string());
    const Dataset read = open_dataset((temporary_ / name).string(), {}, threads_);
    EXPECT_EQ(read.nodes(), 300);
    EXPECT_EQ(read.features.cols(), 2);
    EXPECT_EQ(read.labels[6], 2);
    EXPECT_EQ(read.labels[7], kUnknown);
    EXPECT_GT(read.graph.arcs(), 7000);
  }
}

TEST_F(StreamedPartition, RefusesWhatTheReaderRefuses) {
  const auto partition = [&](const std::string& data, const ReadOptions& reading) {
    return error_text([&] { partition_data(data, reading, {}, temporary_ / "x.hfp", threads_, {}); });
  };
  const std::string one_way = temporary_.write("one_way.csv", "a,b\nb,a\nb,c\n"),
                    wrong = temporary_.write("wrong.csv", "source,target,weight\na,b,1\nb,c,-2\n"),
                    cut_short = temporary_.write("short.csv.gz", test::gzipped("a,b\nb,c\n").substr(0, 20));
  EXPECT_EQ(partition(one_way, {.refuse_one_way = true}),
            error_text([&] { open_dataset(one_way, {.refuse_one_way = true}, threads_); }));
  EXPECT_EQ(partition(wrong, {}), error_text([&] { open_dataset(wrong, {}, threads_); }));
  EXPECT_NE(partition(cut_short, {}).find("short.csv.gz: damaged gzip file, or it ends too early"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(temporary_ / "x.hfp"));
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
