// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_io/arrays/npz_layout.h"
#include "heatfront_io/formats/readers.h"

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
  fail("{} is a whole matrix; save it sparse: adj_data, adj_indices, adj_indptr, adj_shape", where);
}

// Arrays of a matrix; scipy.sparse.save_npz writes a bare one, with its format beside it.
std::optional<ArcRows> take_arc_rows(NpzArrays& arrays) {
  const auto rows = [&](const std::string& prefix, const std::string& format) {
    return arc_rows(take_sparse(arrays, prefix, format), arrays.where_is(prefix + "shape"),
                    arrays.where_is(prefix + "data"));
  };
  for (const char* prefix : {"adj_", "adj_matrix.", "adj_matrix_", "adj."}) {
    if (has_rows(arrays, prefix)) return rows(prefix, "csr");
  }
  if (!arrays.has("format") || arrays.first_of({"indptr", "row"}).empty()) return std::nullopt;
  arrays.leave("_is_array");
  return rows("", join(to_strings(arrays.take("format")), " "));
}

// A pickled matrix of scipy.
std::optional<ArcRows> take_pickled_rows(NpzArrays& arrays) {
  for (const std::string_view name : {"adj_matrix", "adj"}) {
    if (!arrays.has(name) || !is_pickled(arrays, name)) continue;
    NpzContent content = take_content(arrays, name);
    const std::string where = arrays.where_is(name);
    if (auto* matrix = std::get_if<SparseMatrix>(&content)) return arc_rows(std::move(*matrix), where, where);
    if (std::holds_alternative<NpyArray>(content)) refuse_whole_matrix(where);
  }
  return std::nullopt;
}

// An edge a row, or (as PyTorch Geometric has it) one a column. Of two and two, the name decides.
void take_ends(const NpyArray& array, bool columns_first, ArcList& arcs) {
  const auto shape = array.shape();
  const bool two = shape.size() == 2 && (shape[0] == 2 || shape[1] == 2);
  if (!two) fail("{} has shape ({}); two nodes an edge are needed", array.where(), join(shape, ", "));
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
std::optional<ArcList> take_arc_list(NpzArrays& arrays, std::int64_t nodes) {
  const std::string name = arrays.first_of({"edges", "edge_index"});
  if (name.empty()) return std::nullopt;
  ArcList arcs;
  const NpyArray array = arrays.take(name);
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
  if (const std::string weights = arrays.first_of({"edge_weights", "edge_weight"}); !weights.empty()) {
    arcs.weights = to_reals(arrays.take(weights));
    if (std::ssize(arcs.weights) != edges) {
      fail("{}: array '{}' has {} entries, but there are {} edges", arrays.where(), weights,
           arcs.weights.size(), edges);
    }
    check_weights(arcs.weights, arrays.where_is(weights));
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

Features take_features(NpzArrays& arrays) {
  for (const std::string_view prefix :
       {"attr_", "attr_matrix.", "attr_matrix_", "attr.", "features.", "features_"}) {
    if (has_rows(arrays, prefix)) return sparse_features(take_sparse(arrays, prefix));
  }
  for (const std::string_view name : {"attr_matrix", "features", "node_features", "x", "node_attr"}) {
    if (!arrays.has(name)) continue;
    NpzContent content = take_content(arrays, name);
    if (auto* matrix = std::get_if<SparseMatrix>(&content)) return sparse_features(std::move(*matrix));
    if (const auto* array = std::get_if<NpyArray>(&content)) return dense_features(to_matrix(*array));
  }
  return {};
}

// Points, unless there is a graph in a form that we would otherwise pass over.
Graph points_only(NpzArrays& arrays, const Features& features) {
  for (const std::string_view name : {"adj_matrix", "adj"}) {
    if (arrays.has(name) && !is_pickled(arrays, name)) refuse_whole_matrix(arrays.where_is(name));
  }
  if (!features.present()) {
    fail(
        "{}: no graph (adj_data, adj_indices, adj_indptr, adj_shape) and no features (attr_matrix); it has: "
        "{}",
        arrays.where(), join(arrays.names(), ", "));
  }
  return Graph::without_edges(static_cast<NodeId>(features.rows()));
}

}  // namespace

bool is_npz(const fs::path& path) {
  std::error_code ignored;
  return path.extension() == ".npz" || (fs::is_regular_file(path, ignored) && begins_as_zip(path));
}

Dataset read_npz(const fs::path& path, const ReadOptions& options, Threads& threads) {
  NpzArrays arrays(path);
  const std::string& where = arrays.where();
  Dataset dataset{.name = path.stem().string()};
  dataset.features = take_features(arrays);
  NpzLabels labels = take_labels(arrays);
  const std::int64_t told = std::max(dataset.features.rows(), std::ssize(labels.of));
  if (told > kMostNodes) fail("{}: {} nodes; at most {} can be", where, told, kMostNodes);
  if (auto rows = take_arc_rows(arrays)) {
    take_graph(dataset, build_graph(std::move(*rows), threads), options, where);
  } else if (auto arcs = take_arc_list(arrays, told)) {
    take_graph(dataset, build_graph(std::move(*arcs), threads), options, where);
  } else if (auto pickled = take_pickled_rows(arrays)) {
    take_graph(dataset, build_graph(std::move(*pickled), threads), options, where);
  } else {
    dataset.graph = points_only(arrays, dataset.features);
  }
  dataset.labels = std::move(labels.of);
  if (dataset.labels.empty()) dataset.labels.assign(static_cast<std::size_t>(dataset.nodes()), kUnknown);
  dataset.class_names = take_names(arrays, "class_names", labels.classes, kMostNodes, dataset.notes);
  if (dataset.class_names.empty())
    dataset.class_names = take_numbered_names(arrays, "idx_to_class", labels.classes);
  if (dataset.class_names.empty()) dataset.class_names = numbered_names(labels.classes);
  dataset.node_names = take_names(arrays, "node_names", dataset.nodes(), dataset.nodes(), dataset.notes);
  dataset.split = take_split(arrays, dataset.nodes(), dataset.notes);
  if (arrays.has(kModelMark)) {
    dataset.notes.emplace_back(
        "this is a model, of which graph, labels and split are read here; see `heatfront predict`, "
        "`heatfront "
        "evaluate` and `heatfront label`");
  } else if (const auto unused = arrays.unused(); !unused.empty()) {
    dataset.notes.push_back(fmt::format("arrays not read: {}", join(unused, ", ")));
  }
  check(dataset, where);
  return dataset;
}

}  // namespace heatfront
