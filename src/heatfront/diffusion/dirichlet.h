// SPDX-License-Identifier: MIT
// The time-dependent Dirichlet problem (the paper's equation 15), and its steady state (equation 10):
//
//     f' = λ Δ f  off the known nodes,     f = s·e_y  on them,     f(0) = ψ0
//
// with e_y the one-hot vector of the known class and s the label scale.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/diffusion/laplacian.h"
#include "heatfront/graph/reorder.h"
#include "heatfront/solve/solver.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {

struct FlowOptions {
  static constexpr double kForever = std::numeric_limits<double>::infinity();

  double time = 5;  // kForever: the steady state
  double lambda = 1;
  std::string solver;  // empty: chebyshev, and cg for the steady state
  SolveOptions solve;
  LaplacianOptions laplacian;
  Reordering reorder = Reordering::none;  // the nodes meanwhile; the answer is in the user's order
  std::int64_t memory_limit = 0;          // bytes for states; 0: none. Classes are solved in blocks that fit
                                          // (flow_curve: times in groups).
};

struct KnownLabels {
  std::vector<NodeId> nodes;
  std::vector<ClassId> classes;  // one for each of `nodes`
};

// Lends everything; all of it must outlive the problem.
struct DirichletProblem {
  const Graph& graph;
  std::span<const Real> weights;  // one an arc; empty: all 1
  ClassId classes = 0;
  const KnownLabels& known;
  ConstMatrixView front = {};  // n × classes; without rows: zero
  double label_scale = 1;
  bool free = false;  // nothing is clamped: the known labels only enter the start, as far as the front does
                      // not say it
};

struct Temperatures {
  Matrix values;  // n × classes, padded
  SolveReport report;
  std::vector<double>
      column_errors;  // what |error| of an entry is at most, by class (an estimate without a bound)
};

// ψ0: the front, and the one-hot rows of the known nodes. A free flow starts from the front alone if there is
// one.
Matrix starting_state(const DirichletProblem& problem);

// Writes the one-hot rows of the known nodes.
void set_known(const DirichletProblem& problem, MatrixView values);

Temperatures solve_dirichlet(const DirichletProblem& problem, const FlowOptions& options, Threads& threads);

// Error unless weights, known labels and front are of this graph and these classes, no node is known twice, and all numbers
// are such as can be reckoned with. Every function that takes a problem asks this of it.
void check(const DirichletProblem& problem);

// Of known labels alone.
void check(const KnownLabels& known, NodeId nodes, ClassId classes);

// Error where a number is outside of what can be followed.
void require_flow(const DirichletProblem& problem, const FlowOptions& options);

// Error where the operator takes this state, in its coordinates, out of the range of numbers.
void require_representable(const Laplacian& laplacian, ConstMatrixView state);

bool is_forever(const FlowOptions& options);

// The one that is named, or the default; Error lists the right ones.
const SolverEntry& solver_of(const FlowOptions& options);

}  // namespace heatfront
