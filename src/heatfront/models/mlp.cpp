// SPDX-License-Identifier: MIT
#include "heatfront/models/mlp.h"

#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/features.h"

namespace heatfront {
namespace {

constexpr std::uint64_t kHiddenPart = 1;  // of what is random in a step

}  // namespace

OptionFields fields(MlpModelOptions& options) {
  return joined(fields(options.network),
                {{"input_dropout", &options.input_dropout, "Share of the features dropped in a training step",
                  from_to_below(0, 1)},
                 features_field(options.features)});
}

MlpModel::MlpModel(const Dataset& dataset, const MlpModelOptions& options, std::size_t reach,
                   Threads& threads)
    : LogitModel(dataset, options.features, options.input_dropout, reach, threads),
      network_(input_.cols(), dataset.classes(), options.network, layout_),
      step_entry_(spread_matrix(step_sight().rows(0), network_.entry_width())),
      step_work_(network_.step_workspace(step_sight().rows(0))) {}

void MlpModel::initialise(std::uint64_t seed, std::span<Real> parameters) const {
  network_.initialise(Random(seed), parameters);
}

LogitModel::Inference MlpModel::inference(const Sight& sight) {
  return [this, input = sight.input, entry = spread_matrix(sight.rows(0), network_.entry_width()),
          work = network_.judge_workspace(sight.rows(0))](std::span<const Real> parameters,
                                                          MatrixView logits) mutable {
    network_.enter(*input, parameters, entry, threads_);
    network_.judge(entry, parameters, work, logits, threads_);
  };
}

void MlpModel::forward(std::span<const Real> parameters, const Random& random, MatrixView logits) {
  network_.enter(input_dropout_.draw(random.part(kInputPart), threads_), parameters, step_entry_, threads_);
  network_.forward(step_entry_, parameters, random.bits(kHiddenPart), step_work_, logits, threads_);
}

void MlpModel::backward(std::span<const Real> parameters, MatrixView d_logits, std::span<Real> gradient) {
  network_.backward(input_dropout_.drawn(), parameters, step_work_, d_logits, gradient, threads_);
}

}  // namespace heatfront
