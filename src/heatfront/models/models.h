// SPDX-License-Identifier: MIT
// The table of models: making, listing, options and error texts come from it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/models/model.h"

namespace heatfront {

// The options of one model, whatever their struct is.
class ModelOptions {
 public:
  virtual ~ModelOptions() = default;
  virtual OptionFields fields() = 0;
  virtual std::unique_ptr<Model> make(const Dataset& dataset, Threads& threads) const = 0;

 protected:
  ModelOptions() = default;
  ModelOptions(const ModelOptions&) = default;
  ModelOptions& operator=(const ModelOptions&) = default;
};

struct ModelEntry {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<ModelOptions> (*options)();
};
std::span<const ModelEntry> models();

// An unknown name is an Error that lists the right ones.
const ModelEntry& find_model(std::string_view name);

}  // namespace heatfront
