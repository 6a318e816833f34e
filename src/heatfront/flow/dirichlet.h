// SPDX-License-Identifier: MIT
// The time-dependent Dirichlet problem (the paper's equation 15), and its steady state (equation 10):
//
//     f' = λ Δ f  off the known nodes,     f = s·e_y  on them,     f(0) = ψ0
//
// with e_y the one-hot vector of the known class and s the label scale.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/flow/flow.h"
#include "heatfront/graph/graph.h"

namespace heatfront {

struct KnownLabels {
  std::vector<NodeId> nodes;
  std::vector<ClassId> classes;  // one for each of `nodes`
};

// Lends everything; all of it must outlive the problem.
struct DirichletProblem {
  const Graph& graph;
  std::span<const Real> weights;  // one per arc; empty: all 1
  ClassId classes = 0;
  const KnownLabels& known;
  ConstMatrixView front = {};  // n × classes; without rows: zero
  double label_scale = 1;
  bool free = false;  // nothing is clamped: the known labels only enter the start, as far as the front does
                      // not say it
};

// ψ0: the front, and the one-hot rows of the known nodes. A free flow starts from the front alone if there is
// one.
Matrix starting_state(const DirichletProblem& problem);
Matrix starting_state(const DirichletProblem& problem, Threads& threads);

// The known nodes, or none where the flow is free.
std::span<const NodeId> held_nodes(const DirichletProblem& problem);

// Writes the one-hot rows of the known nodes.
void set_known(const DirichletProblem& problem, MatrixView values);

Temperatures solve_dirichlet(const DirichletProblem& problem, const FlowOptions& options, Threads& threads);

// By a flow on the problem's graph that is there already, which then holds the problem's labels.
Temperatures solve_dirichlet(const DirichletProblem& problem, NodeFlow& flow);

// The same at many times, which ascend, from one recurrence (Flow::curve).
SolveReport flow_curve(const DirichletProblem& problem, const FlowOptions& options,
                       std::span<const double> times, Threads& threads, const VisitTime& visit);

// Error unless weights, known labels and front are of this graph and these classes, no node is known twice, and all numbers
// are such as can be reckoned with. Every function that takes a problem asks this of it.
void check(const DirichletProblem& problem);

// Of its parts alone.
void check(const KnownLabels& known, NodeId nodes, ClassId classes);
void check_front(ConstMatrixView front, NodeId nodes, ClassId classes);
void check_label_scale(double scale);
void check_rests(const FlowOptions& options, bool free);  // a free flow to rest says nothing

}  // namespace heatfront
