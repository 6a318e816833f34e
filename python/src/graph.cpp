// SPDX-License-Identifier: MIT
#include "graph.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>

#include "arrays.h"
#include "heatfront/data/dataset.h"
#include "heatfront/graph/layout.h"
#include "heatfront_neighbours/join_points.h"
#include "long_call.h"
#include "parts.h"

namespace heatfront::python {
namespace {

using Weights = std::optional<ArrayIn<float>>;

std::vector<Real> vector_of_weights(const Weights& weights) {
  return weights ? vector_of(*weights) : std::vector<Real>();
}

// A few arcs are built in less time than threads take to start.
template <class Arcs>
PythonGraph built(Arcs arcs, std::size_t count) {
  constexpr std::size_t kFew = 1 << 18;
  if (count < kFew) {
    const nb::gil_scoped_release others_run;
    Threads threads(1);
    return {std::make_shared<const WeightedGraph>(build_graph(std::move(arcs), threads))};
  }
  Threads threads;
  return {std::make_shared<const WeightedGraph>(
      long_call(threads, [&] { return build_graph(std::move(arcs), threads); }))};
}

PythonGraph from_rows(const ArrayIn<std::int64_t>& offsets, const ArrayIn<std::int32_t>& targets,
                      const Weights& weights) {
  return built(ArcRows{.offsets = vector_of(offsets),
                       .targets = vector_of(targets),
                       .weights = vector_of_weights(weights)},
               targets.shape(0));
}

PythonGraph from_arcs(std::int64_t nodes, const ArrayIn<std::int32_t>& from, const ArrayIn<std::int32_t>& to,
                      const Weights& weights) {
  return built(ArcList{.nodes = static_cast<NodeId>(nodes),
                       .from = vector_of(from),
                       .to = vector_of(to),
                       .weights = vector_of_weights(weights)},
               from.shape(0));
}

PythonGraph neighbours(const MatrixIn& points, std::int64_t k, const std::string& kernel,
                       const std::string& metric, bool approximate, int threads_wanted) {
  Dataset data;
  data.name = "points";
  data.features = Features(matrix_of(points));
  data.graph = Graph::without_edges(static_cast<NodeId>(data.features.rows()));
  data.labels.assign(at(data.features.rows()), kUnknown);
  JoinOptions options;
  options.knn.k = static_cast<int>(k);
  options.knn.approximate = approximate;
  options.kernel.kernel = find_kernel(kernel).kernel;
  if (!metric.empty()) options.knn.metric = find_metric(metric).metric;
  Threads threads(threads_wanted);
  JoinedPoints joined = long_call(threads, [&] { return join_points(data, options, threads); });
  return {std::make_shared<const WeightedGraph>(
      WeightedGraph{std::move(joined.built.graph), std::move(joined.built.weights), {}})};
}

ArrayOut places(const PythonGraph& graph, std::int64_t rounds, std::int64_t seed, int threads_wanted) {
  Threads threads(threads_wanted);
  return given(long_call(threads, [&] {
    return layout(graph.built->graph, graph.built->weights, {.rounds = rounds, .seed = seed}, threads);
  }));
}

std::map<std::string, std::int64_t> changes(const PythonGraph& graph) {
  const BuildReport& report = graph.built->report;
  return {{"loops", report.loops},
          {"zeros", report.zeros},
          {"repeats", report.repeats},
          {"one_way", report.one_way},
          {"uneven", report.uneven}};
}

}  // namespace

void add_graph(nb::module_& module) {
  nb::class_<PythonGraph>(module, "Graph")
      .def_static("from_rows", &from_rows, nb::arg("offsets"), nb::arg("targets"), nb::arg("weights").none())
      .def_static("from_arcs", &from_arcs, nb::arg("nodes"), nb::arg("source"), nb::arg("target"),
                  nb::arg("weights").none())
      .def_static("neighbours", &neighbours)
      .def("layout", &places)
      .def_prop_ro(
          "nodes", [](const PythonGraph& graph) { return graph.built->graph.nodes(); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "edges", [](const PythonGraph& graph) { return graph.built->graph.edges(); },
          nb::rv_policy::automatic)
      .def_prop_ro("changes", &changes, nb::rv_policy::automatic)
      .def_prop_ro(
          "offsets",
          [](const PythonGraph& graph) {
            const auto offsets = graph.built->graph.offsets();
            return lent(offsets.data(), {offsets.size()}, graph.built);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "targets",
          [](const PythonGraph& graph) {
            const auto targets = graph.built->graph.targets();
            return lent(targets.data(), {targets.size()}, graph.built);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "weights",
          [](const PythonGraph& graph) -> std::optional<ArrayOut> {
            const std::vector<Real>& weights = graph.built->weights;
            if (weights.empty()) return {};
            return lent(weights.data(), {weights.size()}, graph.built);
          },
          nb::rv_policy::automatic);
}

}  // namespace heatfront::python
