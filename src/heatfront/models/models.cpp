// SPDX-License-Identifier: MIT
#include "heatfront/models/models.h"

#include <array>

#include "heatfront/base/find_named.h"
#include "heatfront/models/heat_front.h"

namespace heatfront {
namespace {

template <class Kind, class Options>
class OptionsOf : public ModelOptions {
 public:
  OptionFields fields() override { return heatfront::fields(options_); }
  std::unique_ptr<Model> make(const Dataset& dataset, Threads& threads) const override {
    return std::make_unique<Kind>(dataset, options_, threads);
  }

 private:
  Options options_;
};

template <class Kind, class Options>
std::unique_ptr<ModelOptions> options() {
  return std::make_unique<OptionsOf<Kind, Options>>();
}

}  // namespace

std::span<const ModelEntry> models() {
  static constexpr std::array<ModelEntry, 1> kTable = {
      {{"heat-front", "A network learns where heat starts, end to end through the flow",
        options<HeatFront, HeatFrontOptions>}}};
  return kTable;
}

const ModelEntry& find_model(std::string_view name) { return find_named(models(), name, "model"); }

}  // namespace heatfront
