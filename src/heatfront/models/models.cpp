// SPDX-License-Identifier: MIT
#include "heatfront/models/models.h"

#include <array>

#include "heatfront/base/find_named.h"
#include "heatfront/models/appnp.h"
#include "heatfront/models/cgnn.h"
#include "heatfront/models/correct_and_smooth.h"
#include "heatfront/models/gat.h"
#include "heatfront/models/gcn.h"
#include "heatfront/models/heat_front.h"
#include "heatfront/models/label_propagation.h"
#include "heatfront/models/logit_model.h"
#include "heatfront/models/mlp.h"
#include "heatfront/models/monet.h"

namespace heatfront {
namespace {

constexpr std::string_view kFlowLoss = "cross-entropy of the free flow", kLogitLoss = "cross-entropy";

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
  static constexpr std::array<ModelEntry, 9> kTable = {
      {{kHeatFront,
        "A network learns where heat starts, end to end through the flow",
        {},
        true,
        kFlowLoss,
        "",
        options<HeatFront, HeatFrontOptions>,
        heat_front_predictor},
       {"gcn",
        "Graph convolutions: layers that average over neighbours",
        {},
        false,
        kLogitLoss,
        "epochs = 400",
        options<Gcn, GcnOptions>,
        logits_predictor},
       {"gat",
        "Graph attention: averages over neighbours whose weights are learned",
        {},
        false,
        kLogitLoss,
        "epochs = 1000",
        options<Gat, GatOptions>,
        logits_predictor},
       {"monet",
        "Mixture model network: neighbours weigh by learned Gaussians of the degrees",
        {},
        false,
        kLogitLoss,
        "epochs = 400",
        options<Monet, MonetOptions>,
        logits_predictor},
       {"appnp",
        "A network predicts, personalised PageRank spreads its logits",
        {},
        false,
        kLogitLoss,
        "",
        options<Appnp, AppnpOptions>,
        logits_predictor},
       {"cgnn",
        "A latent state diffuses, mixes and is fed by its start, in continuous time",
        {},
        false,
        kLogitLoss,
        "learning_rate = 0.005\nepochs = 400",
        options<Cgnn, CgnnOptions>,
        logits_predictor},
       {"mlp",
        "A network that sees features alone, no edge",
        {.graph = false},
        false,
        kLogitLoss,
        "",
        options<MlpModel, MlpModelOptions>,
        logits_predictor},
       {"correct-and-smooth",
        "Predictions of a base model, put right by spreading its errors and the known labels",
        {},
        true,
        kLogitLoss,
        "",
        options<CorrectAndSmooth, CorrectAndSmoothOptions>,
        correct_and_smooth_predictor},
       {"label-propagation",
        "Labels spread along edges, nothing is learned",
        {.features = false},
        true,
        kNoLoss,
        "epochs = 1",
        options<LabelPropagation, LabelPropagationOptions>,
        label_propagation_predictor}}};
  return kTable;
}

const ModelEntry& find_model(std::string_view name) { return find_named(models(), name, "model"); }

}  // namespace heatfront
