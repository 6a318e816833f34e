// SPDX-License-Identifier: MIT
//     adj_data <f4, adj_indices <i4, adj_indptr <i4 (<i8 beyond 2³¹ arcs), adj_shape <i8
//     attr_data, attr_indices, attr_indptr, attr_shape for sparse features, attr_matrix <f4 for dense ones
//     labels <i8, train_idx, val_idx, test_idx <i8, class_names and node_names <U where they are not just
//     numbers
#include <algorithm>
#include <limits>
#include <span>

#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/arrays/npz_layout.h"
#include "heatfront_io/formats/writers.h"

namespace heatfront {
namespace {

// Values; beyond this the time of packing is worse than the size of the file.
constexpr std::int64_t kMostPacked = 50'000'000;

void add_offsets(NpzWriter& npz, std::string_view name, std::span<const std::int64_t> offsets) {
  if (offsets.back() > std::numeric_limits<std::int32_t>::max()) return npz.lend(name, offsets);
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
    npz.lend_reals("adj_data", dataset.weights);
  }
  npz.lend("adj_indices", graph.targets());
  add_offsets(npz, "adj_indptr", graph.offsets());
  npz.add("adj_shape", std::vector<std::int64_t>{graph.nodes(), graph.nodes()});
}

void add_features(NpzWriter& npz, const Features& features) {
  if (const Matrix* dense = features.dense()) npz.lend_reals("attr_matrix", dense->view());
  if (const SparseMatrix* sparse = features.sparse()) {
    npz.lend_reals("attr_data", sparse->values);
    npz.lend("attr_indices", sparse->columns);
    add_offsets(npz, "attr_indptr", sparse->offsets);
    npz.add("attr_shape", std::vector<std::int64_t>{sparse->rows, sparse->cols});
  }
}

// What a reader would call the classes without being told.
std::vector<std::string> names_by_label(const Dataset& dataset) {
  return numbered_names(dataset.labels.empty() ? 0 : std::ranges::max(dataset.labels) + 1);
}

}  // namespace

void add_dataset(NpzWriter& npz, const Dataset& dataset) {
  const bool points = dataset.graph.arcs() == 0 && dataset.features.cols() > 0;
  if (!points) add_graph(npz, dataset);
  if (dataset.features.cols() > 0) add_features(npz, dataset.features);
  npz.add("labels", std::vector<std::int64_t>(dataset.labels.begin(), dataset.labels.end()));
  if (dataset.split) add_split(npz, *dataset.split);
  if (dataset.class_names != names_by_label(dataset)) npz.add("class_names", dataset.class_names);
  if (!dataset.node_names.empty()) npz.add("node_names", dataset.node_names);
}

void write_npz(const Dataset& dataset, const std::filesystem::path& path) {
  check(dataset, dataset.name);
  const bool large = dataset.graph.arcs() + dataset.features.entries() > kMostPacked;
  NpzWriter npz(path, large ? Packing::stored : Packing::deflated);
  add_dataset(npz, dataset);
  npz.commit();
}

}  // namespace heatfront
