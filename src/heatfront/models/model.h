// SPDX-License-Identifier: MIT
// What the trainer asks of a model. Its parameters are one block that the trainer owns and changes between calls.
// After prepare(), judge() and gradient() may run side by side: they share nothing that either writes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/options.h"
#include "heatfront/base/progress.h"
#include "heatfront/base/ranks.h"
#include "heatfront/data/dataset.h"
#include "heatfront/models/trained_model.h"
#include "heatfront/nn/optimiser.h"
#include "heatfront/nn/parameters.h"

namespace heatfront {

// Seconds that a model spent since it was made. Judging and a training step run side by side, so
// these add up to more than the clock.
struct ModelSeconds {
  double shared = 0;  // what judging and training both need, once an epoch
  double forward = 0, flow = 0, backward = 0;
  double judge_network = 0, judge_flow = 0;
};

class Model {
 public:
  virtual ~Model() = default;

  // Those that share its rows. Where there are several, calls are collective, and judge() and gradient() come one after another.
  virtual const Ranks& ranks() const { return Ranks::alone(); }

  virtual const ParameterLayout& layout() const = 0;

  // L2 regularisation, by parameter.
  virtual std::vector<DecayRange> decay(double weight_decay) const = 0;

  virtual void initialise(std::uint64_t seed, std::span<Real> parameters) const = 0;

  // How much each label of a class counts from now on, by class (nn/loss.h). Error where nothing is learned from a loss.
  virtual void weigh_classes(std::vector<double> weights);
  // Whom a long prepare() tells how far it is; who takes long in epochs alone leaves that to the trainer.
  virtual void report_to(const ProgressCallback&) {}

  // What judge() and gradient() both need of new parameters.
  virtual void prepare(std::span<const Real> parameters) = 0;

  // The loss on the training labels, and its gradient, written at every parameter. `seed`: of what is random in
  // this step.
  virtual double gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) = 0;

  // Logits as they are used to predict, n × classes; lent until the next call. Those of nodes outside the split may be
  // left out: then what is in their rows means nothing.
  virtual ConstMatrixView judge(std::span<const Real> parameters) = 0;

  // The same of all nodes.
  virtual ConstMatrixView judge_all(std::span<const Real> parameters) { return judge(parameters); }

  // What of these parameters a trained model keeps: front, θ, weights, network. prepare() and judge_all() came before.
  virtual void keep(std::span<const Real> parameters, TrainedModel& model) const = 0;

  // A block of numbers by parameter, of all ranks, as the whole model has it: on the first rank, elsewhere numbers that mean nothing; and
  // back. Collective.
  virtual std::vector<NamedMatrix> whole_block(std::span<const Real> block) const;
  virtual void take_block(const std::vector<NamedMatrix>& whole, std::span<Real> block) const;

  // Brings parameters back to where they may be, after a step.
  virtual void constrain(std::span<Real>) const {}

  virtual std::int64_t products() const = 0;  // of a Laplacian with a state, so far
  virtual ModelSeconds seconds() const = 0;

 protected:
  Model() = default;
  Model(const Model&) = default;
  Model& operator=(const Model&) = default;
};

// What models have in common.
void add_labels(const Dataset& dataset, std::span<const NodeId> nodes, KnownLabels& known);
KnownLabels training_labels(const Dataset& dataset);
std::vector<NamedMatrix> named_matrices(const ParameterLayout& layout, std::span<const Real> parameters);

// Back from these. Error where one is missing, or of another shape.
void take_matrices(const std::vector<NamedMatrix>& matrices, const ParameterLayout& layout,
                   std::span<Real> parameters);

}  // namespace heatfront
