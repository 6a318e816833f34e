// SPDX-License-Identifier: MIT
// The table of models: making, listing, options and error texts come from it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/models/model.h"
#include "heatfront/models/model_rows.h"
#include "heatfront/models/predictor.h"

namespace heatfront {

struct ModelEntry;

// The options of one model, whatever their struct is.
class ModelOptions {
 public:
  virtual ~ModelOptions() = default;
  virtual const ModelEntry& entry() const = 0;
  virtual OptionFields fields() = 0;
  virtual std::vector<std::string> lines() const = 0;  // "name = value" for each field
  virtual std::unique_ptr<Model> make(const Dataset& dataset, Threads& threads) const = 0;

  // Of the rows of one of several ranks, which are lent. Collective; Error where the model wants the graph as a whole.
  virtual std::unique_ptr<Model> make(const ModelRows& rows, Threads& threads) const = 0;

 protected:
  ModelOptions() = default;
  ModelOptions(const ModelOptions&) = default;
  ModelOptions& operator=(const ModelOptions&) = default;
};

// What a model learns and predicts from, beside the labels.
struct Uses {
  bool graph = true;
  bool features = true;
};

inline constexpr std::string_view kNoLoss = "none";

struct ModelEntry {
  std::string_view name;
  std::string_view what;
  Uses uses;
  bool takes_labels;      // new ones, after training, without training again
  std::string_view loss;  // what training lowers, on the training labels; kNoLoss: nothing
  std::string_view
      defaults;  // of the training options, in lines of "name = value", where they differ from all
                 // models'
  std::unique_ptr<ModelOptions> (*options)();

  // The front that what was learned gives on the model's data, which has grown since.
  Matrix (*front)(const TrainedModel& model, Threads& threads);

  // Of a trained model, whose weights are lent, and its front, with a column for every class that was added since.
  std::unique_ptr<Predictor> (*predictor)(const TrainedModel& model, ConstMatrixView front, Threads& threads);

  // Settings beside the defaults that folds of the labels choose among (train/choose_settings.h), a line of "name=value" words for
  // each.
  std::string_view few = {};
};
std::span<const ModelEntry> models();

inline constexpr std::string_view kHeatFront = "heat-front", kLinearFront = "linear-front",
                                  kFlowAlone = "flow-alone";

// An unknown name is an Error that lists the right ones.
const ModelEntry& find_model(std::string_view name);

// A model by its own options; each struct stands in the header of its model.
struct LinearFrontOptions;
struct FlowAloneOptions;
struct GcnOptions;
struct GatOptions;
struct MonetOptions;
struct AppnpOptions;
struct CgnnOptions;
struct MlpModelOptions;
struct CorrectAndSmoothOptions;
struct LabelPropagationOptions;
std::unique_ptr<ModelOptions> model_options(const HeatFrontOptions& options);
std::unique_ptr<ModelOptions> model_options(const LinearFrontOptions& options);
std::unique_ptr<ModelOptions> model_options(const FlowAloneOptions& options);
std::unique_ptr<ModelOptions> model_options(const GcnOptions& options);
std::unique_ptr<ModelOptions> model_options(const GatOptions& options);
std::unique_ptr<ModelOptions> model_options(const MonetOptions& options);
std::unique_ptr<ModelOptions> model_options(const AppnpOptions& options);
std::unique_ptr<ModelOptions> model_options(const CgnnOptions& options);
std::unique_ptr<ModelOptions> model_options(const MlpModelOptions& options);
std::unique_ptr<ModelOptions> model_options(const CorrectAndSmoothOptions& options);
std::unique_ptr<ModelOptions> model_options(const LabelPropagationOptions& options);

}  // namespace heatfront
