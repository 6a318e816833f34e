// SPDX-License-Identifier: MIT
// What a network is shown of a data set's features.
#pragma once

#include <string>

#include "heatfront/base/options.h"
#include "heatfront/data/dataset.h"
#include "heatfront/nn/network_input.h"

namespace heatfront {

// "auto" → what it stands for on this data: standardised for dense features, as-given for sparse ones,
// neighbourhood where there are none. Other names come back as they are.
std::string resolve_features(const std::string& how, const Dataset& dataset);

//     as-given       x
//     binarised      [x ≠ 0]
//     row-sums       x_u / Σ_j |x_uj|
//     standardised   (x_uj − mean_j) / deviation_j, dense; sparse ones are only divided by their root mean square
//     neighbourhood  who the neighbours are, and the node itself: row u of A + I
//
// The setting that chooses among them, and what it chose.
OptionField features_field(std::string& features);
NetworkInput network_input(const std::string& how, const Dataset& dataset);

}  // namespace heatfront
