// SPDX-License-Identifier: MIT
#include "heatfront/models/edge_weighting.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/find_named.h"
#include "heatfront/graph/edge_weights.h"
#include "heatfront/models/similarity.h"

namespace heatfront {
namespace {

class OwnWeights : public EdgeWeighting {
 public:
  OwnWeights(const HeatFrontOptions&, const ModelRows& rows, ParameterLayout&, Threads&) : rows_(rows) {}

  bool learns() const override { return false; }
  std::span<const Real> weights() const override { return rows_.weights(); }
  void keep(std::span<const Real>, TrainedModel& model) const override {
    if (!rows_.parted())
      model.weights = rows_.dataset().weights;  // of parts they are the data's, as it is read
  }

 private:
  const ModelRows& rows_;
};

class FreeWeights : public EdgeWeighting {
 public:
  FreeWeights(const HeatFrontOptions& options, const ModelRows& rows, ParameterLayout& layout,
              Threads& threads)
      : rows_(rows),
        spread_(options.weight_spread),
        threads_(threads),
        theta_(layout.add("theta", 1, rows.arcs())),
        pairs_(rows.pairs()),
        numbers_(rows.arc_numbers()),
        weights_(at(rows.arcs()), Real(1)) {}

  std::span<const Real> weights() const override { return weights_; }

  void initialise(const Random& random, std::span<Real> parameters) const override {
    const auto theta = theta_.in(parameters).row(0);
    for (std::size_t i = 0; i < theta.size(); ++i) {
      const std::size_t arc = numbers_.empty() ? i : at(numbers_[i]);
      theta[i] = static_cast<Real>(spread_ * (2 * random.uniform(arc) - 1));
    }
  }

  void prepare(std::span<const Real> parameters) override {
    edge_weights(pairs_.with_others(theta_.in(parameters).row(0)), pairs_.reverse(), rows_.weights(),
                 weights_, threads_);
  }

  void backward(std::span<const Real>, std::span<const Real> d_weights, std::span<Real> gradient) override {
    edge_weights_backward(weights_, rows_.weights(), d_weights, theta_.in(gradient).row(0), threads_);
  }

  void gather(std::vector<NamedMatrix>& matrices) const override {
    if (!rows_.parted()) return;
    Matrix& theta = theta_among(matrices);
    const std::vector<Real> all = rows_.whole(std::as_const(theta).row(0), numbers_);
    theta = Matrix(1, std::ssize(all));
    std::ranges::copy(all, theta.row(0).begin());
  }

  void share_out(std::vector<NamedMatrix>& matrices) const override {
    if (!rows_.parted()) return;
    Matrix& theta = theta_among(matrices);
    Matrix own(1, theta_.cols);
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (numbers_[i] >= theta.cols()) fail("'theta' has {} numbers; there are more arcs", theta.cols());
      own.row(0)[i] = theta(0, numbers_[i]);
    }
    theta = std::move(own);
  }

  void keep(std::span<const Real> parameters, TrainedModel& model) const override {
    model.theta = rows_.whole(theta_.in(parameters).row(0), numbers_);
    model.weights = rows_.whole(weights_, numbers_);
    std::erase_if(model.network, [&](const NamedMatrix& matrix) { return matrix.name == theta_.name; });
  }

 private:
  Matrix& theta_among(std::vector<NamedMatrix>& matrices) const {
    const auto found = std::ranges::find(matrices, theta_.name, &NamedMatrix::name);
    if (found == matrices.end() || found->values.rows() != 1)
      fail("'{}' is missing among the parameters", theta_.name);
    return found->values;
  }

  const ModelRows& rows_;
  double spread_;
  Threads& threads_;
  Parameter theta_;
  ArcPairs pairs_;
  std::vector<ArcId> numbers_;
  std::vector<Real> weights_;
};

class WeightsByFeatures : public EdgeWeighting {
 public:
  WeightsByFeatures(const HeatFrontOptions&, const ModelRows& rows, ParameterLayout& layout, Threads& threads)
      : axes_(similarity_axes(whole(rows), threads)),
        similarity_(rows.dataset(), compared_features(axes_, rows.dataset(), threads), layout, threads),
        weights_(at(rows.arcs()), Real(1)) {}

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
  static const Dataset& whole(const ModelRows& rows) {
    if (rows.parted())
      fail(
          "edge_weights=features compares both ends of every edge, and a part has one of them; a graph in "
          "parts is "
          "trained with edge_weights=none or free");
    return rows.dataset();
  }

  SimilarityAxes axes_;
  Similarity similarity_;
  std::vector<Real> weights_;
};

struct WeightingEntry {
  std::string_view name, what;
  std::unique_ptr<EdgeWeighting> (*make)(const HeatFrontOptions&, const ModelRows&, ParameterLayout&,
                                         Threads&);
  std::vector<Real> (*weights_for)(const TrainedModel&, const Dataset&, Threads&);
};

template <class Kind>
std::unique_ptr<EdgeWeighting> made(const HeatFrontOptions& options, const ModelRows& rows,
                                    ParameterLayout& layout, Threads& threads) {
  return std::make_unique<Kind>(options, rows, layout, threads);
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

std::unique_ptr<EdgeWeighting> make_edge_weighting(const HeatFrontOptions& options, const ModelRows& rows,
                                                   ParameterLayout& layout, Threads& threads) {
  return find_weighting(options.edge_weights).make(options, rows, layout, threads);
}

std::vector<Real> weights_for(const TrainedModel& model, const Dataset& dataset, Threads& threads) {
  std::string kind = "none";
  model.read_options({edge_weights_field(kind)});
  return find_weighting(kind).weights_for(model, dataset, threads);
}

}  // namespace heatfront
