// SPDX-License-Identifier: MIT
// Why a node has its class. The answers of some models are linear in what is known (Reasons in models/predictor.h), so each is
// exactly a sum: of heat-front, of what came from each known label and from the front of each node; of linear-front, of what
// came from each known label, and also of what came from each attribute.
#pragma once

#include <cstddef>
#include <span>
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

// Of linear-front: its part of the lead, through this node and those around it.
struct AttributeShare {
  std::int64_t column = 0;  // of the data's features; a node where nodes are their own attributes
  bool is_node = false;
  double lead = 0;
};

// What in the features made the front of a node, by its part of the lead: `from_nothing` and all attributes add up to `lead`.
struct FrontMade {
  NodeId node = 0;
  double lead = 0;                         // of the whole front, as in FrontShare
  double from_nothing = 0;                 // what the network says of a row of zeros
  double residual = 0;                     // by how much they differ from `lead`
  std::vector<AttributeShare> attributes;  // those that move the lead most, first
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
  ClassId label = 0,
          second = 0;  // what is explained, and the warmest other; the same where there is only one
  ClassId given = 0;   // the class that the node has: `label` unless another was asked for
  NodeStatus status = NodeStatus::decided;
  Real confidence = 0;               // of `label`
  double lead = 0;                   // of it: below 0 where another was asked for that is colder
  std::vector<double> temperatures;  // f(u), by class
  std::vector<double> from_labels, from_front, from_prior;  // by class; together they are f(u)
  double residual = 0;                                      // the most that they differ from it
  double lead_from_labels = 0, lead_from_front = 0;
  double lead_from_prior = 0;                    // from how frequent the classes are
  double pull_of_labels = 0, pull_of_front = 0;  // Σ |parts of the lead|, for and against
  std::vector<double> own_front;   // softmax of the front at u: what it would be before any heat flows
  std::vector<LabelShare> labels;  // those that move the lead most, first
  std::vector<FrontShare> fronts;  // likewise
  std::vector<AttributeShare> attributes;  // likewise
  double lead_from_attributes = 0;         // of all; NaN: the model has none
  std::vector<FrontMade> made;             // of heat-front: its own front, then the strongest others'
  std::vector<double> times;               // empty: the answer is no flow
  std::vector<ClassCurve> curves;          // of the warmest classes
  std::vector<WithoutLabel> without;
};

struct ExplainOptions {
  std::size_t labels = 8, fronts = 8, attributes = 8;  // how many shares to list
  std::size_t made = 4;                                // of so many fronts, what made them
  std::size_t curves = 3;
  std::size_t times = 41;
  std::size_t without = 3;  // solves one flow for each
  ClassId about =
      kUnknown;  // what speaks for this class and against it; none: for the class that the node has
};

// `answer` is what the session says now.
Explanation explain(Session& session, const Answer& answer, NodeId u, const ExplainOptions& options);

// Of many nodes, one flow for each block of them.
std::vector<Explanation> explain(Session& session, const Answer& answer, std::span<const NodeId> nodes,
                                 const ExplainOptions& options);

}  // namespace heatfront
