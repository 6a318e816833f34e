// SPDX-License-Identifier: MIT
// Data sets as npz files. Read under all the names that file_formats.md lists; written as
//
//     adj_data <f4, adj_indices <i4, adj_indptr <i4 (<i8 beyond 2³¹ arcs), adj_shape <i8
//     attr_data, attr_indices, attr_indptr, attr_shape for sparse features, attr_matrix <f4 for dense ones
//     label_kind, label_columns <U, label_nodes <i4 and label_values <f8 where labels are values or several per node
//     labels <i8, train_idx, val_idx, test_idx <i8, class_names, node_names and feature_names <U where they are not just numbers
//     feature_table <U, one text of JSON, where features were made of a table (heatfront/data/table_schema.h)
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/models/held_data.h"
#include "heatfront_io/arrays/npz_layout.h"
#include "heatfront_io/formats/read_arcs.h"
#include "heatfront_io/formats/table_schema_text.h"
#include "heatfront_io/formats/target_arrays.h"
#include "heatfront_io/formats/writers.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

bool is_weight(Real weight) { return std::isfinite(weight) && weight >= 0; }

void check_weights(std::span<const Real> weights, const std::string& where) {
  const auto bad = std::ranges::find_if_not(weights, is_weight);
  if (bad == weights.end()) return;
  fail("{}: entry {} is {}; a weight must be finite and 0 or more", where, bad - weights.begin(), *bad);
}

// `values`: the array that has them, for messages.
ArcRows arc_rows(SparseMatrix matrix, const std::string& shape, const std::string& values) {
  if (matrix.rows != matrix.cols)
    fail("{} is ({}, {}); the matrix of a graph is square", shape, matrix.rows, matrix.cols);
  const auto bad = std::ranges::find_if_not(matrix.values, is_weight) - matrix.values.begin();
  if (bad < std::ssize(matrix.values)) {
    const auto row = std::ranges::upper_bound(matrix.offsets, bad) - matrix.offsets.begin() - 1;
    fail("{}: row {}, column {} is {}; a weight must be finite and 0 or more", values, row,
         matrix.columns[at(bad)], matrix.values[at(bad)]);
  }
  return {std::move(matrix.offsets), std::move(matrix.columns), std::move(matrix.values)};
}

[[noreturn]] void refuse_whole_matrix(const std::string& where) {
  fail("{} is a whole matrix; save it as a sparse one: adj_data, adj_indices, adj_indptr, adj_shape", where);
}

// Arrays of a matrix; scipy.sparse.save_npz writes a bare one, with its format beside it.
std::optional<ArcRows> take_arc_rows(const NpzReader& npz) {
  const auto rows = [&](const std::string& prefix, const std::string& format) {
    return arc_rows(take_sparse(npz, prefix, format), npz.where_is(prefix + "shape"),
                    npz.where_is(prefix + "data"));
  };
  for (const char* prefix : {"adj_", "adj_matrix.", "adj_matrix_", "adj."}) {
    if (has_rows(npz, prefix)) return rows(prefix, "csr");
  }
  if (!npz.has("format") || npz.first_of({"indptr", "row"}).empty()) return std::nullopt;
  npz.leave("_is_array");
  return rows("", join(to_strings(npz.read("format")), " "));
}

// Whose rows can be gone through without being held; empty: none.
std::string_view prefix_of_rows(const NpzReader& npz) {
  for (const std::string_view prefix : {"adj_", "adj_matrix.", "adj_matrix_", "adj."}) {
    const auto has = [&](std::string_view key) { return npz.has(std::string(prefix) + std::string(key)); };
    if (has("indptr") && has("indices") && has("shape")) return prefix;
  }
  return {};
}

// A pickled matrix of scipy.
std::optional<ArcRows> take_pickled_rows(const NpzReader& npz) {
  for (const std::string_view name : {"adj_matrix", "adj"}) {
    if (!npz.has(name) || !is_pickled(npz, name)) continue;
    NpzContent content = take_content(npz, name);
    const std::string where = npz.where_is(name);
    if (auto* matrix = std::get_if<SparseMatrix>(&content)) return arc_rows(std::move(*matrix), where, where);
    if (std::holds_alternative<NpyArray>(content)) refuse_whole_matrix(where);
  }
  return std::nullopt;
}

// One edge per row, or (as PyTorch Geometric has it) per column. Of two and two, the name decides.
void take_ends(const NpyArray& array, bool columns_first, ArcList& arcs) {
  const auto shape = array.shape();
  const bool two = shape.size() == 2 && (shape[0] == 2 || shape[1] == 2);
  if (!two) fail("{} has shape ({}); two nodes per edge are needed", array.where(), join(shape, ", "));
  const bool by_column = shape[0] == 2 && (shape[1] != 2 || columns_first);
  std::vector<NodeId> ends = to_int32(array);
  const auto edges = static_cast<std::size_t>(by_column ? shape[1] : shape[0]);
  if (by_column) {
    arcs.to.assign(ends.begin() + static_cast<std::ptrdiff_t>(edges), ends.end());
    ends.resize(edges);
    arcs.from = std::move(ends);
    return;
  }
  arcs.from.reserve(edges);
  arcs.to.reserve(edges);
  for (std::size_t i = 0; i < edges; ++i) {
    arcs.from.push_back(ends[2 * i]);
    arcs.to.push_back(ends[2 * i + 1]);
  }
}

// `nodes`: as many as there are feature rows or labels; 0 where there are neither.
std::optional<ArcList> take_arc_list(const NpzReader& npz, std::int64_t nodes) {
  const std::string name = npz.first_of({"edges", "edge_index"});
  if (name.empty()) return std::nullopt;
  ArcList arcs;
  const NpyArray array = npz.read(name);
  take_ends(array, name == "edge_index", arcs);
  const std::int64_t edges = std::ssize(arcs.from);
  NodeId largest = -1;
  for (std::size_t i = 0; i < arcs.from.size(); ++i) {
    const auto [low, high] = std::minmax(arcs.from[i], arcs.to[i]);
    if (low < 0 || (nodes > 0 && high >= nodes)) {
      fail("{}: edge {} joins {} and {}; nodes are 0 to {}", array.where(), i, arcs.from[i], arcs.to[i],
           (nodes > 0 ? nodes : kMostNodes) - 1);
    }
    largest = std::max(largest, high);
  }
  // A wild number must not make billions of nodes out of a few bytes.
  constexpr std::int64_t kAlwaysAllowed = 1'000'000;
  if (nodes == 0 && (largest == kMostNodes || largest >= std::max(kAlwaysAllowed, 100 * edges))) {
    fail("{}: node {} in a list of {} edges; number the nodes from 0 up", array.where(), largest, edges);
  }
  arcs.nodes = static_cast<NodeId>(nodes > 0 ? nodes : largest + 1);
  if (const std::string weights = npz.first_of({"edge_weights", "edge_weight"}); !weights.empty()) {
    arcs.weights = to_reals(npz.read(weights));
    if (std::ssize(arcs.weights) != edges) {
      fail("{}: array '{}' has {} entries, but there are {} edges", npz.where(), weights, arcs.weights.size(),
           edges);
    }
    check_weights(arcs.weights, npz.where_is(weights));
  }
  return arcs;
}

// A matrix without columns says nothing, not even how many nodes there are.
Features sparse_features(SparseMatrix matrix) {
  if (matrix.cols == 0) return {};
  if (matrix.values.empty()) matrix.values.assign(matrix.columns.size(), Real(1));
  return Features(canonical(std::move(matrix)));
}

Features dense_features(Matrix matrix) {
  return matrix.cols() == 0 ? Features() : Features(std::move(matrix));
}

Features take_features(const NpzReader& npz) {
  for (const std::string_view prefix :
       {"attr_", "attr_matrix.", "attr_matrix_", "attr.", "features.", "features_"}) {
    if (has_rows(npz, prefix)) return sparse_features(take_sparse(npz, prefix));
  }
  for (const std::string_view name : {"attr_matrix", "features", "node_features", "x", "node_attr"}) {
    if (!npz.has(name)) continue;
    NpzContent content = take_content(npz, name);
    if (auto* matrix = std::get_if<SparseMatrix>(&content)) return sparse_features(std::move(*matrix));
    if (const auto* array = std::get_if<NpyArray>(&content)) return dense_features(to_matrix(*array));
  }
  return {};
}

// Points, unless there is a graph in a form that we would otherwise pass over.
Graph points_only(const NpzReader& npz, const Features& features) {
  for (const std::string_view name : {"adj_matrix", "adj"}) {
    if (npz.has(name) && !is_pickled(npz, name)) refuse_whole_matrix(npz.where_is(name));
  }
  if (!features.present()) {
    fail(
        "{}: no graph (adj_data, adj_indices, adj_indptr, adj_shape) and no features (attr_matrix); it has: "
        "{}",
        npz.where(), join(npz.names(), ", "));
  }
  return Graph::without_edges(static_cast<NodeId>(features.rows()));
}

constexpr std::string_view kTableArray = "feature_table";

TableSchema take_table(const NpzReader& npz) {
  if (!npz.has(kTableArray)) return {};
  const std::vector<std::string> texts = to_strings(npz.read(kTableArray));
  if (texts.size() != 1) fail("{} has {} texts; it must have 1", npz.where_is(kTableArray), texts.size());
  return schema_of_text(texts[0], npz.where_is(kTableArray));
}

// Values; beyond this the time of packing is worse than the size of the file.
constexpr std::int64_t kMostPacked = 50'000'000;

void add_offsets(NpzWriter& npz, std::string_view name, std::span<const std::int64_t> offsets) {
  if (offsets.back() > std::numeric_limits<std::int32_t>::max()) return npz.add(name, offsets);
  std::vector<std::int32_t> narrow;
  narrow.reserve(offsets.size());
  for (std::int64_t offset : offsets) narrow.push_back(static_cast<std::int32_t>(offset));
  npz.add(name, std::move(narrow));
}

void add_graph(NpzWriter& npz, const Dataset& dataset) {
  const Graph& graph = dataset.graph;
  if (dataset.weights.empty()) {
    npz.add("adj_data", std::vector<float>(graph.targets().size(), 1.0f));
  } else {
    npz.add_reals("adj_data", dataset.weights);
  }
  npz.add("adj_indices", graph.targets());
  add_offsets(npz, "adj_indptr", graph.offsets());
  npz.add("adj_shape", std::vector<std::int64_t>{graph.nodes(), graph.nodes()});
}

void add_features(NpzWriter& npz, const Features& features) {
  if (const Matrix* dense = features.dense()) npz.add_reals("attr_matrix", dense->view());
  if (const SparseMatrix* sparse = features.sparse()) {
    npz.add_reals("attr_data", sparse->values);
    npz.add("attr_indices", sparse->columns);
    add_offsets(npz, "attr_indptr", sparse->offsets);
    npz.add("attr_shape", std::vector<std::int64_t>{sparse->rows, sparse->cols});
  }
}

// What a reader would call the classes without being told.
std::vector<std::string> names_by_label(const Dataset& dataset) {
  return numbered_names(dataset.labels.empty() ? 0 : std::ranges::max(dataset.labels) + 1);
}

// A model as data has the labels that it holds now. A split that only says that all of them train is none.
Dataset with_labels_of_model(Dataset dataset, const NpzReader& npz) {
  if (!dataset.split || !npz.has("known_nodes") || !npz.has("known_classes")) return dataset;
  const KnownLabels known{.nodes = to_int32(npz.read("known_nodes")),
                          .classes = to_int32(npz.read("known_classes"))};
  try {
    check(known, dataset.nodes(), dataset.classes());
    check_labelled_split(dataset, npz.where());
  } catch (const Error& error) {
    fail("{}: {}", npz.where(), error.what());
  }
  const HeldChanges changes = changes_since_training(dataset, known);
  if (changes.any()) {
    dataset = with_held_labels(std::move(dataset), known);
    dataset.notes.push_back(fmt::format(
        "labels are those that the model holds now: {} added, {} changed and {} removed since it was trained",
        grouped(changes.added), grouped(changes.changed), grouped(changes.removed)));
  }
  if (dataset.split->validation.empty() && dataset.split->test.empty()) dataset.split.reset();
  return dataset;
}

}  // namespace

bool is_npz(const fs::path& path) {
  std::error_code ignored;
  return path.extension() == ".npz" || (fs::is_regular_file(path, ignored) && begins_as_zip(path));
}

Dataset take_dataset(const NpzReader& npz, const ReadOptions& options, Threads& threads) {
  const std::string& where = npz.where();
  Dataset dataset;
  dataset.features = take_features(npz);
  const bool numbers = options.labels.value_or(LabelKind::classes) != LabelKind::classes && !has_targets(npz);
  NpzLabels labels = numbers ? NpzLabels() : take_labels(npz);
  if (numbers) dataset.targets = take_number_labels(npz, *options.labels).value_or(Targets());
  if (has_targets(npz)) dataset.targets = take_targets(npz);
  const std::int64_t told = std::max(dataset.features.rows(), std::ssize(labels.of));
  if (told > kMostNodes) fail("{}: {} nodes; there can be at most {}", where, told, kMostNodes);
  if (const std::string_view prefix = prefix_of_rows(npz); options.on_disk != nullptr && !prefix.empty()) {
    ReadArcs arcs(options);
    const NodeId nodes = list_rows(npz, prefix, arcs.sink());
    arcs.give_to(dataset, nodes, {}, false, where, threads);
  } else if (auto rows = take_arc_rows(npz)) {
    take_graph(dataset, build_graph(std::move(*rows), threads), options, where);
  } else if (auto arcs = take_arc_list(npz, told)) {
    take_graph(dataset, build_graph(std::move(*arcs), threads), options, where);
  } else if (auto pickled = take_pickled_rows(npz)) {
    take_graph(dataset, build_graph(std::move(*pickled), threads), options, where);
  } else {
    dataset.graph = points_only(npz, dataset.features);
  }
  dataset.labels = std::move(labels.of);
  if (dataset.labels.empty()) dataset.labels.assign(static_cast<std::size_t>(dataset.nodes()), kUnknown);
  dataset.class_names =
      take_names(npz, {"class_names", "idx_to_class"}, labels.classes, kMostNodes, dataset.notes);
  if (dataset.class_names.empty()) dataset.class_names = numbered_names(labels.classes);
  dataset.node_names = take_names(npz, {"node_names"}, dataset.nodes(), dataset.nodes(), dataset.notes);
  dataset.feature_names =
      take_names(npz, {"feature_names"}, dataset.features.cols(), dataset.features.cols(), dataset.notes);
  dataset.table = take_table(npz);
  dataset.split = take_split(npz, dataset.nodes(), dataset.notes);
  if (npz.has(kModelMark)) {
    dataset.notes.emplace_back(
        "this is a model, of which graph, labels and split are read here; see `heatfront predict`, "
        "`heatfront "
        "evaluate` and `heatfront label`");
  } else if (const auto unused = npz.unused(); !unused.empty()) {
    dataset.notes.push_back(fmt::format("arrays not read: {}", join(unused, ", ")));
  }
  check(dataset, where);
  return dataset;
}

Dataset read_npz(const fs::path& path, const ReadOptions& options, Threads& threads) {
  const NpzReader npz(path);
  Dataset dataset = take_dataset(npz, options, threads);
  if (npz.has(kModelMark)) dataset = with_labels_of_model(std::move(dataset), npz);
  dataset.name = path.stem().string();
  return dataset;
}

void add_dataset(NpzWriter& npz, const Dataset& dataset) {
  const bool points = dataset.graph.arcs() == 0 && dataset.features.cols() > 0;
  if (!points) add_graph(npz, dataset);
  if (dataset.features.cols() > 0) add_features(npz, dataset.features);
  npz.add("labels", std::vector<std::int64_t>(dataset.labels.begin(), dataset.labels.end()));
  if (dataset.targets.present()) add_targets(npz, dataset.targets);
  if (dataset.split) add_split(npz, *dataset.split);
  if (dataset.class_names != names_by_label(dataset)) npz.add("class_names", dataset.class_names);
  if (!dataset.node_names.empty()) npz.add("node_names", dataset.node_names);
  if (!dataset.feature_names.empty()) npz.add("feature_names", dataset.feature_names);
  if (dataset.table.present()) npz.add(kTableArray, std::vector<std::string>{schema_text(dataset.table)});
}

void write_npz(const Dataset& dataset, const std::filesystem::path& path) {
  check(dataset, dataset.name);
  const bool large = dataset.graph.arcs() + dataset.features.entries() > kMostPacked;
  NpzWriter npz(path, large ? Packing::stored : Packing::deflated);
  add_dataset(npz, dataset);
  npz.commit();
}

NodeId take_added_nodes(const NpzReader& npz, const Dataset& data) {
  if (!npz.has(kAddedNodes)) return 0;
  const std::vector<std::int64_t> counts = to_int64(npz.read(kAddedNodes));
  if (counts.size() != 1 || counts[0] < 0 || counts[0] >= data.nodes())
    fail("{}: '{}' must be one number from 0 to {}; the file is not as it was written", npz.where(),
         kAddedNodes, data.nodes() - 1);
  return static_cast<NodeId>(counts[0]);
}

}  // namespace heatfront
