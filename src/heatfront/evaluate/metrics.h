// SPDX-License-Identifier: MIT
// How good an answer is, on a set of nodes whose labels are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/ranks.h"
#include "heatfront/base/types.h"
#include "heatfront/models/left_out.h"

namespace heatfront {

// The share of `nodes` whose class is their label; NaN where there are none.
double accuracy(std::span<const ClassId> classes, std::span<const ClassId> labels,
                std::span<const NodeId> nodes);

// The same for the warmest class of each row, the first of equals.
double accuracy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> nodes);

// How many of the nodes that is.
std::size_t count_right(ConstMatrixView logits, std::span<const ClassId> labels,
                        std::span<const NodeId> nodes);

// The same of labels that were left out.
double accuracy(const LeftOut& left_out, std::span<const ClassId> labels);

// Macro F1 (confusion.h) of the warmest class of each row on `nodes`; NaN where there are none.
double macro_f1(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> nodes,
                const Ranks& ranks = Ranks::alone());

// Where the true share lies, with 95 % confidence, when it was seen on so many nodes that were drawn apart
// from each other (Wilson 1927); NaN where there are none.
struct ShareInterval {
  double low = 0, high = 0;
};

ShareInterval share_interval(double share, std::int64_t nodes);

// The same of labels that were left out, in their turn or in folds. Each of them taught the answers to the others, so that together they tell as much as two
// thirds of them would if they had been drawn apart (docs/method.md has what was tried).
ShareInterval left_out_interval(double share, std::int64_t labels);

// What looking at the nodes with the highest scores finds of a class: of the first `nodes`, a share `precision` is of it, and these are
// `recall` of all that are.
struct PrecisionRecall {
  double score = 0;  // of the last of them
  std::int64_t nodes = 0;
  double precision = 0, recall = 0;  // recall is NaN where no node is of the class
};

// A point for each score that there is, from the highest down: nodes of one score come together.
std::vector<PrecisionRecall> precision_recall(std::span<const double> scores, std::span<const ClassId> labels,
                                              ClassId label);

//     Σ_i (recall_i − recall_{i−1}) precision_i
//
// 1: all of the class come first; their share of all nodes: no better than chance. NaN where no node is of the class.
double average_precision(std::span<const PrecisionRecall> curve);

// Nodes ranked by how likely they are of one class: how well those of it are found.
struct ClassRetrieval {
  ClassId label = kUnknown;              // none: nobody asked
  std::int64_t nodes = 0, of_class = 0;  // judged by, and of it
  double average_precision = 0;
  std::vector<PrecisionRecall> curve;
};
ClassRetrieval class_retrieval(std::span<const double> scores, std::span<const ClassId> labels,
                               ClassId label);

}  // namespace heatfront
