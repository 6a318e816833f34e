// SPDX-License-Identifier: MIT
#include "heatfront/models/grow.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/models/edge_weighting.h"
#include "heatfront/models/held_data.h"
#include "heatfront/models/models.h"

namespace heatfront {
namespace {

constexpr std::string_view kTheta = "theta";

void check_new_nodes(const Dataset& data, const NewNodes& added) {
  const std::string& where = data.name;
  const NodeId all = data.nodes() + added.nodes;
  if (added.nodes < 1) fail("{}: no new nodes; give at least one", where);
  if (added.nodes > kMostNodes - data.nodes())
    fail("{}: {} nodes and {} new ones; there can be at most {}", where, data.nodes(), added.nodes,
         kMostNodes);
  if (!added.names.empty())
    require_count(where + ": names of new nodes", std::ssize(added.names), added.nodes, "one per node");
  if (added.names.empty() && !data.node_names.empty())
    fail("{}: its nodes have names, so new ones need a name each", where);
  require_count(where + ": ends of new edges", std::ssize(added.edges.to), std::ssize(added.edges.from),
                "one per edge");
  require_ids(where + ": new edges", added.edges.from, 0, all);
  require_ids(where + ": new edges", added.edges.to, 0, all);
  require_weights(where + ": weights of new edges", added.edges.weights, std::ssize(added.edges.from));
  if (added.features.present() != data.features.present())
    fail("{}: the model has {} features, the new nodes have {}", where, data.features.cols(),
         added.features.cols());
  if (!data.features.present()) return;
  require_count(where + ": features of new nodes", added.features.rows(), added.nodes, "a row per node");
  require_count(where + ": columns of new features", added.features.cols(), data.features.cols(),
                "as the model has");
}

ArcId find_arc(const Graph& graph, NodeId u, NodeId v) {
  if (u >= graph.nodes() || v >= graph.nodes()) return -1;
  const auto neighbours = graph.neighbours(u);
  const auto found = std::ranges::lower_bound(neighbours, v);
  return found == neighbours.end() || *found != v ? -1 : graph.begin_of(u) + (found - neighbours.begin());
}

WeightedGraph grown_graph(const Dataset& data, const NewNodes& added, Threads& threads) {
  const bool weighted = !data.weights.empty() || !added.edges.weights.empty();
  ArcList arcs{.nodes = data.nodes() + added.nodes};
  const auto add = [&](NodeId from, NodeId to, Real weight) {
    arcs.from.push_back(from);
    arcs.to.push_back(to);
    if (weighted) arcs.weights.push_back(weight);
  };
  for (NodeId u = 0; u < data.nodes(); ++u) {
    for (ArcId a = data.graph.begin_of(u); a < data.graph.begin_of(u + 1); ++a)
      add(u, data.graph.targets()[at(a)], data.weights.empty() ? Real(1) : data.weights[at(a)]);
  }
  for (std::size_t i = 0; i < added.edges.from.size(); ++i) {
    const NodeId u = added.edges.from[i], v = added.edges.to[i];
    if (find_arc(data.graph, u, v) < 0)
      add(u, v, added.edges.weights.empty() ? Real(1) : added.edges.weights[i]);
  }
  return build_graph(std::move(arcs), threads);
}

SparseMatrix sparse_rows(const Features& features) {
  if (const SparseMatrix* sparse = features.sparse()) return *sparse;
  const Matrix& dense = *features.dense();
  SparseMatrix rows{.rows = dense.rows(), .cols = dense.cols()};
  for (std::int64_t u = 0; u < dense.rows(); ++u) {
    for (std::int64_t j = 0; j < dense.cols(); ++j) {
      if (dense(u, j) == 0) continue;
      rows.columns.push_back(static_cast<std::int32_t>(j));
      rows.values.push_back(dense(u, j));
    }
    rows.offsets.push_back(rows.entries());
  }
  return rows;
}

// As the model has them, dense or sparse.
Features joined_rows(const Features& old, const Features& added) {
  if (!old.present()) return {};
  if (const SparseMatrix* sparse = old.sparse()) {
    SparseMatrix rows = *sparse;
    const SparseMatrix more = sparse_rows(added);
    for (std::int64_t u = 0; u < more.rows; ++u)
      rows.offsets.push_back(rows.entries() + more.offsets[at(u + 1)]);
    rows.rows += more.rows;
    rows.columns.insert(rows.columns.end(), more.columns.begin(), more.columns.end());
    rows.values.insert(rows.values.end(), more.values.begin(), more.values.end());
    return Features(std::move(rows));
  }
  const Matrix& dense = *old.dense();
  Matrix rows(dense.rows() + added.rows(), dense.cols());
  for (std::int64_t u = 0; u < dense.rows(); ++u) std::ranges::copy(dense.row(u), rows.row(u).begin());
  if (const Matrix* more = added.dense()) {
    for (std::int64_t u = 0; u < more->rows(); ++u)
      std::ranges::copy(more->row(u), rows.row(dense.rows() + u).begin());
  } else {
    const SparseMatrix& entries = *added.sparse();
    for (std::int64_t u = 0; u < entries.rows; ++u) {
      for (std::size_t k = 0; k < entries.row_columns(u).size(); ++k)
        rows(dense.rows() + u, entries.row_columns(u)[k]) = entries.row_values(u)[k];
    }
  }
  return Features(std::move(rows));
}

std::vector<std::string> joined_names(const Dataset& data, const NewNodes& added) {
  if (added.names.empty()) return {};
  std::vector<std::string> names = data.node_names;
  for (NodeId u = std::ssize(names) == 0 ? 0 : data.nodes(); u < data.nodes(); ++u)
    names.push_back(data.node_name(u));
  std::unordered_set<std::string> met(names.begin(), names.end());
  for (const std::string& name : added.names) {
    if (name.empty() || !met.insert(name).second)
      fail("{}: a new node is called '{}'; every node needs a name of its own", data.name, name);
    names.push_back(name);
  }
  return names;
}

// sigmoid⁻¹ of the mean of what learned weights multiply the data's own by.
Real usual_theta(const TrainedModel& model) {
  double sum = 0;
  std::int64_t count = 0;
  for (std::size_t a = 0; a < model.weights.size(); ++a) {
    const Real own = model.data.weights.empty() ? Real(1) : model.data.weights[a];
    if (!(own > 0)) continue;
    sum += static_cast<double>(model.weights[a] / own);
    ++count;
  }
  const double mean = count == 0 ? 0.5 : std::clamp(sum / static_cast<double>(count), 1e-6, 1 - 1e-6);
  return static_cast<Real>(std::log(mean / (1 - mean)));
}

std::vector<Real> grown_theta(const TrainedModel& model, const Graph& graph) {
  const Graph& old = model.data.graph;
  std::vector<Real> theta(graph.targets().size(), usual_theta(model));
  for (NodeId u = 0; u < old.nodes(); ++u) {
    for (ArcId a = graph.begin_of(u); a < graph.begin_of(u + 1); ++a) {
      const ArcId before = find_arc(old, u, graph.targets()[at(a)]);
      if (before >= 0) theta[at(a)] = model.theta[at(before)];
    }
  }
  return theta;
}

// What a parameter is in the file.
ConstMatrixView learned(const TrainedModel& model, const Parameter& parameter) {
  if (parameter.name == kTheta)
    return {model.theta.data(), 1, std::ssize(model.theta), std::ssize(model.theta)};
  const auto found = std::ranges::find(model.network, parameter.name, &NamedMatrix::name);
  return found == model.network.end() ? ConstMatrixView() : found->values.view();
}

bool has_shape(ConstMatrixView values, const Parameter& parameter) {
  return values.rows == parameter.rows && values.cols == parameter.cols;
}

[[noreturn]] void refuse_shapes(const TrainedModel& model, const ParameterLayout& layout) {
  for (const Parameter& parameter : layout.parameters()) {
    const ConstMatrixView values = learned(model, parameter);
    if (has_shape(values, parameter)) continue;
    if (model.data.added > 0 && parameter.cols == model.data.nodes() && values.cols < parameter.cols)
      fail(
          "{}: its model is {}, which learned '{}' of every node, so it cannot take new ones; train it again "
          "with "
          "them, or another model",
          model.data.name, model.model, parameter.name);
    fail("{}: '{}' must have shape ({}, {}), but has ({}, {}); the file is not as it was written",
         model.data.name, parameter.name, parameter.rows, parameter.cols, values.rows, values.cols);
  }
  fail("{}: its parameters do not fit", model.data.name);
}

}  // namespace

Matrix no_front(const TrainedModel& model, Threads&) {
  return Matrix(model.data.nodes(), model.front.cols());
}

std::optional<ParameterBlock> learned_parameters(const TrainedModel& model, const ParameterLayout& layout) {
  ParameterBlock parameters = layout.zeros();
  for (const Parameter& parameter : layout.parameters()) {
    const ConstMatrixView values = learned(model, parameter);
    if (!has_shape(values, parameter)) return std::nullopt;
    const MatrixView block = parameter.in(std::span<Real>(parameters));
    for (std::int64_t i = 0; i < values.rows; ++i) std::ranges::copy(values.row(i), block.row(i).begin());
  }
  return parameters;
}

Matrix learned_front(const TrainedModel& model, Threads& threads) {
  const std::unique_ptr<ModelOptions> options = find_model(model.model).options();
  model.read_options(options->fields());
  Dataset data = model.data;
  data.class_names.resize(at(static_cast<ClassId>(model.front.cols())));  // those that it learned
  const std::unique_ptr<Model> made = options->make(data, threads);
  const std::optional<ParameterBlock> parameters = learned_parameters(model, made->layout());
  if (!parameters) refuse_shapes(model, made->layout());
  made->prepare(*parameters);
  made->judge_all(*parameters);
  TrainedModel kept;
  made->keep(*parameters, kept);
  return std::move(kept.front);
}

Dataset grown(const Dataset& data, const NewNodes& added, Threads& threads) {
  check(data, data.name);
  check_new_nodes(data, added);
  WeightedGraph built = grown_graph(data, added, threads);
  Dataset result = data;
  result.node_names = joined_names(data, added);
  result.graph = std::move(built.graph);
  result.weights = std::move(built.weights);
  result.features = joined_rows(data.features, added.features);
  result.labels.resize(data.labels.size() + at(added.nodes), kUnknown);
  result.added += added.nodes;
  return result;
}

TrainedModel grown(const TrainedModel& model, const NewNodes& added, Threads& threads) {
  check(model, model.data.name);
  require_features(model);
  TrainedModel result = model;
  Dataset& data = result.data;
  data = grown(model.data, added, threads);
  result.fingerprint = fingerprint(data);
  result.layout = Matrix();  // there are other nodes now
  if (!model.theta.empty()) {
    result.theta = grown_theta(model, data.graph);
    result.weights.assign(result.theta.size(), Real(1));
    edge_weights(result.theta, reverse_arcs(data.graph), data.weights, result.weights, threads);
  } else {
    result.weights = weights_for(model, data, threads);
  }
  result.front = find_model(model.model).front(result, threads);
  check(result, data.name);
  return result;
}

}  // namespace heatfront
