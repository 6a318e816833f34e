// SPDX-License-Identifier: MIT
// How warm a known label is held beside a learned front ψ, whose size is whatever training made of it. A one-hot row of height s stands
// out of its mean by s (C − 1)/C; beside fronts that stand out by much more, a label at 1 would hardly count. In the unit `front` it stands
// out as they do on average:
//
//     s = C/(C − 1) · 1/n Σ_i (max_c ψ_ic − 1/C Σ_c ψ_ic)
#pragma once

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/ranks.h"
#include "heatfront/models/heat_front_options.h"

namespace heatfront {

// s; 1 where no front stands out, or there is one class.
double front_unit(ConstMatrixView front, Threads& threads, const Ranks& ranks = Ranks::alone());

// d_front += ∂s/∂ψ d_unit.
void front_unit_backward(ConstMatrixView front, double d_unit, MatrixView d_front, Threads& threads,
                         const Ranks& ranks = Ranks::alone());

// The temperature of a label beside this front.
double label_temperature(const HeatFrontOptions& options, ConstMatrixView front, Threads& threads,
                         const Ranks& ranks = Ranks::alone());
bool depends_on_front(const HeatFrontOptions& options);

}  // namespace heatfront
