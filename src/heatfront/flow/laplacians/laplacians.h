// SPDX-License-Identifier: MIT
// The kinds of Laplacian, one file each, and their table, from which listing, error texts and what an operator does with
// a kind come. With a loop of weight ℓ on every node, d(u) = ℓ + Σ_v w(u,v) and λ the speed, a kind is
//
//     A = λ M^−1 (W + ℓ − D)      with the metric M = D or 1,
//
// symmetric in ⟨x, y⟩ = Σ m x y, on states x that the user may see in other coordinates, f = D^½ x.
#pragma once

#include <span>
#include <string_view>

namespace heatfront {

enum class LaplacianKind { symmetric, random_walk, combinatorial };

// What a node of this degree counts for when heat comes to rest: at x = Σ share f / Σ mass, in the operator's coordinates.
struct RestingPart {
  double mass;   // m
  double share;  // of what the user sees
};

struct LaplacianEntry {
  LaplacianKind kind;
  std::string_view name;
  std::string_view what;
  bool by_degree;         // rows are divided by their degree, and the metric is the degree; else it is 1
  bool root_coordinates;  // states are x = D^−½ f; else as the user sees them
  bool self_adjoint;      // in the metric, with weights that are the same in both directions
  RestingPart (*at_rest)(double degree);
};
std::span<const LaplacianEntry> laplacian_kinds();
const LaplacianEntry& entry_of(LaplacianKind kind);
LaplacianKind laplacian_kind(std::string_view name);  // Error lists the right ones
std::string_view name_of(LaplacianKind kind);

}  // namespace heatfront
