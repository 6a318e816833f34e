// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "heatfront/base/options.h"
#include "heatfront/flow/dirichlet.h"
#include "heatfront/nn/mlp_options.h"

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
  std::string edge_weights = "none";  // a kind of models/edge_weighting.h
  double weight_spread = 1;           // θ begins in U(−spread, spread)

  FlowOptions free_flow() const;
  FlowOptions clamped_flow() const;
};

OptionFields fields(HeatFrontOptions& options);

}  // namespace heatfront
