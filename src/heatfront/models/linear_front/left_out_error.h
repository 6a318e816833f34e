// SPDX-License-Identifier: MIT
// How wrong a linear front is of labels that were left out, as a function of the edges' weights, with its gradient. With K, G, α, y
// and κ as in leave_one_out.h, and e_i = α_i / G_ii what the answer without label i misses,
//
//     L(w) = Σ_i |e_i|²,     U_i = 2 e_i / G_ii,     v_i = −2 |e_i|² / G_ii
//     S = ∂L/∂K = −½ (G U αᵀ + α (G U)ᵀ) − G diag(v) G
//     ∂L/∂Z_L = 2/κ (S − ⟨S, K⟩/|L|) Z_L             (κ moves along)
//
// and from there through Z_Lᵀ = X̂ᵀ H E_L, H symmetric, by the flow's own way back to ∂L/∂w.
#pragma once

#include <span>
#include <vector>

#include "heatfront/flow/flow.h"
#include "heatfront/models/linear_front/choose_fronts.h"
#include "heatfront/models/trained_model.h"

namespace heatfront {

class LeftOutError {
 public:
  // Data set, features, labels and threads are lent and must outlive this; `flow` is that of the setting, whose H is symmetric.
  LeftOutError(const Dataset& dataset, const FrontFeatures& features, const KnownLabels& known, double ridge,
               const FlowOptions& flow, Threads& threads);

  // L(w); ∂L/∂w of every edge is then in gradient(), at both of its arcs. NaN where rounding leaves no answer.
  double at_weights(std::span<const Real> weights);
  std::span<const Real> gradient() const { return d_weights_.edges; }
  std::int64_t products() const { return products_; }

 private:
  const FrontFeatures& features_;
  double ridge_;
  Threads& threads_;
  Matrix targets_;  // y (|L|, C)
  Matrix start_;    // E_L (n, |L|)
  ArcPairs pairs_;
  Flow flow_;
  Trace trace_;
  OperatorGradient d_operator_;
  Laplacian::WeightGradient d_weights_;
  std::int64_t products_ = 0;
};

struct LearnedWeights {
  std::vector<Real> weights;          // by arc; empty: none were better than the data's own
  std::vector<NamedMatrix> matrices;  // what gives weights to other edges (models/similarity.h)
  double first_error = 0,
         error = 0;  // L of the data's own weights and of those that are kept, by the labels that judge
  std::int64_t products = 0;
};

// The similarity of models/similarity.h that lowers L for this setting, by a fixed number of Adam's steps. Every second label is learned from,
// and the step is kept whose L is lowest by the others: a few hundred parameters can fit a few dozen labels and say nothing of the rest.
// Of many labels a sample is used.
LearnedWeights learn_edge_weights(const Dataset& dataset, const FrontFeatures& features,
                                  const FrontSetting& setting, const KnownLabels& known,
                                  const FlowOptions& flow, Threads& threads);

}  // namespace heatfront
