// SPDX-License-Identifier: MIT
// The inner loop of every flow: a sparse product fused with the recurrence around it. For rows u of a block
//
//     y_u ← α (a_u Σ_v w_uv x_v − b_u x_u) + β x_u + γ y_u,      sum_u ← sum_u + δ y_u
//
// and for clamped rows the same without the α term. It reads 4 bytes per arc (8 with weights) and the rows of
// x that the arcs point to, and reads or writes the four rows of u once.
#pragma once

#include <cstdint>

#include "heatfront/base/matrix.h"
#include "heatfront/base/types.h"
#include "heatfront/solve/operator.h"

namespace heatfront {

struct RowKernel {
  const ArcId* offsets;
  const NodeId* targets;
  const Real* weights;          // null: all 1
  const Real* scale;            // a_u
  const Real* shift;            // b_u
  const std::uint8_t* clamped;  // null: none
  const NodeId* order;          // rows begin … end−1 are done in the order of these; null: as they come
  bool far_apart;               // rows of neighbours are rarely in a cache: they are asked for ahead of time
};

inline constexpr std::int64_t kRowsAtOnce = 1024;      // that a thread takes
inline constexpr NodeId kNearRows = 1 << 14;           // rows nearer than this are probably still in a cache
inline constexpr std::int64_t kCachedBytes = 8 << 20;  // smaller states probably are as a whole

// Rows begin … end−1. x, y and sum have the same stride, a multiple of 4, and 16-byte aligned rows; sum may
// be empty.
void apply_rows(const RowKernel& kernel, const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum,
                std::int64_t begin, std::int64_t end);

// Roundings that a number goes through, at most, on its way into a sum over so many arcs.
double roundings_of_sum(ArcId arcs);

// q_uv += scale · a_u·x_v for every arc of the free rows begin … end−1, q_u += scale · a_u·x_u.
void add_row_gradients(const RowKernel& kernel, double scale, ConstMatrixView a, ConstMatrixView x,
                       Real* entries, Real* diagonal, std::int64_t begin, std::int64_t end);

}  // namespace heatfront
