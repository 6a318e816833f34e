// SPDX-License-Identifier: MIT
// The numbers everything is counted and computed in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "heatfront/base/config.h"

namespace heatfront {

using Real = std::conditional_t<HEATFRONT_DOUBLE, double, float>;

using NodeId = std::int32_t;   // a node: 0 … n−1
using ArcId = std::int64_t;    // an arc: one direction of an edge
using ClassId = std::int32_t;  // a class: 0 … C−1

inline constexpr std::int64_t kMostNodes = std::numeric_limits<NodeId>::max();

inline constexpr ClassId kUnknown = -1;  // the label of a node whose class nobody has told

// Where the standard library wants an index without a sign.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace heatfront
