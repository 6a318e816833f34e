// SPDX-License-Identifier: MIT
#include "heatfront/nn/mlp_options.h"

namespace heatfront {

OptionFields fields(MlpOptions& options) {
  return {{"hidden", &options.hidden, "Widths of the hidden layers of the network"},
          {"dropout", &options.dropout, "Share of each hidden layer dropped in a training step"},
          {"activation", &options.activation, "relu or elu"},
          {"initialiser", &options.initialiser, "kaiming or glorot"}};
}

}  // namespace heatfront
