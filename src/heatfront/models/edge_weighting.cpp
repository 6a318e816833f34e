// SPDX-License-Identifier: MIT
#include "heatfront/models/edge_weighting.h"

#include <algorithm>
#include <array>

#include "heatfront/base/fail.h"
#include "heatfront/base/find_named.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/models/similarity.h"

namespace heatfront {
namespace {

class OwnWeights : public EdgeWeighting {
 public:
  OwnWeights(const HeatFrontOptions&, const Dataset& dataset, ParameterLayout&, Threads&)
      : dataset_(dataset) {}

  bool learns() const override { return false; }
  std::span<const Real> weights() const override { return dataset_.weights; }
  void keep(std::span<const Real>, TrainedModel& model) const override { model.weights = dataset_.weights; }

 private:
  const Dataset& dataset_;
};

class FreeWeights : public EdgeWeighting {
 public:
  FreeWeights(const HeatFrontOptions& options, const Dataset& dataset, ParameterLayout& layout,
              Threads& threads)
      : dataset_(dataset),
        spread_(options.weight_spread),
        threads_(threads),
        theta_(layout.add("theta", 1, dataset.graph.arcs())),
        reverse_(reverse_arcs(dataset.graph)),
        weights_(reverse_.size(), Real(1)) {}

  std::span<const Real> weights() const override { return weights_; }

  void initialise(const Random& random, std::span<Real> parameters) const override {
    const auto theta = theta_.in(parameters).row(0);
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] = static_cast<Real>(spread_ * (2 * random.uniform(i) - 1));
  }

  void prepare(std::span<const Real> parameters) override {
    edge_weights(theta_.in(parameters).row(0), reverse_, dataset_.weights, weights_, threads_);
  }

  void backward(std::span<const Real>, std::span<const Real> d_weights, std::span<Real> gradient) override {
    edge_weights_backward(weights_, dataset_.weights, d_weights, theta_.in(gradient).row(0), threads_);
  }

  void keep(std::span<const Real> parameters, TrainedModel& model) const override {
    const auto theta = theta_.in(parameters).row(0);
    model.theta.assign(theta.begin(), theta.end());
    model.weights = weights_;
    std::erase_if(model.network, [&](const NamedMatrix& matrix) { return matrix.name == theta_.name; });
  }

 private:
  const Dataset& dataset_;
  double spread_;
  Threads& threads_;
  Parameter theta_;
  std::vector<ArcId> reverse_;
  std::vector<Real> weights_;
};

class WeightsByFeatures : public EdgeWeighting {
 public:
  WeightsByFeatures(const HeatFrontOptions&, const Dataset& dataset, ParameterLayout& layout,
                    Threads& threads)
      : axes_(similarity_axes(dataset, threads)),
        similarity_(dataset, compared_features(axes_, dataset, threads), layout, threads),
        weights_(dataset.graph.targets().size(), Real(1)) {}

  std::span<const Real> weights() const override { return weights_; }
  void initialise(const Random& random, std::span<Real> parameters) const override {
    similarity_.initialise(random, parameters);
  }
  void prepare(std::span<const Real> parameters) override { similarity_.forward(parameters, weights_); }
  void backward(std::span<const Real> parameters, std::span<const Real> d_weights,
                std::span<Real> gradient) override {
    similarity_.backward(parameters, weights_, d_weights, gradient);
  }
  void keep(std::span<const Real>, TrainedModel& model) const override {
    model.weights = weights_;
    heatfront::keep(axes_, model.network);
  }

 private:
  SimilarityAxes axes_;
  Similarity similarity_;
  std::vector<Real> weights_;
};

struct WeightingEntry {
  std::string_view name, what;
  std::unique_ptr<EdgeWeighting> (*make)(const HeatFrontOptions&, const Dataset&, ParameterLayout&, Threads&);
  std::vector<Real> (*weights_for)(const TrainedModel&, const Dataset&, Threads&);
};

template <class Kind>
std::unique_ptr<EdgeWeighting> made(const HeatFrontOptions& options, const Dataset& dataset,
                                    ParameterLayout& layout, Threads& threads) {
  return std::make_unique<Kind>(options, dataset, layout, threads);
}

std::vector<Real> own_weights(const TrainedModel&, const Dataset& dataset, Threads&) {
  return dataset.weights;
}

std::vector<Real> free_weights(const TrainedModel& model, const Dataset& dataset, Threads&) {
  if (dataset.graph != model.data.graph)
    fail(
        "{} has other edges than those whose weights were learned one by one; train with "
        "edge_weights=features to have weights for others",
        dataset.name);
  return model.weights;
}

constexpr std::array<WeightingEntry, 3> kWeightings = {
    {{"none", "the data's own", made<OwnWeights>, own_weights},
     {"free", "learned, one number for each arc", made<FreeWeights>, free_weights},
     {"features", "learned, by how similar the features of both ends are", made<WeightsByFeatures>,
      similar_weights}}};

const WeightingEntry& find_weighting(std::string_view name) {
  return find_named(std::span<const WeightingEntry>(kWeightings), name, "edge_weights");
}

}  // namespace

OptionField edge_weights_field(std::string& kind) {
  OptionField field{"edge_weights",
                    &kind,
                    "Weights of the edges",
                    {},
                    {{"learn_weights", "true", "free"}, {"learn_weights", "false", "none"}}};
  for (const WeightingEntry& entry : kWeightings) field.range.choices.push_back({entry.name, entry.what});
  return field;
}

std::unique_ptr<EdgeWeighting> make_edge_weighting(const HeatFrontOptions& options, const Dataset& dataset,
                                                   ParameterLayout& layout, Threads& threads) {
  return find_weighting(options.edge_weights).make(options, dataset, layout, threads);
}

std::vector<Real> weights_for(const TrainedModel& model, const Dataset& dataset, Threads& threads) {
  std::string kind = "none";
  model.read_options({edge_weights_field(kind)});
  return find_weighting(kind).weights_for(model, dataset, threads);
}

}  // namespace heatfront
