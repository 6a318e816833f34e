// SPDX-License-Identifier: MIT
// What in the features made a front that a network learned. With F the lead of one class over another at a node whose row of features, as the network
// sees it, is x (integrated gradients, Sundararajan, Taly and Yan 2017, from a row of zeros),
//
//     F(x) = F(0) + Σ_k x_k ∫₀¹ ∂F/∂x_k(αx) dα
//
// A row of zeros is a node that has none of the features, or, where columns are standardised, an average one. As z₁(αx) = b + α xW, the integral is one over
// the hidden layer: exact in a linear network and in one with a single hidden layer of relu, whose units switch once on the way. Otherwise it is a sum
// over α, refined until both sides differ by a ten-thousandth; by how much they do is said.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "heatfront/models/trained_model.h"
#include "heatfront/nn/network_input.h"

namespace heatfront {

struct FrontPart {
  std::int64_t column = 0;
  double lead = 0;  // what it adds to F
};

struct FrontParts {
  double lead = 0;               // F(x), of the model's front
  double at_zero = 0;            // F(0)
  std::vector<FrontPart> parts;  // of the columns that are not zero in x
  double residual = 0;           // |F(x) − F(0) − Σ parts|
};

class FrontReasons {
 public:
  // None where the front is not that of a heat-front's network, or the model does not hold what the network saw.
  static std::optional<FrontReasons> of(const TrainedModel& model);

  bool columns_are_nodes() const {
    return columns_are_nodes_;
  }  // of a neighbourhood, else they are the data's

  // Of the lead of `label` over `second` at node u; of `label` alone where both are the same. A class that training did not know has the lowest
  // of a row.
  FrontParts parts(NodeId u, ClassId label, ClassId second) const;

 private:
  struct Layer {
    const Matrix* weight;  // (in, out)
    const Matrix* bias;    // (1, out)
  };

  // out → F, of an output row.
  struct Output {
    ClassId label, second;
    double of(std::span<const double> row) const;
  };

  FrontReasons(const TrainedModel& model, NetworkInput input, std::vector<Layer> layers);
  std::vector<FrontPart> row_of(NodeId u) const;
  std::vector<double> exact_slope(std::span<const double> start, std::span<const double> path,
                                  const Output& output) const;
  std::vector<double> summed_slope(const std::function<std::vector<double>(double)>& along,
                                   std::span<const double> path, double gain, const Output& output) const;
  double lead_at(std::vector<double> z, const Output& output, std::vector<double>* slope) const;

  const TrainedModel& model_;
  NetworkInput input_;
  std::vector<Layer> layers_;
  bool elu_ = false;
  bool columns_are_nodes_ = false;
};

}  // namespace heatfront
