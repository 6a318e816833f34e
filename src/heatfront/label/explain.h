// SPDX-License-Identifier: MIT
// Why a node has its class. The clamped flow is linear, so with s the label scale
//
//     f(u) = Σ_{known v} a_v s e_{y_v} + Σ_{free v} a_v front(v),       a = exp(tA)ᵀ e_u
//
// exactly: each prediction is a sum of what came from each known label and from the front of each node. All a_v
// come from one flow of one column, the indicator of u pushed back through the adjoint of the clamped operator.
#pragma once

#include <cstddef>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/label/session.h"

namespace heatfront {

// The lead is f(u) of the warmest class less f(u) of the second; what adds to it speaks for the class.
struct LabelShare {
  NodeId node = 0;
  ClassId label = 0;
  double heat = 0;  // a_v s: its part of f(u), in its own class
  double lead = 0;  // its part of the lead
};

struct FrontShare {
  NodeId node = 0;
  ClassId label = 0;  // the warmest class of its front
  double weight = 0;  // a_v: its part of f(u) is this much of its front
  double lead = 0;
  bool neighbour = false;
};

// What the node would be without a label.
struct WithoutLabel {
  NodeId node = 0;  // whose label
  ClassId label = 0;
  Real margin = 0;
  Real confidence = 0;
};

struct ClassCurve {
  ClassId label = 0;
  std::vector<double> temperatures;  // one for each of the times
};

struct Explanation {
  NodeId node = 0;
  ClassId label = 0, second = 0;  // the warmest two classes; the same where there is only one
  NodeStatus status = NodeStatus::decided;
  Real confidence = 0;
  double lead = 0;
  std::vector<double> temperatures;             // f(u), by class
  std::vector<double> from_labels, from_front;  // by class; together they are f(u)
  double residual = 0;                          // the most that they differ from it
  double lead_from_labels = 0, lead_from_front = 0;
  double pull_of_labels = 0, pull_of_front = 0;  // Σ |parts of the lead|, for and against
  std::vector<double> own_front;   // softmax of the front at u: what the network alone would say
  std::vector<LabelShare> labels;  // the warmest first
  std::vector<FrontShare> fronts;  // those that move the lead most, first
  std::vector<double> times;
  std::vector<ClassCurve> curves;  // of the warmest classes
  std::vector<WithoutLabel> without;
};

struct ExplainOptions {
  std::size_t labels = 8, fronts = 8;  // how many shares to list
  std::size_t curves = 3;
  std::size_t times = 41;
  std::size_t without = 3;  // solves one flow for each
};

// `answer` is what the session says now.
Explanation explain(Session& session, const Answer& answer, NodeId u, const ExplainOptions& options);

}  // namespace heatfront
