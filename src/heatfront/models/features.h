// SPDX-License-Identifier: MIT
// What a network is shown of a data set's features.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/options.h"
#include "heatfront/base/ranks.h"
#include "heatfront/data/dataset.h"
#include "heatfront/nn/network_input.h"

namespace heatfront {

// "auto" → what it stands for on this data: row-lengths where features are stored sparse or most of them are zero, else
// standardised; neighbourhood where there are none. Other names come back as they are.
//
// A step of the optimiser moves every weight by about the learning rate η, so it moves what a unit says of row u by up to
// η Σ_j |x_uj|. Features that are never negative push all rows the same way: with hundreds of ones in a row the first steps are
// so long that narrow layers hardly learn (probably because their relu ends up at 0 on every row). Rows of length 1 keep the
// step small whatever the units and the number of entries are; rows of sum 1 make it so small that 1,000 epochs were not enough.
std::string resolve_features(const std::string& how, const Dataset& dataset,
                             const Ranks& ranks = Ranks::alone());

//     as-given       x
//     binarised      [x ≠ 0]
//     row-sums       x_u / Σ_j |x_uj|
//     row-lengths    x_uj / r_j, r_j the root mean square of the entries of column j that are not zero, then rows to length 1
//     standardised   (x_uj − mean_j) / deviation_j, dense; sparse ones are only divided by their root mean square
//     products       standardised, and beside them the d (d + 1)/2 products of two columns or of one with itself, standardised too and divided by √d;
//                    dense, of at most kMostInProducts columns
//     neighbourhood  who the neighbours are, and the node itself: row u of A + I
//     l2             rows scaled to length 1
//     tfidf          [x ≠ 0] (ln((1 + n)/(1 + n_j)) + 1), n_j the nodes that have entry j, then rows to length 1
//     identity       each node alone: row u of I
//
// Nodes that were added after training (Dataset::added) count neither in means, deviations and n_j nor as columns of a neighbourhood: what a
// network sees of the others stays as it was.
inline constexpr std::string_view kIdentityFeatures = "identity", kProductFeatures = "products";
inline constexpr std::int64_t kMostInProducts = 32;

// The setting that chooses among them, and what it chose.
OptionField features_field(std::string& features);

// `ids` and `ranks`: where others have other rows of the same nodes, and what is measured of columns is measured over all of them. Then it
// is collective, and a neighbourhood, of which a rank sees a part, is an Error.
NetworkInput network_input(const std::string& how, const Dataset& dataset, std::span<const NodeId> ids = {},
                           const Ranks& ranks = Ranks::alone());

// Of the columns of `products`, the two columns of d whose product each is; twice the same for those that are no product.
std::vector<std::pair<std::int64_t, std::int64_t>> columns_of_products(std::int64_t d);

}  // namespace heatfront
