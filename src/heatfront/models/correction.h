// SPDX-License-Identifier: MIT
// Correct and smooth (Huang, He, Singh, Lim and Benson, 2021): predictions Z of any model are put right by the known
// labels Y, in two spreadings over the graph. With M a normalised adjacency:
//
//     correct   E⁰ = Y − Z on the known rows, 0 elsewhere;     E ← α M E + (1 − α) E⁰
//               auto:   Z_u ← Z_u + s_u E_u,  s_u = mean |E⁰|₁ of the known rows / |E_u|₁  (1 where that is above 1000)
//               fixed:  E is held at E⁰ on the known rows, and Z ← Z + s E
//     smooth    Z⁰ = Y on the known rows, Z elsewhere;         Z ← β M Z + (1 − β) Z⁰
#pragma once

#include <cstdint>
#include <string>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/base/parallel.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/flow/propagation.h"

namespace heatfront {

struct CorrectionOptions {
  std::string scaling = "auto";
  double scale = 1;            // s, with fixed scaling
  double correct_alpha = 0.8;  // α
  double smooth_alpha = 0.8;   // β
  std::int64_t steps = 50;     // of each spreading
  std::string correct_matrix = "symmetric";
  std::string smooth_matrix = "symmetric";
  double spread_loop = 0;  // weight of a loop on every node
};

OptionFields fields(CorrectionOptions& options);

class Correction {
 public:
  // Graph and weights are lent and must outlive this.
  Correction(const Graph& graph, std::span<const Real> weights, const CorrectionOptions& options,
             Threads& threads);

  // Z: shares of the classes, row by row. All padded alike.
  void apply(ConstMatrixView shares, const KnownLabels& known, MatrixView result);

  std::int64_t products() const { return correct_.products() + smooth_.products(); }

 private:
  CorrectionOptions options_;
  bool fixed_;
  Propagation correct_, smooth_;
  Matrix residuals_, spread_, corrected_;
};

}  // namespace heatfront
