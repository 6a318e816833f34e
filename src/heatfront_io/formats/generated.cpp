// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/generated.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/random.h"
#include "heatfront/base/text.h"
#include "heatfront/graph/generate.h"

namespace heatfront {
namespace {

constexpr std::uint64_t kFeaturesPart = std::uint64_t{1}
                                        << 40;  // of the seed, beyond those of pairs of blocks

constexpr std::uint64_t kClassesPart = 2;  // of the seed of R-MAT, whose edges have weights of part 1

// In the order of the table's parameters.
using GivenNumbers = std::span<const double>;

NodeId node_count(double value) { return static_cast<NodeId>(value); }
std::uint64_t seed_of(double value) { return static_cast<std::uint64_t>(value); }

Dataset unlabelled(Graph graph) {
  Dataset dataset{.graph = std::move(graph)};
  dataset.labels.assign(static_cast<std::size_t>(dataset.nodes()), kUnknown);
  return dataset;
}

// Classes by chance: there is nothing to find out about them, only how long it takes.
void add_random_classes(double classes, std::uint64_t seed, Dataset& dataset) {
  const auto count = static_cast<std::uint64_t>(classes);
  if (count == 0) return;
  const Random random = Random(seed).part(kClassesPart);
  for (std::size_t u = 0; u < dataset.labels.size(); ++u)
    dataset.labels[u] = static_cast<ClassId>(random.below(count, u));
  dataset.class_names = numbered_names(static_cast<std::int64_t>(count));
}

Dataset path(GivenNumbers v, Threads&) { return unlabelled(path_graph(node_count(v[0]))); }
Dataset grid(GivenNumbers v, Threads&) {
  Dataset dataset = unlabelled(grid_graph(node_count(v[0]), node_count(v[1])));
  add_random_classes(v[2], 0, dataset);
  return dataset;
}

RmatOptions rmat_options(GivenNumbers v) {
  return {.scale = static_cast<int>(v[0]), .arcs = static_cast<ArcId>(v[1]), .seed = seed_of(v[2])};
}

Dataset rmat(GivenNumbers v, Threads& threads) {
  std::vector<Real> weights;
  Graph graph;
  if (v[3] != 0) {
    WeightedGraph made = weighted_rmat_graph(rmat_options(v), threads);
    graph = std::move(made.graph);
    weights = std::move(made.weights);
  } else {
    graph = rmat_graph(rmat_options(v), threads);
  }
  Dataset dataset = unlabelled(std::move(graph));
  dataset.weights = std::move(weights);
  add_random_classes(v[4], seed_of(v[2]), dataset);
  return dataset;
}

// Column j of a node of block b: normal with deviation 1, its mean `signal` where j and b are the same modulo the blocks.
Features block_features(std::span<const ClassId> labels, std::int64_t blocks, std::int64_t columns,
                        double signal, const Random& random) {
  if (columns == 0) return {};
  Matrix features(std::ssize(labels), columns);
  for (std::int64_t u = 0; u < features.rows(); ++u) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const double mean = j % blocks == labels[at(u)] ? signal : 0;
      features(u, j) = static_cast<Real>(mean + random.normal(static_cast<std::uint64_t>(u * columns + j)));
    }
  }
  return Features(std::move(features));
}

Dataset blocks(GivenNumbers v, Threads& threads) {
  const auto count = static_cast<std::size_t>(v[0]);
  LabelledGraph made = stochastic_block_graph({.sizes = std::vector<NodeId>(count, node_count(v[1])),
                                               .p_in = v[2],
                                               .p_out = v[3],
                                               .seed = seed_of(v[4])},
                                              threads);
  Features features =
      block_features(made.labels, static_cast<std::int64_t>(count), static_cast<std::int64_t>(v[5]), v[6],
                     Random(seed_of(v[4])).part(kFeaturesPart));
  return {.graph = std::move(made.graph),
          .features = std::move(features),
          .labels = std::move(made.labels),
          .class_names = numbered_names(static_cast<std::int64_t>(count))};
}

Dataset moons(GivenNumbers v, Threads&) {
  LabelledPoints made = two_moons({.points = node_count(v[0]), .noise = v[1], .seed = seed_of(v[2])});
  return {.graph = Graph::without_edges(node_count(v[0])),
          .features = Features(std::move(made.points)),
          .labels = std::move(made.labels),
          .class_names = numbered_names(2)};
}

Dataset fraud(GivenNumbers v, Threads& threads) {
  LabelledAccounts made = fraud_accounts(
      {.nodes = node_count(v[0]), .positive = v[1], .ring = v[2], .signal = v[3], .seed = seed_of(v[4])},
      threads);
  return {.graph = std::move(made.graph),
          .features = Features(std::move(made.features)),
          .labels = std::move(made.labels),
          .class_names = {"ok", "fraud"}};
}

constexpr double kMostPoints = 1e9, kMostSeed = 9007199254740992.0;  // 2^53

constexpr std::array<GeneratedParameter, 1> kPath = {{{"nodes", 100, 1, kMostPoints}}};
constexpr std::array<GeneratedParameter, 3> kGrid = {
    {{"rows", 30, 1, 30000}, {"cols", 30, 1, 30000}, {"classes", 0, 0, 1000}}};
constexpr std::array<GeneratedParameter, 5> kRmat = {{{"scale", 16, 1, 29},
                                                      {"arcs", 1e6, 0, 4e9},
                                                      {"seed", 0, 0, kMostSeed},
                                                      {"weighted", 0, 0, 1},
                                                      {"classes", 0, 0, 1000}}};
constexpr std::array<GeneratedParameter, 7> kBlocks = {{{"blocks", 3, 1, 10000},
                                                        {"size", 100, 1, 1e7},
                                                        {"inside", 0.1, 0, 1},
                                                        {"across", 0.01, 0, 1},
                                                        {"seed", 0, 0, kMostSeed},
                                                        {"features", 0, 0, 1e5},
                                                        {"signal", 1, 0, 1e6}}};
constexpr std::array<GeneratedParameter, 3> kMoons = {
    {{"points", 500, 1, kMostPoints}, {"noise", 0.1, 0, 1e6}, {"seed", 0, 0, kMostSeed}}};

constexpr std::array<GeneratedParameter, 5> kFraud = {{{"nodes", 5000, 1, 1e8},
                                                       {"positive", 0.05, 0, 1},
                                                       {"ring", 0.4, 0, 0.7},
                                                       {"signal", 1, 0, 1e6},
                                                       {"seed", 0, 0, kMostSeed}}};

constexpr std::array<GeneratedDataset, 6> kGenerated = {{
    {"path", "Nodes in a row", kPath, path},
    {"grid", "Rows and columns, each node joined to those beside it", kGrid, grid},
    {"blocks",
     "Stochastic blocks: edges are likelier inside a block than across; features that tell it, if asked for",
     kBlocks, blocks},
    {"moons", "Two half moons of points that reach into each other", kMoons, moons},
    {"fraud", "Accounts, few of them fraud, in rings; dense features that tell a little", kFraud, fraud},
    {"rmat", "R-MAT on 2^scale nodes: few hubs, many small degrees", kRmat, rmat},
}};

const GeneratedDataset* find_generated(std::string_view text) {
  const auto found = std::ranges::find(kGenerated, text.substr(0, text.find(':')), &GeneratedDataset::name);
  return found == kGenerated.end() ? nullptr : &*found;
}

void set_value(std::string_view part, std::string_view text, const GeneratedDataset& about,
               std::vector<double>& values) {
  const std::size_t equals = std::min(part.find('='), part.size());
  for (std::size_t i = 0; i < about.parameters.size(); ++i) {
    const GeneratedParameter& parameter = about.parameters[i];
    if (part.substr(0, equals) != parameter.name || equals == part.size()) continue;
    const auto [end, error] = std::from_chars(part.data() + equals + 1, part.data() + part.size(), values[i]);
    if (error != std::errc() || end != part.data() + part.size() ||
        !(values[i] >= parameter.least && values[i] <= parameter.most)) {
      fail("{}: {} must be a number from {} to {}", text, parameter.name, parameter.least, parameter.most);
    }
    return;
  }
  fail("{}: '{}' is not understood; write it like {}", text, part, example_of(about));
}

// One for each parameter, as the text has them.
std::vector<double> values_of(const GeneratedDataset& about, std::string_view text) {
  std::vector<double> values;
  for (const GeneratedParameter& parameter : about.parameters) values.push_back(parameter.value);
  const std::string_view rest = text.substr(std::min(about.name.size() + 1, text.size()));
  for (const std::string& part : split_at(rest, ',')) set_value(part, text, about, values);
  return values;
}

}  // namespace

std::span<const GeneratedDataset> generated_datasets() { return kGenerated; }

std::string example_of(const GeneratedDataset& generated) {
  std::vector<std::string> values;
  for (const GeneratedParameter& parameter : generated.parameters)
    values.push_back(fmt::format("{}={}", parameter.name, parameter.value));
  return fmt::format("{}:{}", generated.name, join(values, ","));
}

bool is_generated(std::string_view text) { return find_generated(text) != nullptr; }

Dataset generate_dataset(std::string_view text, Threads& threads) {
  const GeneratedDataset* const about = find_generated(text);
  if (about == nullptr) fail("{}: there is no generated data set of that name", text);
  Dataset dataset = about->make(values_of(*about, text), threads);
  dataset.name = text;
  return dataset;
}

namespace {

EdgeStream rmat_edges(std::span<const double> values) {
  const RmatOptions options = rmat_options(values);
  EdgeStream stream{
      .nodes = NodeId{1} << options.scale,
      .edges = options.arcs / 2,
      .weighted = values[3] != 0,
      .draw = [options](std::int64_t first, std::span<NodeId> from, std::span<NodeId> to,
                        std::span<Real> weights) { draw_rmat_edges(options, first, from, to, weights); },
      .of_nodes = unlabelled(Graph::without_edges(NodeId{1} << options.scale))};
  add_random_classes(values[4], options.seed, stream.of_nodes);
  return stream;
}

// Those along the rows, then those along the columns.
EdgeStream grid_edges(std::span<const double> values) {
  const auto rows = static_cast<std::int64_t>(values[0]), cols = static_cast<std::int64_t>(values[1]);
  const std::int64_t along_rows = rows * (cols - 1);
  const auto draw = [=](std::int64_t first, std::span<NodeId> from, std::span<NodeId> to, std::span<Real>) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::int64_t e = first + static_cast<std::int64_t>(i);
      const bool along_row = e < along_rows;
      const std::int64_t u = along_row ? e / (cols - 1) * cols + e % (cols - 1) : e - along_rows;
      from[i] = static_cast<NodeId>(u);
      to[i] = static_cast<NodeId>(u + (along_row ? 1 : cols));
    }
  };
  EdgeStream stream{.nodes = static_cast<NodeId>(rows * cols),
                    .edges = along_rows + (rows - 1) * cols,
                    .weighted = false,
                    .draw = draw,
                    .of_nodes = unlabelled(Graph::without_edges(static_cast<NodeId>(rows * cols)))};
  add_random_classes(values[2], 0, stream.of_nodes);
  return stream;
}

}  // namespace

std::optional<EdgeStream> edge_stream(std::string_view text) {
  const GeneratedDataset* const about = find_generated(text);
  if (about == nullptr || (about->make != rmat && about->make != grid)) return std::nullopt;
  const std::vector<double> values = values_of(*about, text);
  EdgeStream stream = about->make == rmat ? rmat_edges(values) : grid_edges(values);
  stream.of_nodes.name = text;
  return stream;
}

}  // namespace heatfront
