// SPDX-License-Identifier: MIT
// Every node goes towards the mean of its neighbours and itself,
//
//     Δ = D^−1 (W + ℓ) − I
//
// Heat at rest is the same at all nodes of a component, the mean of the start by degree:  x = Σ d f / Σ d.
#pragma once

#include "heatfront/flow/laplacians/laplacians.h"

namespace heatfront {

inline constexpr LaplacianEntry kRandomWalkLaplacian{
    .kind = LaplacianKind::random_walk,
    .name = "random-walk",
    .what = "every node goes towards the mean of its neighbours",
    .by_degree = true,
    .root_coordinates = false,
    .self_adjoint = true,
    .at_rest = [](double degree) { return RestingPart{.mass = degree, .share = degree}; }};

}  // namespace heatfront
