// SPDX-License-Identifier: MIT
// What an answer says of some nodes whose labels are told: the share p_c of every class, and which class it
// gave them. Scores of probabilities are functions of this.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/flow/decide.h"
#include "heatfront/models/left_out.h"

namespace heatfront {

struct JudgedShares {
  ClassId classes = 0;
  std::vector<double> shares;  // one row per node, one column per class; a row adds up to 1
  std::vector<ClassId> labels, given;

  std::size_t nodes() const { return labels.size(); }
  std::span<const double> row(std::size_t i) const {
    return std::span(shares).subspan(i * at(classes), at(classes));
  }
  double confidence(std::size_t i) const { return row(i)[at(given[i])]; }
  bool right(std::size_t i) const { return given[i] == labels[i]; }
};

// Error unless there is a row of shares, a label and a class given for every node, and all classes are there.
void check(const JudgedShares& judged);

// What was said of labels that were left out.
JudgedShares judged_shares(const LeftOut& left_out, std::span<const ClassId> labels, ClassId classes);

// Those of the nodes that a label reaches.
std::vector<NodeId> reached_of(const Answer& answer, std::span<const NodeId> nodes);

// Those at these places.
JudgedShares part_of(const JudgedShares& judged, std::span<const std::size_t> places);

// Before any softening. Error where one of the nodes has no label.
JudgedShares judged_shares(const Answer& answer, std::span<const ClassId> labels,
                           std::span<const NodeId> nodes);

}  // namespace heatfront
