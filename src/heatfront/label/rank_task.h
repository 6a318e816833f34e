// SPDX-License-Identifier: MIT
// A FlowTask whose graph is in parts on several ranks: its data set says of nodes what there is to say, in the user's numbering, and has
// no edges. The first rank gets the answer of all nodes; there it is what the plain task would give.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/flow/rank_flow.h"
#include "heatfront/label/flow_task.h"

namespace heatfront {

// What a rank knows of its rows.
struct RankProblem {
  KnownLabels known;  // by row
  Matrix start;
};

// Error where the task asks for what parts cannot do, and as check(task) says.
void check_on_ranks(const FlowTask& task);

RankProblem problem_on_rank(const FlowTask& task, const RankGraph& graph);

// Rows where heat begins: known ones, and those whose front is not zero.
std::vector<NodeId> heat_sources(const FlowTask& task, const RankProblem& problem, const RankGraph& graph);

// The decisions about own rows, by the user's node, on the first rank about all; elsewhere nothing. Collective.
struct DecidedNode {
  NodeId node;
  ClassId decided, warmest;
  std::int32_t status;
  Real confidence, margin;
};
std::vector<DecidedNode> gather_on_first(const RankGraph& graph, const Decisions& decisions,
                                         std::span<const ClassId> warmest, const Cluster& cluster);

// Collective. Without `temperatures` the first rank gets classes only.
FlowSolution solve_on_ranks(const FlowTask& task, const RankGraph& graph, bool temperatures,
                            const Cluster& cluster, Threads& threads);

}  // namespace heatfront
