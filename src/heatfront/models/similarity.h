// SPDX-License-Identifier: MIT
// A weight for every edge by how similar its two nodes are, learned with a few hundred parameters whatever the graph's size:
//
//     w_uv = w⁰_uv sigmoid(s_uv),     s_uv = b + Σ_k a_k h_uk h_vk,     h_u = Pᵀ y_u     (P: q × r)
//
// y_u are the features of u along a few fixed axes, less their mean, of length 1: the q = 32 principal axes, or the features
// themselves where there are no more. P, a and b are learned. With g_uv = ∂L/∂w_uv w_uv (1 − sigmoid(s_uv)) and m_u = Σ_v g_uv h_v,
//
//     ∂L/∂b = Σ_edges g,     ∂L/∂a_k = ½ Σ_u h_uk m_uk,     ∂L/∂h_uk = a_k m_uk,     ∂L/∂P = Yᵀ ∂L/∂H
//
// What belongs to a node depends on its own features alone, so new nodes and edges have weights too.
#pragma once

#include <span>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/data/dataset.h"
#include "heatfront/models/trained_model.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

// From features x to y: of dense ones, x̂ = (x − mean) / deviation by column; of those that are mostly zero, x̂ = x / |x|. Then
// y ∝ x̂ R − centre.
struct SimilarityAxes {
  Matrix columns;  // mean and 1 / deviation (2, d); empty: rows are scaled to length 1
  Matrix axes;     // R (d, q)
  Matrix centre;   // (1, q)
};

// Error where the data set has no features.
SimilarityAxes similarity_axes(const Dataset& dataset, Threads& threads);

// Y (n, q), padded. Error where the features have another number of columns.
Matrix compared_features(const SimilarityAxes& axes, const Dataset& dataset, Threads& threads);

class Similarity {
 public:
  // `compared`: Y. Adds its parameters to the layout. The data set is lent and must outlive this.
  Similarity(const Dataset& dataset, Matrix compared, ParameterLayout& layout, Threads& threads);

  void initialise(const Random& random, std::span<Real> parameters) const;

  // w by arc, the same bits at both arcs of an edge.
  void forward(std::span<const Real> parameters, std::span<Real> weights);

  // After forward(). d_weights: ∂L/∂w of the edge, at both of its arcs; writes the gradient of its own parameters.
  void backward(std::span<const Real> parameters, std::span<const Real> weights,
                std::span<const Real> d_weights, std::span<Real> gradient);

 private:
  const Dataset& dataset_;
  Threads& threads_;
  Matrix compared_;                        // Y (n, q)
  Parameter projection_, factors_, bias_;  // P, a, b
  Matrix hidden_, d_hidden_;               // H (n, r)
};

// What a trained model keeps of them, beside the parameters, by name.
void keep(const SimilarityAxes& axes, std::vector<NamedMatrix>& matrices);

// The weights that the similarity of a trained model gives to the edges of a data set; the data's own where the model has none, because
// nothing learned was better. Error where it is one for other features.
std::vector<Real> similar_weights(const TrainedModel& model, const Dataset& dataset, Threads& threads);

}  // namespace heatfront
