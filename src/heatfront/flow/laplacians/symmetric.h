// SPDX-License-Identifier: MIT
// The paper's Laplacian,
//
//     Δ = D^−½ (W + ℓ) D^−½ − I
//
// It is the random walk in other coordinates, x = D^−½ f, where a product needs no number per arc on graphs without
// weights. Heat at rest is f = √d x with one x for a component:  x = Σ √d f / Σ d.
#pragma once

#include <cmath>

#include "heatfront/flow/laplacians/laplacians.h"

namespace heatfront {

inline constexpr LaplacianEntry kSymmetricLaplacian{
    .kind = LaplacianKind::symmetric,
    .name = "symmetric",
    .what = "an edge counts by the degrees of both its ends, as in the paper",
    .by_degree = true,
    .root_coordinates = true,
    .self_adjoint = true,
    .at_rest = [](double degree) { return RestingPart{.mass = degree, .share = std::sqrt(degree)}; }};

}  // namespace heatfront
