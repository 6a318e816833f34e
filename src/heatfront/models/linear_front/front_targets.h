// SPDX-License-Identifier: MIT
// What a linear front is fitted to: numbers, a row for each labelled node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/flow/dirichlet.h"

namespace heatfront {

// What labelled nodes are told: y, a row for each, about zero in the mean of all.
struct FrontTargets {
  std::vector<NodeId> nodes;
  std::int64_t columns = 0;
  std::vector<double> values;  // (nodes, columns), row by row
  std::vector<ClassId> classes =
      {};  // of classes, fronts are chosen by how many they name; empty: by squared error alone

  std::span<const double> row(std::size_t i) const {
    return std::span(values).subspan(i * at(columns), at(columns));
  }
  Matrix matrix() const;
};

// e_label − m, one row per label; m_c of classes beyond the centre is 0, and 1/C of each where there is no centre.
FrontTargets front_targets(const KnownLabels& known, ClassId classes, std::span<const double> centre = {});
double centre_of(std::span<const double> centre, ClassId c, ClassId classes);

// So many of the labels, evenly by their order; all where there are no more.
FrontTargets sample_of(const FrontTargets& known, std::int64_t count);

}  // namespace heatfront
