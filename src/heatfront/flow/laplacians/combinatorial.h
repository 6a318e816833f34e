// SPDX-License-Identifier: MIT
// The differences to all neighbours, added up, so that nodes of high degree move faster,
//
//     Δ = W + ℓ − D
//
// The loop changes nothing. Heat at rest is the plain mean of the start of a component:  x = Σ f / Σ 1.
#pragma once

#include "heatfront/flow/laplacians/laplacians.h"

namespace heatfront {

inline constexpr LaplacianEntry kCombinatorialLaplacian{
    .kind = LaplacianKind::combinatorial,
    .name = "combinatorial",
    .what = "differences to all neighbours are added up, so heat flows faster where degrees are high",
    .by_degree = false,
    .root_coordinates = false,
    .self_adjoint = true,
    .at_rest = [](double) { return RestingPart{.mass = 1, .share = 1}; }};

}  // namespace heatfront
