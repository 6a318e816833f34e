// SPDX-License-Identifier: MIT
#include "heatfront/models/models.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "heatfront/base/fail.h"
#include "heatfront/base/find_named.h"
#include "heatfront/models/appnp.h"
#include "heatfront/models/cgnn.h"
#include "heatfront/models/correct_and_smooth.h"
#include "heatfront/models/flow_alone.h"
#include "heatfront/models/gat.h"
#include "heatfront/models/gcn.h"
#include "heatfront/models/grow.h"
#include "heatfront/models/heat_front.h"
#include "heatfront/models/label_propagation.h"
#include "heatfront/models/linear_front/linear_front.h"
#include "heatfront/models/logit_model.h"
#include "heatfront/models/mlp.h"
#include "heatfront/models/monet.h"

namespace heatfront {
namespace {

constexpr std::string_view kFlowLoss = "cross-entropy of the free flow", kLogitLoss = "cross-entropy";

template <class Kind, class Options>
std::unique_ptr<ModelOptions> options();

template <class Kind, class Options>
class OptionsOf : public ModelOptions {
 public:
  OptionsOf() = default;
  explicit OptionsOf(const Options& options) : options_(options) {}

  const ModelEntry& entry() const override {
    return *std::ranges::find(models(), &options<Kind, Options>, &ModelEntry::options);
  }
  OptionFields fields() override { return heatfront::fields(options_); }
  std::vector<std::string> lines() const override {
    Options copy = options_;
    return lines_of(heatfront::fields(copy));
  }
  std::unique_ptr<Model> make(const Dataset& dataset, Threads& threads) const override {
    return std::make_unique<Kind>(dataset, options_, threads);
  }
  std::unique_ptr<Model> make(const ModelRows& rows, Threads& threads) const override {
    if constexpr (std::is_constructible_v<Kind, const ModelRows&, const Options&, Threads&>) {
      return std::make_unique<Kind>(rows, options_, threads);
    } else {
      fail("{} sees the graph as a whole; of a graph in parts, {} can be trained", entry().name, kHeatFront);
    }
  }

 private:
  Options options_;
};

template <class Kind, class Options>
std::unique_ptr<ModelOptions> options() {
  return std::make_unique<OptionsOf<Kind, Options>>();
}

template <class Kind, class Options>
std::unique_ptr<ModelOptions> options_as(const Options& options) {
  return std::make_unique<OptionsOf<Kind, Options>>(options);
}

}  // namespace

std::span<const ModelEntry> models() {
  static constexpr std::array<ModelEntry, 11> kTable = {
      {{kHeatFront,
        "A network learns the front, how warm nodes are before heat flows, end to end through the flow",
        {},
        true,
        kFlowLoss,
        "",
        options<HeatFront, HeatFrontOptions>,
        learned_front,
        heat_front_predictor,
        "time=2\ntime=10\nweight_decay=0.005 dropout=0.8"},
       {kLinearFront,
        "A front that is linear in the features, solved exactly; settings by leaving out each label in turn",
        {},
        true,
        kNoLoss,
        "epochs = 1",
        options<LinearFront, LinearFrontOptions>,
        linear_front_on_its_data,
        linear_front_predictor},
       {kFlowAlone,
        "Heat from the known labels alone, for as long as is best for labels left out; nothing is learned",
        {.features = false},
        true,
        kNoLoss,
        "epochs = 1",
        options<FlowAlone, FlowAloneOptions>,
        no_front,
        flow_alone_predictor},
       {"gcn",
        "Graph convolutions: layers that average over neighbours",
        {},
        false,
        kLogitLoss,
        "epochs = 400",
        options<Gcn, GcnOptions>,
        learned_front,
        logits_predictor,
        "hidden=16\nweight_decay=0.005 dropout=0.8\nweight_decay=0.00005"},
       {"gat",
        "Graph attention: averages over neighbours whose weights are learned",
        {},
        false,
        kLogitLoss,
        "epochs = 1000",
        options<Gat, GatOptions>,
        learned_front,
        logits_predictor,
        "weight_decay=0.005\ndropout=0.3 attention_dropout=0.3"},
       {"monet",
        "Mixture model network: neighbours weigh by learned Gaussians of the degrees",
        {},
        false,
        kLogitLoss,
        "epochs = 400",
        options<Monet, MonetOptions>,
        learned_front,
        logits_predictor,
        "hidden=16\nweight_decay=0.005"},
       {"appnp",
        "A network predicts, personalised PageRank spreads its logits",
        {},
        false,
        kLogitLoss,
        "",
        options<Appnp, AppnpOptions>,
        learned_front,
        logits_predictor,
        "teleport=0.2\nweight_decay=0.05\nteleport=0.5"},
       {"cgnn",
        "A latent state diffuses, mixes and is fed by its start, in continuous time",
        {},
        false,
        kLogitLoss,
        "learning_rate = 0.005\nepochs = 400",
        options<Cgnn, CgnnOptions>,
        learned_front,
        logits_predictor,
        "time=3\nweight_decay=0.005"},
       {"mlp",
        "A network that sees features alone, no edge",
        {.graph = false},
        false,
        kLogitLoss,
        "",
        options<MlpModel, MlpModelOptions>,
        learned_front,
        logits_predictor,
        "hidden= dropout=0\nweight_decay=0.005 dropout=0.8\nhidden= dropout=0 weight_decay=0.005"},
       {"correct-and-smooth",
        "Predictions of a base model, put right by spreading its errors and the known labels",
        {},
        true,
        kLogitLoss,
        "",
        options<CorrectAndSmooth, CorrectAndSmoothOptions>,
        learned_front,
        correct_and_smooth_predictor,
        "base=linear\nbase=gcn"},
       {"label-propagation",
        "Labels spread along edges, nothing is learned",
        {.features = false},
        true,
        kNoLoss,
        "epochs = 1",
        options<LabelPropagation, LabelPropagationOptions>,
        no_front,
        label_propagation_predictor,
        "variant=zhou\nvariant=zhou alpha=0.9"}}};
  return kTable;
}

const ModelEntry& find_model(std::string_view name) { return find_named(models(), name, "model"); }

std::unique_ptr<ModelOptions> model_options(const HeatFrontOptions& options) {
  return options_as<HeatFront>(options);
}
std::unique_ptr<ModelOptions> model_options(const LinearFrontOptions& options) {
  return options_as<LinearFront>(options);
}
std::unique_ptr<ModelOptions> model_options(const FlowAloneOptions& options) {
  return options_as<FlowAlone>(options);
}
std::unique_ptr<ModelOptions> model_options(const GcnOptions& options) { return options_as<Gcn>(options); }
std::unique_ptr<ModelOptions> model_options(const GatOptions& options) { return options_as<Gat>(options); }
std::unique_ptr<ModelOptions> model_options(const MonetOptions& options) {
  return options_as<Monet>(options);
}
std::unique_ptr<ModelOptions> model_options(const AppnpOptions& options) {
  return options_as<Appnp>(options);
}
std::unique_ptr<ModelOptions> model_options(const CgnnOptions& options) { return options_as<Cgnn>(options); }
std::unique_ptr<ModelOptions> model_options(const MlpModelOptions& options) {
  return options_as<MlpModel>(options);
}
std::unique_ptr<ModelOptions> model_options(const CorrectAndSmoothOptions& options) {
  return options_as<CorrectAndSmooth>(options);
}
std::unique_ptr<ModelOptions> model_options(const LabelPropagationOptions& options) {
  return options_as<LabelPropagation>(options);
}

}  // namespace heatfront
