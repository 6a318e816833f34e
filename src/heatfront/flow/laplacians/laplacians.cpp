// SPDX-License-Identifier: MIT
#include "heatfront/flow/laplacians/laplacians.h"

#include <algorithm>
#include <array>

#include "heatfront/base/find_named.h"
#include "heatfront/flow/laplacians/combinatorial.h"
#include "heatfront/flow/laplacians/random_walk.h"
#include "heatfront/flow/laplacians/symmetric.h"

namespace heatfront {

std::span<const LaplacianEntry> laplacian_kinds() {
  static constexpr std::array kTable = {kSymmetricLaplacian, kRandomWalkLaplacian, kCombinatorialLaplacian};
  return kTable;
}

const LaplacianEntry& entry_of(LaplacianKind kind) {
  return *std::ranges::find(laplacian_kinds(), kind, &LaplacianEntry::kind);
}

LaplacianKind laplacian_kind(std::string_view name) {
  return find_named(laplacian_kinds(), name, "Laplacian").kind;
}

std::string_view name_of(LaplacianKind kind) { return entry_of(kind).name; }

}  // namespace heatfront
