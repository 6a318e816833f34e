// SPDX-License-Identifier: MIT
// A graph with held nodes, as the nonlinear energies see it: edges once, numbers in double precision, one column at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/flow/dirichlet.h"

namespace heatfront {

enum class NodeRole : std::uint8_t { free, held, absent };  // absent: no label reaches it

struct ClampedGraph {
  explicit ClampedGraph(const DirichletProblem& problem);

  std::size_t nodes() const { return role.size(); }
  bool is_free(std::size_t u) const { return role[u] == NodeRole::free; }

  std::vector<NodeRole> role;
  std::vector<std::size_t> from, to;  // edges of weights above 0 that a label reaches, from < to
  std::vector<double> weights;        // of them
};

// What a column came to.
struct ColumnReport {
  std::int64_t steps = 0;
  double gap = 0;    // how far the energy is above its lowest, relative to it; NaN: not known
  double error = 0;  // of an entry, at most or about
  bool reached = true;
};

// Solves column by column, each on one thread, from the start of the problem: solve(values of a column) → report.
using SolveColumn = std::function<ColumnReport(std::vector<double>& column)>;
Temperatures solve_columns(const DirichletProblem& problem, Threads& threads, const SolveColumn& solve);

// Σ_v h_uv (x_u − x_v) = 0 at the free nodes by conjugate gradients with the diagonal as preconditioner; h by edge, x is the start and the
// answer. Stops where the residual is below `tolerance` of what the held nodes put in. Returns how many products that took.
std::int64_t settle(const ClampedGraph& graph, const std::vector<double>& h, double tolerance,
                    std::vector<double>& x);

}  // namespace heatfront
