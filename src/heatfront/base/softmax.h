// SPDX-License-Identifier: MIT
// Shares of scores that are logits:
//
//     p_c = e^{x_c − highest} / Σ_k e^{x_k − highest} = 1 / Σ_k e^{x_k − x_c}
#pragma once

#include <cstddef>
#include <span>

#include "heatfront/base/types.h"

namespace heatfront {

// shares ← p, one per score; at least one.
void softmax(std::span<const Real> row, std::span<double> shares);

// p_c alone.
double softmax_share(std::span<const Real> row, std::size_t c);

}  // namespace heatfront
