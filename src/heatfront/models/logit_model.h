// SPDX-License-Identifier: MIT
// Models whose logits are their answer: features (and the graph) → logits, trained by the cross-entropy on the
// training rows. What they share is here; a model adds its layers. Where the logits of a node feel only what is a few
// edges away, a training step computes what the training labels can feel, and judging what the split's nodes can.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "heatfront/base/parallel.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/neighbourhood.h"
#include "heatfront/models/model.h"
#include "heatfront/models/predictor.h"
#include "heatfront/nn/input_dropout.h"
#include "heatfront/nn/network_input.h"

namespace heatfront {

class LogitModel : public Model {
 public:
  const ParameterLayout& layout() const override { return layout_; }
  std::vector<DecayRange> decay(double weight_decay) const override;
  void weigh_classes(std::vector<double> weights) override { class_weights_ = std::move(weights); }
  void prepare(std::span<const Real>) override {}
  double gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) override;
  ConstMatrixView judge(std::span<const Real> parameters) override;
  ConstMatrixView judge_all(std::span<const Real> parameters) override;
  void keep(std::span<const Real> parameters, TrainedModel& model) const override;
  std::int64_t products() const override { return 0; }
  ModelSeconds seconds() const override { return seconds_; }

 protected:
  static constexpr auto kEverywhere = std::numeric_limits<std::size_t>::max();

  // The data set is lent and must outlive the model; its split says which labels train. `reach`: so many edges away from
  // a node its logits can feel what is there.
  LogitModel(const Dataset& dataset, const std::string& features, double input_dropout, std::size_t reach,
             Threads& threads);

  // What a way through the layers sees: a graph and the features of its nodes. Lent.
  struct Sight {
    const Graph* graph;
    const NetworkInput* input;
    const Neighbourhood* field = nullptr;  // whose graph it is; none: that of all nodes

    // How many nodes, the first ones, are within so many edges of those whose logits are asked for.
    std::int64_t rows(std::size_t edges) const { return field ? field->within[edges] : input->rows(); }

    // Rows of a_k, where each layer reaches one edge further.
    std::int64_t rows_into(std::size_t k) const { return rows(field ? field->within.size() - 1 - k : 0); }
  };

  // parameters → logits of rows(0) rows, without what is random in training.
  using Inference = std::function<void(std::span<const Real> parameters, MatrixView logits)>;
  virtual Inference inference(const Sight& sight) = 0;

  // A training step: the logits of step_sight().rows(0) rows. What backward() needs stays in the model; forward() may run
  // beside an inference.
  virtual void forward(std::span<const Real> parameters, const Random& random, MatrixView logits) = 0;

  // ∂L/∂logits, which it may use up, → gradient, written at every parameter.
  virtual void backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) = 0;

  virtual bool decays(const Parameter&) const { return true; }  // by L2 regularisation

  Sight step_sight() const { return sight(step_part_); }

  struct Part {
    Neighbourhood field;
    NetworkInput input;
  };

  // Parts of the seed where every layer has some that is drawn: three per layer, of which Linear takes two.
  static std::uint64_t part_of(std::size_t layer, std::uint64_t which) { return 3 * layer + which; }
  static constexpr std::uint64_t kInputPart = 0;  // of what is random in a step

  const Dataset& dataset_;
  Threads& threads_;
  NetworkInput input_;
  KnownLabels known_;
  std::optional<Part> step_part_, judge_part_;  // none: all nodes
  InputDropout input_dropout_;                  // of a step
  ParameterLayout layout_;

 private:
  std::optional<Part> part_around(std::span<const NodeId> nodes, std::size_t reach) const;
  Sight sight(const std::optional<Part>& part) const;

  Inference judge_, judge_all_;        // made when they are first asked for
  std::vector<ClassId> step_labels_;   // by row of a step
  std::vector<NodeId> label_rows_;     // of a step
  std::vector<double> class_weights_;  // of the loss; empty: all 1
  Matrix step_logits_, d_logits_, part_logits_, judge_logits_;
  ModelSeconds seconds_;
};

// `front`: the logits, which are the answer whatever is known.
std::unique_ptr<Predictor> logits_predictor(const TrainedModel& model, ConstMatrixView front,
                                            Threads& threads);

}  // namespace heatfront
