// SPDX-License-Identifier: MIT
// What ranks have of their rows, together: for answers and files, which nobody makes in parts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "heatfront/base/types.h"
#include "heatfront/graph/halo.h"

namespace heatfront {

// The rows of all other ranks, in the order of these; none where they are not wanted. Collective.
inline std::vector<RemoteRow> rows_of_others(std::int64_t own_rows, bool wanted, const Cluster& cluster) {
  const Ranks& ranks = cluster.ranks();
  std::vector<double> counts(at(ranks.count()));
  counts[at(ranks.rank())] = static_cast<double>(own_rows);
  ranks.sum(counts);
  std::vector<RemoteRow> others;
  for (int rank = 0; rank < ranks.count() && wanted; ++rank) {
    if (rank == ranks.rank()) continue;
    for (std::int64_t row = 0; row < static_cast<std::int64_t>(counts[at(rank)]); ++row)
      others.push_back({rank, row});
  }
  return others;
}

// Own rows of so many numbers each, then those of the other ranks, on the first rank; elsewhere nothing. Collective.
template <class Number>
std::vector<Number> all_on_first(std::vector<Number> own, std::int64_t numbers_a_row,
                                 const Cluster& cluster) {
  static_assert(sizeof(Number) % 4 == 0);
  const Ranks& ranks = cluster.ranks();
  if (ranks.count() == 1) return own;
  const std::int64_t rows = std::ssize(own) / numbers_a_row;
  const std::vector<RemoteRow> others = rows_of_others(rows, ranks.rank() == 0, cluster);
  std::vector<Number> theirs(others.size() * at(numbers_a_row));
  fetch_rows<Number>(*cluster.halo(rows, others), own, theirs, numbers_a_row);
  if (ranks.rank() != 0) return {};
  own.insert(own.end(), theirs.begin(), theirs.end());
  return own;
}

// Values by a number that each has among those of all ranks, in the order of these. Collective.
template <class Index, class Number>
std::vector<Number> ordered_on_first(const std::vector<Index>& places, const std::vector<Number>& own,
                                     std::int64_t numbers_a_row, const Cluster& cluster) {
  const std::vector<Index> all_places = all_on_first(places, 1, cluster);
  const std::vector<Number> all = all_on_first(own, numbers_a_row, cluster);
  std::vector<Number> ordered(all.size());
  for (std::size_t i = 0; i < all_places.size(); ++i) {
    const auto from = all.begin() + static_cast<std::int64_t>(i) * numbers_a_row;
    std::copy_n(from, numbers_a_row, ordered.begin() + all_places[i] * numbers_a_row);
  }
  return ordered;
}

}  // namespace heatfront
