// SPDX-License-Identifier: MIT
#include "heatfront/models/trained_model.h"

namespace heatfront {

HeatFrontOptions TrainedModel::heat_front_options() const {
  HeatFrontOptions result;
  OptionFields wanted = fields(result);
  for (const std::string& line : options) {
    for (const OptionField& field : wanted) {
      if (line.starts_with(std::string(field.name) + " =")) set_option(wanted, line, "the model's options");
    }
  }
  return result;
}

}  // namespace heatfront
