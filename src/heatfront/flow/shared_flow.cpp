// SPDX-License-Identifier: MIT
#include "heatfront/flow/shared_flow.h"

#include <algorithm>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/ranks.h"
#include "heatfront/graph/gather.h"

namespace heatfront {
namespace {

constexpr NodeId kElsewhere = -1;

// The weights of this rank's arcs. Error unless these are arcs of that graph.
std::vector<Real> weights_of_rows(const Graph& graph, std::span<const Real> weights, const RankGraph& rows,
                                  const Ranks& ranks) {
  std::vector<Real> own;
  const auto fail_other = [] { fail("the graph in parts is not the one that the model was trained on"); };
  const auto add_block = [&](const RowBlock& block, std::int64_t first_row) {
    for (std::int64_t i = 0; i < block.rows(); ++i) {
      const NodeId u = rows.ids[at(first_row + i)];
      if (block.offsets[at(i) + 1] - block.offsets[at(i)] != graph.degree(u)) fail_other();
      for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc)
        own.push_back(weights.empty() ? Real(1) : weights[at(arc)]);
    }
  };
  agreed(ranks, [&] {
    if (rows.nodes != graph.nodes()) fail_other();
    for (const RowBlock& block : rows.inside) add_block(block, block.first);
    add_block(rows.boundary, rows.inside_rows);
  });
  return own;
}

}  // namespace

SharedFlow::SharedFlow(const Graph& graph, std::span<const Real> weights, const FlowOptions& options,
                       RankGraph rows, const Cluster& cluster, Threads& threads)
    : options_(options),
      graph_(graph),
      weights_(weights),
      threads_(threads),
      rows_(std::move(rows)),
      own_weights_(weights_of_rows(graph, weights, rows_, cluster.ranks())),
      flow_(rows_, options, cluster, threads),
      others_(rows_of_others(rows_.rows, true, cluster)),
      all_(cluster.halo(rows_.rows, others_)),
      ids_(rows_.ids),
      place_(at(graph.nodes()), kElsewhere) {
  flow_.set_weights(own_weights_);
  ids_.resize(rows_.ids.size() + others_.size());
  fetch_rows<NodeId>(*all_, rows_.ids, std::span(ids_).subspan(rows_.ids.size()));
  for (std::size_t i = 0; i < rows_.ids.size(); ++i) place_[at(rows_.ids[i])] = static_cast<NodeId>(i);
}

Matrix SharedFlow::own_rows(ConstMatrixView whole) const {
  Matrix own(rows_.rows, whole.cols, whole.stride);
  for (std::int64_t i = 0; i < own.rows(); ++i)
    std::ranges::copy(whole.row(rows_.ids[at(i)]), own.row(i).begin());
  return own;
}

Matrix SharedFlow::indicators(std::span<const NodeId> nodes) const {
  require_ids("nodes", nodes, 0, graph_.nodes());
  Matrix columns = padded_matrix(rows_.rows, std::ssize(nodes));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (place_[at(nodes[i])] != kElsewhere) columns(place_[at(nodes[i])], static_cast<std::int64_t>(i)) = 1;
  }
  return columns;
}

Matrix SharedFlow::whole_of(const Matrix& own) {
  const std::int64_t numbers = own.stride();
  Matrix theirs(std::ssize(others_), own.cols(), numbers), whole(graph_.nodes(), own.cols(), numbers);
  const MatrixView there = theirs.view();
  fetch_rows<Real>(*all_, std::span(own.view().data, at(own.rows() * numbers)),
                   std::span(there.data, at(there.rows * numbers)), numbers);
  for (std::int64_t i = 0; i < graph_.nodes(); ++i)
    std::ranges::copy(i < own.rows() ? own.row(i) : std::as_const(theirs).row(i - own.rows()),
                      whole.row(ids_[at(i)]).begin());
  return whole;
}

void SharedFlow::hold(std::span<const NodeId> nodes) {
  require_ids("held nodes", nodes, 0, graph_.nodes());
  std::vector<NodeId> own;
  for (NodeId u : nodes) {
    if (place_[at(u)] != kElsewhere) own.push_back(place_[at(u)]);
  }
  flow_.hold(own);
}

Temperatures SharedFlow::solve(Matrix start) {
  require_count("rows of the start", start.rows(), graph_.nodes(), "one per node");
  Temperatures result = flow_.solve(own_rows(start));
  result.values = whole_of(result.values);
  return result;
}

SolveReport SharedFlow::curve(std::span<const double> times, Matrix start, const VisitTime& visit) {
  require_count("rows of the start", start.rows(), graph_.nodes(), "one per node");
  return flow_.curve(times, own_rows(start), [&](double time, const Temperatures& own) {
    return visit(time,
                 {.values = whole_of(own.values), .report = own.report, .column_errors = own.column_errors});
  });
}

Matrix SharedFlow::shares_of(std::span<const NodeId> nodes, double tolerance) {
  return whole_of(flow_.shares_of(indicators(nodes), tolerance));
}

Matrix SharedFlow::mean_heat_from(std::span<const NodeId> sources, double tolerance) {
  return whole_of(flow_.mean_heat_from(indicators(sources), tolerance));
}

const Components& SharedFlow::components() {
  if (!components_) components_ = connected_components(graph_, weights_);
  return *components_;
}

}  // namespace heatfront
