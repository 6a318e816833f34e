// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/front_targets.h"

#include <algorithm>
#include <iterator>

#include "heatfront/base/linear_algebra.h"

namespace heatfront {

Matrix FrontTargets::matrix() const {
  Matrix result = padded_matrix(std::ssize(nodes), columns);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto from = row(i);
    const auto to = result.row(static_cast<std::int64_t>(i));
    for (std::size_t c = 0; c < to.size(); ++c) to[c] = static_cast<Real>(from[c]);
  }
  return result;
}

double centre_of(std::span<const double> centre, ClassId c, ClassId classes) {
  if (centre.empty()) return 1.0 / classes;
  return at(c) < centre.size() ? centre[at(c)] : 0;
}

FrontTargets front_targets(const KnownLabels& known, ClassId classes, std::span<const double> centre) {
  FrontTargets result{.nodes = known.nodes, .columns = classes, .values = {}, .classes = known.classes};
  for (ClassId label : known.classes)
    for (ClassId c = 0; c < classes; ++c)
      result.values.push_back((label == c ? 1.0 : 0.0) - centre_of(centre, c, classes));
  return result;
}

FrontTargets sample_of(const FrontTargets& known, std::int64_t count) {
  const auto all = static_cast<std::int64_t>(known.nodes.size());
  if (all <= count) return known;
  FrontTargets result{.nodes = {}, .columns = known.columns, .values = {}};
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = at(i * all / count);
    result.nodes.push_back(known.nodes[place]);
    std::ranges::copy(known.row(place), std::back_inserter(result.values));
    if (!known.classes.empty()) result.classes.push_back(known.classes[place]);
  }
  return result;
}

}  // namespace heatfront
