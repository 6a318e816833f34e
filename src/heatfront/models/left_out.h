// SPDX-License-Identifier: MIT
// What a model says of labelled nodes whose own label it was not told: an honest measure of it that holds nothing back, for in the end every
// label trains. Labels are left out one at a time, or a fold of them at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/flow/dirichlet.h"

namespace heatfront {

struct LeftOut {
  std::vector<NodeId> nodes;
  Matrix shares;  // (nodes, classes); a row adds up to 1
};

// Labels per class on average, of classes that have any. With fewer than kFewLabels none can be left out to choose by: at one per class nothing would be
// left of the class. Heat then flows for kLongTime with class masses.
inline constexpr double kFewLabels = 5, kLongTime = 1000;
double labels_per_class(const KnownLabels& known, ClassId classes);

// Which fold each label is in, every class spread over them as evenly as can be.
std::vector<std::size_t> folds_of(std::span<const ClassId> labels, ClassId classes, std::size_t folds);

struct FoldOfLabels {
  std::vector<std::size_t> places;  // of the labels that are left out
  KnownLabels others;
};
FoldOfLabels fold_of(const KnownLabels& known, std::span<const std::size_t> folds, std::size_t fold);

// Error (beginning with `where`) unless they are nodes that there are, none of them twice, with a share for each of `classes`.
void check(const LeftOut& left_out, NodeId nodes, ClassId classes, const std::string& where);

}  // namespace heatfront
