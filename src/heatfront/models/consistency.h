// SPDX-License-Identifier: MIT
// Consistency training: what is dropped should not change the answer, at nodes without a label either. Of a front, K samples are drawn, each
// with dropout of its own, flow, and have shares p_k = softmax(f_k(t)). They are drawn to what they say together,
//
//     q_i ∝ (1/K Σ_k p_ik)^{1/T}          T < 1: and more certain than they are
//     L += μ/K Σ_k 1/n Σ_i |p_ik − q_i|²
//
// q is held constant: its own derivative would only draw it back to the samples.
#pragma once

#include <span>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"

namespace heatfront {

// targets ← q (n, C) of the logits of all samples, each (n, C).
void sharpened_mean(std::span<const ConstMatrixView> logits, double sharpening, MatrixView targets,
                    Threads& threads);

// weight Σ_i |softmax(z_i) − q_i|², of which ∂/∂z is added to d_logits:  2 weight (p ∘ g − p ⟨p, g⟩),  g = p − q.
double consistency(ConstMatrixView logits, ConstMatrixView targets, double weight, MatrixView d_logits,
                   Threads& threads);

}  // namespace heatfront
