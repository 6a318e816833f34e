// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "heatfront/base/options.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/nn/mlp.h"

namespace heatfront {

struct HeatFrontOptions {
  MlpOptions network;
  std::string features = "auto";
  double time = 5;
  double lambda = 1;          // of the free flow, while training
  double clamped_lambda = 1;  // of the clamped flow, for judging and predicting
  std::string solver = "chebyshev";
  double tolerance = 1e-6;
  double runge_kutta_tolerance = 1e-3;  // instead, for the solvers with step control
  std::string laplacian = "symmetric";
  double self_loop = 1;
  double label_scale = 1;
  std::string label_unit = "one";  // of label_scale; front: what labels need beside the front (label_scale.h)
  std::string edge_weights = "none";  // a kind of models/edge_weighting.h
  double weight_spread = 1;           // θ begins in U(−spread, spread)
  std::int64_t fronts = 1;            // trained side by side; their mean is the model's

  // Of a training step; consistency.h says what for.
  double held_labels = 0;    // share of the training labels that are held while the others are judged by
  std::int64_t samples = 1;  // K, each with dropout of its own
  double front_dropout = 0;  // δ, of whole rows of the front
  double consistency = 0;    // μ
  double sharpening = 1;     // T

  FlowOptions free_flow() const;
  FlowOptions clamped_flow() const;
};

OptionFields fields(HeatFrontOptions& options);

}  // namespace heatfront
