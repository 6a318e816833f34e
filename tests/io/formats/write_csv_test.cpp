// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "heatfront/base/random.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/formats/writers.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

Dataset through_csv(const Dataset& dataset) {
  const test::TemporaryFolder folder;
  write_csv(dataset, folder / "d");
  Threads threads(1);
  return read_csv(folder / "d", {}, threads);
}

Dataset path_of_three() {
  Dataset data;
  data.graph = Graph({0, 1, 3, 4}, {1, 0, 2, 1});
  data.labels = {kUnknown, kUnknown, kUnknown};
  return data;
}

// Numbers drawn in turn.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t n) { return random_.below(n, next_++); }
  bool coin() { return below(2) == 1; }
  Real real() {
    const Real sign = coin() ? Real(1) : Real(-1);
    return sign * static_cast<Real>(static_cast<float>(
                      std::ldexp(random_.uniform(next_++), 20 - static_cast<int>(below(150)))));
  }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

std::string odd_name(Draw& draw, std::string_view start, std::uint64_t i) {
  constexpr std::string_view kOdd[] = {"",  "#",  "%",    "\"", ",", ";", "\t",
                                       " ", "\n", "\r\n", "é",  "'", "?", "-1"};
  return std::string(kOdd[draw.below(std::size(kOdd))]) + std::string(start) + std::to_string(i) +
         std::string(kOdd[draw.below(std::size(kOdd))]);
}

Features random_features(Draw& draw, NodeId nodes) {
  const auto cols = static_cast<std::int64_t>(1 + draw.below(5));
  const std::uint64_t kind = draw.below(3);
  if (kind == 0) return {};
  if (kind == 1) {
    Matrix matrix(nodes, cols);
    for (NodeId u = 0; u < nodes; ++u) {
      for (Real& value : matrix.row(u)) value = draw.real();
    }
    return Features(std::move(matrix));
  }
  SparseMatrix matrix{.rows = nodes, .cols = cols};
  for (NodeId u = 0; u < nodes; ++u) {
    for (std::int32_t j = 0; j < cols; ++j) {
      if (draw.coin()) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(draw.real());
    }
    matrix.offsets.push_back(matrix.entries());
  }
  return Features(canonical(std::move(matrix)));
}

Dataset random_dataset(std::uint64_t seed) {
  Draw draw(seed);
  const auto nodes = static_cast<NodeId>(1 + draw.below(9));
  const auto any_node = [&] { return static_cast<NodeId>(draw.below(static_cast<std::uint64_t>(nodes))); };
  const bool weighted = draw.coin();
  ArcList arcs{.nodes = nodes};
  for (std::uint64_t i = draw.below(15); i > 0; --i) {
    arcs.from.push_back(any_node());
    arcs.to.push_back(any_node());
    if (weighted) arcs.weights.push_back(std::abs(draw.real()));
  }
  Threads threads(1);
  WeightedGraph built = build_graph(std::move(arcs), threads);
  Dataset data{.graph = std::move(built.graph), .weights = std::move(built.weights)};
  data.features = random_features(draw, nodes);
  const std::uint64_t classes = draw.below(4);
  for (std::uint64_t c = 0; c < classes; ++c) {
    data.class_names.push_back(seed % 3 == 0 ? std::to_string(c) : odd_name(draw, "k", c));
  }
  for (NodeId u = 0; u < nodes; ++u) {
    data.labels.push_back(static_cast<ClassId>(draw.below(classes + 1)) - 1);
    if (seed % 2 == 1) data.node_names.push_back(odd_name(draw, "n", static_cast<std::uint64_t>(u)));
  }
  if (draw.coin()) {
    data.split = Split{.name = "file"};
    std::vector<NodeId>* const parts[] = {&data.split->train, &data.split->validation, &data.split->test};
    for (NodeId u = 0; u < nodes; ++u) {
      const std::uint64_t part = draw.below(4);
      if (part < 3) parts[part]->push_back(u);
    }
  }
  return data;
}

TEST(WriteCsv, ReadsBackToTheSameFingerprintNamesAndClasses) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Dataset data = random_dataset(seed);
    const Dataset back = through_csv(data);
    const DatasetFingerprint before = fingerprint(data), after = fingerprint(back);
    EXPECT_EQ(after.graph, before.graph) << "seed " << seed;
    EXPECT_EQ(after.features, before.features) << "seed " << seed;
    EXPECT_EQ(after.labels, before.labels) << "seed " << seed;
    EXPECT_EQ(after.split, before.split) << "seed " << seed;
    EXPECT_EQ(back.class_names, data.class_names) << "seed " << seed;
    EXPECT_EQ(back.node_names, data.node_names) << "seed " << seed;
    EXPECT_EQ(back.notes, Names{}) << "seed " << seed;
  }
}

TEST(WriteCsv, WritesWhatAPersonWouldWrite) {
  Dataset data = path_of_three();
  data.weights = {0.5, 0.5, 2, 2};
  data.labels = {1, kUnknown, 0};
  data.class_names = {"cat", "dog"};
  data.split = Split{.name = "file", .train = {0}, .validation = {}, .test = {2}};
  const test::TemporaryFolder folder;
  write_csv(data, folder / "d");
  EXPECT_EQ(test::file_text(folder / "d/edges.csv"), "source,target,weight\n1,0,0.5\n2,1,2\n");
  EXPECT_EQ(test::file_text(folder / "d/labels.csv"), "node,label\n0,dog\n2,cat\n");
  EXPECT_EQ(test::file_text(folder / "d/split.csv"), "node,part\n0,train\n2,test\n");
  EXPECT_EQ(test::files_in(folder / "d"), 3u);
}

TEST(WriteCsv, KeepsEveryBitOfAReal) {
  using Limits = std::numeric_limits<Real>;
  const std::vector<Real> values = {Real(1) / 3,          Real(1e30), Real(-1e30),    Limits::min(),
                                    Limits::denorm_min(), Real(0.1),  Real(16777217), Real(-0.0)};
  Dataset data = path_of_three();
  Matrix matrix(3, static_cast<std::int64_t>(values.size()));
  for (int u = 0; u < 3; ++u) std::ranges::copy(values, matrix.row(u).begin());
  data.features = Features(std::move(matrix));
  const Dataset back = through_csv(data);
  for (std::size_t j = 0; j < values.size(); ++j) {
    EXPECT_EQ(back.features.dense()->row(2)[j], values[j]);
    EXPECT_EQ(std::signbit(back.features.dense()->row(2)[j]), std::signbit(values[j]));
  }
}

TEST(WriteCsv, RefusesNamesThatWouldNotReadBackAndLeavesNothing) {
  const test::TemporaryFolder folder;
  const auto error = [&](const Names& nodes, const Names& classes) {
    Dataset data = path_of_three();
    data.node_names = nodes;
    data.class_names = classes;
    return test::error_text([&] { write_csv(data, folder / "d"); });
  };
  EXPECT_EQ(error({"a", "b", "a"}, {}), "node 2 cannot be written as CSV: another is also called 'a'");
  for (const char* name : {"", "\x01", "\xFF"}) {
    EXPECT_EQ(error({"a", name, "b"}, {}),
              "node 1 cannot be written as CSV: its name is empty or not plain UTF-8 text");
  }
  for (const std::string name : {"?", "-1"}) {
    EXPECT_EQ(error({}, {"x", name}), "class 1 cannot be written as CSV: its name '" + name +
                                          "' says there that the class is not known");
  }
  EXPECT_EQ(test::files_in(folder.path()), 0u);
}

}  // namespace
}  // namespace heatfront
