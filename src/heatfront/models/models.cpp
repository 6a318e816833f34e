// SPDX-License-Identifier: MIT
#include "heatfront/models/models.h"

#include <array>

#include "heatfront/base/fail.h"
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

const ModelEntry& find_model(std::string_view name) {
  std::string names;
  for (const ModelEntry& entry : models()) {
    if (entry.name == name) return entry;
    names += (names.empty() ? "" : ", ") + std::string(entry.name);
  }
  fail("unknown model '{}'; there are: {}", name, names);
}

}  // namespace heatfront
