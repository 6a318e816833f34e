// SPDX-License-Identifier: MIT
// How good an answer is, on a set of nodes whose labels are known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/models/left_out.h"

namespace heatfront {

// The share of `nodes` whose class is their label; NaN where there are none.
double accuracy(std::span<const ClassId> classes, std::span<const ClassId> labels,
                std::span<const NodeId> nodes);

// The same for the warmest class of each row, the first of equals.
double accuracy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> nodes);

// The same of labels that were left out.
double accuracy(const LeftOut& left_out, std::span<const ClassId> labels);

// Macro F1 (confusion.h) of the warmest class of each row on `nodes`; NaN where there are none.
double macro_f1(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> nodes);

// How well shares rank what is looked for: the share of it among the first k, and the mean of that over the places k at which
// something looked for stands (average precision). The higher the share the earlier, of equals the first. NaN where there is
// nothing to rank, or nothing looked for.
double precision_of_first(std::span<const double> shares, const std::vector<bool>& wanted, std::size_t k);
double average_precision(std::span<const double> shares, const std::vector<bool>& wanted);

// Where the true share lies, with 95 % confidence, when it was seen on so many nodes that were drawn apart
// from each other (Wilson 1927); NaN where there are none.
struct ShareInterval {
  double low = 0, high = 0;
};

ShareInterval share_interval(double share, std::int64_t nodes);

}  // namespace heatfront
