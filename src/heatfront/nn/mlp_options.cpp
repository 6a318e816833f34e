// SPDX-License-Identifier: MIT
#include "heatfront/nn/mlp_options.h"

#include "heatfront/nn/activation.h"
#include "heatfront/nn/initialiser.h"
#include "heatfront/nn/linear.h"

namespace heatfront {

OptionFields fields(MlpOptions& options) {
  return {{"hidden", &options.hidden, "Widths of the network's hidden layers", from_to(1, kMostUnits)},
          {"dropout", &options.dropout, "Share of each hidden layer dropped in a training step",
           from_to_below(0, 1)},
          {"activation", &options.activation, "Activation of the hidden layers", one_of_names(activations())},
          {"initialiser", &options.initialiser, "How the weights are drawn at the start",
           one_of_names(initialisers())}};
}

}  // namespace heatfront
