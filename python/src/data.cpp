// SPDX-License-Identifier: MIT
#include "data.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>

#include "arrays.h"
#include "graph.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/example_tables.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/writers.h"
#include "heatfront_io/tables/target_table.h"
#include "heatfront_report/dataset_report.h"
#include "long_call.h"
#include "parts.h"

namespace heatfront::python {

Features features_of(const std::optional<MatrixIn>& dense, const std::optional<SparseIn>& sparse) {
  if (dense) return Features(matrix_of(*dense));
  if (!sparse) return {};
  const auto& [cols, offsets, columns, values] = *sparse;
  SparseMatrix matrix{.rows = static_cast<std::int64_t>(offsets.shape(0)) - 1,
                      .cols = cols,
                      .offsets = vector_of(offsets),
                      .columns = vector_of(columns),
                      .values = vector_of(values)};
  check(matrix);
  return Features(canonical(std::move(matrix)));
}

std::vector<TextColumn> columns_of(ColumnsIn columns) {
  std::vector<TextColumn> result;
  for (auto& [name, cells] : columns) result.push_back({std::move(name), std::move(cells)});
  return result;
}

namespace {

// Kind, names of the columns, labelled nodes (ascending) and their rows.
using TargetsIn = std::tuple<std::string, std::vector<std::string>, ArrayIn<std::int32_t>, DoublesIn>;

Targets targets_of(const TargetsIn& in) {
  const auto& [kind, names, nodes, values] = in;
  return {.kind = label_kind(kind),
          .names = names,
          .nodes = vector_of(nodes),
          .values = {values.data(), values.data() + values.size()}};
}

template <class Work>
PythonData made(const Work& work) {
  Threads threads(1);
  return {std::make_shared<const Dataset>(long_call(threads, work))};
}

PythonData make(const PythonGraph& graph, const std::optional<MatrixIn>& dense,
                const std::optional<SparseIn>& sparse, std::optional<ColumnsIn> columns,
                const ArrayIn<std::int32_t>& labels, const std::optional<TargetsIn>& targets,
                std::vector<std::string> class_names, std::vector<std::string> node_names,
                std::vector<std::string> feature_names, std::string name) {
  const auto work = [&] {
    Dataset data;
    data.name = std::move(name);
    data.graph = graph.built->graph;
    data.weights = graph.built->weights;
    data.features = features_of(dense, sparse);
    data.labels = vector_of(labels);
    if (targets) data.targets = targets_of(*targets);
    data.class_names = std::move(class_names);
    data.node_names = std::move(node_names);
    data.feature_names = std::move(feature_names);
    if (columns) {
      ColumnTable table = read_columns(columns_of(*std::move(columns)), "X");
      data.features = std::move(table.features);
      data.feature_names = table.schema.feature_names();
      data.table = std::move(table.schema);
      data.notes = std::move(table.notes);
    }
    check(data, data.name);
    return data;
  };
  if (columns) return made(work);
  const nb::gil_scoped_release others_run;  // soon done: not worth a thread that Ctrl-C could end
  return {std::make_shared<const Dataset>(work())};
}

PythonData open(const std::string& name_or_path, const std::string& kind,
                const std::map<std::string, std::string>& columns, std::vector<std::string> ignored,
                int threads_wanted) {
  ReadOptions options;
  if (!kind.empty()) options.labels = label_kind(kind);
  options.columns.ignored = std::move(ignored);
  const std::map<std::string, std::string ColumnChoice::*> choices = {{"source", &ColumnChoice::source},
                                                                      {"target", &ColumnChoice::target},
                                                                      {"weight", &ColumnChoice::weight},
                                                                      {"node", &ColumnChoice::node},
                                                                      {"label", &ColumnChoice::label}};
  for (const auto& [what, name] : columns) options.columns.*choices.at(what) = name;
  Threads threads(threads_wanted);
  return {std::make_shared<const Dataset>(
      long_call(threads, [&] { return open_dataset(name_or_path, options, threads); }))};
}

PythonData with_split(const PythonData& data, const std::string& split, std::uint32_t seed) {
  return made([&] {
    Dataset changed = *data.data;
    changed.split = choose_split(changed, split, seed);
    return changed;
  });
}

PythonData with_parts(const PythonData& data, const ArrayIn<std::int32_t>& train,
                      const ArrayIn<std::int32_t>& validation, const ArrayIn<std::int32_t>& test) {
  return made([&] {
    Dataset changed = *data.data;
    changed.split = Split{.name = "given",
                          .train = vector_of(train),
                          .validation = vector_of(validation),
                          .test = vector_of(test)};
    check(changed, changed.name);
    return changed;
  });
}

std::string info_of(const PythonData& data) {
  Threads threads(1);
  return long_call(threads, [&] { return json_of(*data.data, describe(*data.data)).dump(); });
}

void write(const PythonData& data, const std::string& path) {
  Threads threads(1);
  long_call(threads, [&] { write_npz(*data.data, path); });
}

PythonGraph graph_of(const PythonData& data) {
  return {std::make_shared<const WeightedGraph>(
      WeightedGraph{data.data->graph, data.data->weights, data.data->changes})};
}

std::optional<ArrayOut> dense_features(const PythonData& data) {
  const Matrix* const matrix = data.data->features.dense();
  if (matrix == nullptr) return {};
  return lent(matrix->view().data, {at(matrix->rows()), at(matrix->cols())}, data.data,
              {matrix->stride(), 1});
}

std::optional<std::tuple<std::int64_t, ArrayOut, ArrayOut, ArrayOut>> sparse_features(
    const PythonData& data) {
  const SparseMatrix* const matrix = data.data->features.sparse();
  if (matrix == nullptr) return {};
  const auto array = [&](const auto& values) { return lent(values.data(), {values.size()}, data.data); };
  return std::tuple(matrix->cols, array(matrix->offsets), array(matrix->columns), array(matrix->values));
}

std::optional<std::tuple<ArrayOut, ArrayOut, ArrayOut>> split_of(const PythonData& data) {
  if (!data.data->split) return {};
  const auto array = [&](const auto& values) { return lent(values.data(), {values.size()}, data.data); };
  const Split& split = *data.data->split;
  return std::tuple(array(split.train), array(split.validation), array(split.test));
}

}  // namespace

void add_data(nb::module_& module) {
  nb::class_<PythonData>(module, "Data")
      .def_static("make", &make, nb::arg("graph"), nb::arg("dense").none(), nb::arg("sparse").none(),
                  nb::arg("columns").none(), nb::arg("labels"), nb::arg("targets").none(),
                  nb::arg("class_names"), nb::arg("node_names"), nb::arg("feature_names"), nb::arg("name"))
      .def_static("open", &open)
      .def("with_split", &with_split)
      .def("with_parts", &with_parts)
      .def("info", &info_of)
      .def("write_npz", &write)
      .def_prop_ro("graph", &graph_of, nb::rv_policy::automatic)
      .def_prop_ro(
          "name", [](const PythonData& data) { return data.data->name; }, nb::rv_policy::automatic)
      .def_prop_ro(
          "notes", [](const PythonData& data) { return remarks_on(*data.data); }, nb::rv_policy::automatic)
      .def_prop_ro(
          "class_names", [](const PythonData& data) { return data.data->class_names; },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "node_names", [](const PythonData& data) { return data.data->node_names; },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "feature_names", [](const PythonData& data) { return data.data->feature_names; },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "labels",
          [](const PythonData& data) {
            return lent(data.data->labels.data(), {data.data->labels.size()}, data.data);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "kind", [](const PythonData& data) { return std::string(entry_of(data.data->targets.kind).name); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "target_names", [](const PythonData& data) { return data.data->targets.names; },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "target_nodes",
          [](const PythonData& data) {
            const std::vector<NodeId>& nodes = data.data->targets.nodes;
            return lent(nodes.data(), {nodes.size()}, data.data);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "target_rows",
          [](const PythonData& data) {
            const Targets& targets = data.data->targets;
            return lent(targets.values.data(), {targets.size(), targets.columns()}, data.data);
          },
          nb::rv_policy::automatic)
      .def_prop_ro("dense", &dense_features, nb::rv_policy::automatic)
      .def_prop_ro("sparse", &sparse_features, nb::rv_policy::automatic)
      .def_prop_ro("split", &split_of, nb::rv_policy::automatic);
  module.def("write_example", [](const std::string& name, const std::string& folder, std::uint64_t seed) {
    return write_example(name, seed, folder);
  });
  module.def("look_like_values",
             [](const std::vector<std::string>& class_names, const ArrayIn<std::int32_t>& labels) {
               return look_like_values(class_names, span_of(labels));
             });
}

}  // namespace heatfront::python
