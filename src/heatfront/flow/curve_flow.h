// SPDX-License-Identifier: MIT
// A flow as its curve needs it, whoever has its rows: an operator, the way into its coordinates, and the way back to what a user sees.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "heatfront/flow/flow.h"

namespace heatfront {

struct CurveFlow {
  const Operator& a;
  const FlowOptions& options;
  std::int64_t rows;  // of a state: of the longest on any rank, where several have them
  std::function<void(MatrixView)> enter, leave;
  std::function<void(ConstMatrixView)> require_representable;
};

// Flow::curve, from a start in the user's coordinates.
SolveReport curve_of(const CurveFlow& flow, std::span<const double> times, Matrix start,
                     const VisitTime& visit);

}  // namespace heatfront
