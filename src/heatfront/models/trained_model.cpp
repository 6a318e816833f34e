// SPDX-License-Identifier: MIT
#include "heatfront/models/trained_model.h"

namespace heatfront {
namespace {

bool is_about(std::string_view line, std::string_view name) {
  return line.starts_with(name) && line.substr(name.size()).starts_with(" =");
}

}  // namespace

void TrainedModel::read_options(const OptionFields& wanted) const {
  for (const std::string& line : options) {
    for (const OptionField& field : wanted) {
      if (is_about(line, field.name)) heatfront::set_option(wanted, line, "the model's options");
    }
  }
}

HeatFrontOptions TrainedModel::heat_front_options() const {
  HeatFrontOptions result;
  read_options(fields(result));
  return result;
}

void TrainedModel::set_option(std::string_view name, std::string_view value) {
  std::erase_if(options, [&](const std::string& line) { return is_about(line, name); });
  options.push_back(std::string(name) + " = " + std::string(value));
}

}  // namespace heatfront
