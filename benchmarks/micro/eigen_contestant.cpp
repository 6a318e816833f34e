// SPDX-License-Identifier: MIT
#include "micro/eigen_contestant.h"

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <vector>

namespace heatfront::micro {

struct EigenContestant::State {
  using Sparse = Eigen::SparseMatrix<Real, Eigen::RowMajor, NodeId>;
  using Dense = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  Sparse laplacian;
  Dense x, y, sum;
};

namespace {

// D^−1 (W + 1) − I with all its entries, the diagonal among them.
void fill(const WeightedGraph& from, Eigen::SparseMatrix<Real, Eigen::RowMajor, NodeId>& to) {
  const Graph& graph = from.graph;
  to.resize(graph.nodes(), graph.nodes());
  to.reserve(graph.arcs() + graph.nodes());
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const auto weight = [&](ArcId arc) {
      return from.weights.empty() ? Real(1) : from.weights[static_cast<std::size_t>(arc)];
    };
    Real degree = 1;
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) degree += weight(arc);
    to.startVec(u);
    bool diagonal_done = false;
    const auto add_diagonal = [&] {
      to.insertBack(u, u) = 1 / degree - 1;
      diagonal_done = true;
    };
    for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
      const NodeId v = graph.targets()[static_cast<std::size_t>(arc)];
      if (v > u && !diagonal_done) add_diagonal();
      to.insertBack(u, v) = weight(arc) / degree;
    }
    if (!diagonal_done) add_diagonal();
  }
  to.finalize();
}

}  // namespace

EigenContestant::EigenContestant(const WeightedGraph& graph, std::int64_t columns)
    : state_(std::make_unique<State>()) {
  fill(graph, state_->laplacian);
  state_->x = State::Dense::Random(graph.graph.nodes(), columns);
  state_->y = state_->sum = State::Dense::Zero(graph.graph.nodes(), columns);
}

std::string EigenContestant::version() {
  return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION);
}

EigenContestant::~EigenContestant() = default;

void EigenContestant::product() { state_->y.noalias() = state_->laplacian * state_->x; }

// For Eigen's good: 2 X counts as given, with as many entries as Δ.
void EigenContestant::step() {
  state_->y = -state_->y;
  state_->y.noalias() += state_->laplacian * state_->x;
  state_->sum += Real(0.01) * state_->y;
}

}  // namespace heatfront::micro
