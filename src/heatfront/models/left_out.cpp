// SPDX-License-Identifier: MIT
#include "heatfront/models/left_out.h"

#include <algorithm>

#include "heatfront/base/checks.h"

namespace heatfront {

double labels_per_class(const KnownLabels& known, ClassId classes) {
  std::vector<bool> met(at(classes));
  for (ClassId c : known.classes) met[at(c)] = true;
  const auto present = std::ranges::count(met, true);
  return present == 0 ? 0 : static_cast<double>(known.classes.size()) / static_cast<double>(present);
}

std::vector<std::size_t> folds_of(std::span<const ClassId> labels, ClassId classes, std::size_t folds) {
  std::vector<std::size_t> next(at(classes)), result;
  for (std::size_t c = 0; c < next.size(); ++c)
    next[c] = c % folds;  // small classes do not all begin with one fold
  for (ClassId label : labels) result.push_back(next[at(label)]++ % folds);
  return result;
}

FoldOfLabels fold_of(const KnownLabels& known, std::span<const std::size_t> folds, std::size_t fold) {
  FoldOfLabels result;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] == fold) {
      result.places.push_back(i);
    } else {
      result.others.nodes.push_back(known.nodes[i]);
      result.others.classes.push_back(known.classes[i]);
    }
  }
  return result;
}

void check(const LeftOut& left_out, NodeId nodes, ClassId classes, const std::string& where) {
  const std::string what = where + ": 'left_out_nodes'";
  require_ids(what, left_out.nodes, 0, nodes);
  std::vector<NodeId> sorted = left_out.nodes;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    fail("{}: node {} is given twice; give it once", what, *twice);
  const Matrix& shares = left_out.shares;
  if (shares.rows() != std::ssize(left_out.nodes) || shares.cols() > classes)
    fail("{}: 'left_out_shares' has shape ({}, {}); it must have {} rows and at most {} columns", where,
         shares.rows(), shares.cols(), left_out.nodes.size(), classes);
  for (std::int64_t i = 0; i < shares.rows(); ++i) {
    for (Real share : shares.row(i)) {
      if (!(share >= 0 && share <= Real(1.001)))
        fail("{}: 'left_out_shares' holds {}; a share is from 0 to 1", where, share);
    }
  }
}

}  // namespace heatfront
