// SPDX-License-Identifier: MIT
// States that diffuse, mix and are fed by where they began, as in continuous graph networks (Xhonneux, Qu and Tang):
//
//     h' = ½ diag(σ(α)) (S h − h) + h M + h0,    h(0) = h0,    S = D^−½ (W + ℓ) D^−½
//
// with a number α_u per node, and M, symmetric and ≥ −1, or zero. It is linear, and A = ½ diag(σ(α)) (S − I) from the
// left commutes with M from the right: h(t) = Σ_k T_k(A/ρ + 1) h0 C_k (solve/source_series.h). Exactly, for
// G = ∂L/∂h(t) and A_k of Clenshaw's recurrence with sources G C_kᵀ:
//
//     ∂L/∂h0 = A_0,    ∂L/∂C_k = T_kᵀ G,
//     ∂L/∂α_u = (1 − σ(α_u)) ⟨A_1, T_1 − T_0⟩_u + (1 − σ(α_u)) Σ_{k≥1} ⟨A_{k+1}, T_{k+1} − 2 T_k + T_{k−1}⟩_u
//
// since σ(α_u) scales row u of A, and (2/ρ) A T_k = T_{k+1} − 2 T_k + T_{k−1}. Where the source counts as a constant,
// ∂L/∂h(0) = e^{tA}ᵀ G e^{tM} takes the place of ∂L/∂h0.
//
// No Flow: rows have speeds of their own, a source feeds them, and the series has matrices for coefficients.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heatfront/flow/laplacian.h"
#include "heatfront/solve/chebyshev_recurrence.h"
#include "heatfront/solve/mixed_series.h"

namespace heatfront {

struct LatentFlowOptions {
  double time = 1;
  double self_loop = 1;         // ℓ
  double tolerance = 1e-6;      // error of h(t), relative to what h0 can grow to
  bool mixing = false;          // is there an M?
  bool source_gradient = true;  // false: gradients take the source for a constant
};

class LatentFlow {
 public:
  // Graph and weights (one per arc, or none for all 1) are lent. States are n × width, padded.
  LatentFlow(const Graph& graph, std::span<const Real> weights, std::int64_t width,
             const LatentFlowOptions& options, Threads& threads);

  LatentFlow(const LatentFlow&) = delete;  // the operator looks into this one
  LatentFlow& operator=(const LatentFlow&) = delete;

  // α, and M by rows (empty without mixing). What follows may run side by side, each with a workspace of its own.
  void set(std::span<const Real> alpha, std::span<const double> mixing);

  std::int64_t products() const { return series_.degree(); }  // of forward() or judge()
  std::int64_t backward_products() const { return (source_gradient_ ? 1 : 2) * series_.degree(); }
  double error_bound() const { return series_.error_bound(); }

  struct StepWorkspace {
    ChebyshevRecurrence recurrence;
    std::vector<Matrix> states;  // T_k
    std::vector<NodeId> rows;    // where G is not zero
    Matrix sources, weighted,
        gathered;                // those rows: of G in the operator's metric, of G, and of another matrix
    std::vector<double> by_row;  // Σ_k ⟨A_{k+1}, …⟩_u
    std::optional<MixedSeries::Workspace> mixing;
  };
  StepWorkspace workspace() const;

  // end ← h(t) from h0 = start.
  void forward(ConstMatrixView start, StepWorkspace& work, MatrixView end) const;
  void judge(ConstMatrixView start, ChebyshevRecurrence& work, MatrixView end) const;

  // gradient: ∂L/∂h(t) → ∂L/∂h0 (or ∂L/∂h(0)); d_alpha ← ∂L/∂α; d_mixing ← ∂L/∂M by rows (empty without mixing).
  void backward(StepWorkspace& work, MatrixView gradient, std::span<Real> d_alpha,
                std::span<double> d_mixing) const;

 private:
  template <class Keep>
  void flow(ConstMatrixView start, ChebyshevRecurrence& recurrence, MatrixView end, const Keep& keep) const;
  void take_sources(ConstMatrixView gradient, StepWorkspace& work) const;
  void mixing_gradient(StepWorkspace& work, std::span<double> d_mixing) const;
  void start_gradient(StepWorkspace& work, MatrixView gradient) const;
  void add_source(std::int64_t k, StepWorkspace& work, MatrixView a_k) const;

  Threads& threads_;
  std::int64_t width_;
  bool source_gradient_;
  Laplacian laplacian_;
  SourceSeries series_;
  std::optional<MixedSeries> mixed_;
  std::vector<Real> speeds_;  // σ(α)
};

}  // namespace heatfront
