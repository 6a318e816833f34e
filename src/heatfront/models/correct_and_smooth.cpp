// SPDX-License-Identifier: MIT
#include "heatfront/models/correct_and_smooth.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/models/gcn.h"
#include "heatfront/models/heat_front.h"
#include "heatfront/models/mlp.h"

namespace heatfront {
namespace {

std::unique_ptr<Model> base_model(const Dataset& dataset, const CorrectAndSmoothOptions& options,
                                  Threads& threads) {
  const HeatFrontOptions& settings = options.settings;
  MlpModelOptions mlp{
      .network = settings.network, .input_dropout = options.input_dropout, .features = settings.features};
  if (options.base == "mlp") return std::make_unique<MlpModel>(dataset, mlp, threads);
  if (options.base == "linear") {
    mlp.network.hidden.clear();
    mlp.network.dropout = {0};
    return std::make_unique<MlpModel>(dataset, mlp, threads);
  }
  if (options.base == "heat-front") return std::make_unique<HeatFront>(dataset, settings, threads);
  const std::vector<double>& dropout = settings.network.dropout;
  const GcnOptions gcn{.hidden = settings.network.hidden,
                       .dropout = dropout.empty() ? 0 : dropout.front(),
                       .features = settings.features,
                       .self_loop = settings.self_loop};
  return std::make_unique<Gcn>(dataset, gcn, threads);
}

void softmax_rows(ConstMatrixView logits, MatrixView shares) {
  for (std::int64_t u = 0; u < logits.rows; ++u) {
    const auto row = logits.row(u);
    const Real highest = std::ranges::max(row);
    double sum = 0;
    for (Real x : row) sum += std::exp(static_cast<double>(x - highest));
    for (std::int64_t c = 0; c < logits.cols; ++c)
      shares(u, c) = static_cast<Real>(std::exp(static_cast<double>(logits(u, c) - highest)) / sum);
  }
}

}  // namespace

OptionFields fields(CorrectAndSmoothOptions& options) {
  return joined({{"base", &options.base, "The model that predicts first",
                  one_of({{"mlp"}, {"linear"}, {"heat-front"}, {"gcn"}})}},
                joined(fields(options.correction),
                       joined({{"input_dropout", &options.input_dropout,
                                "Share of the features dropped in a training step of mlp and linear",
                                from_to_below(0, 1)}},
                              fields(options.settings))));
}

CorrectAndSmooth::CorrectAndSmooth(const Dataset& dataset, const CorrectAndSmoothOptions& options,
                                   Threads& threads)
    : base_(base_model(dataset, checked(options, "correct-and-smooth"), threads)),
      correction_(dataset.graph, dataset.weights, options.correction, threads),
      known_(training_labels(dataset)),
      shares_(padded_matrix(dataset.nodes(), dataset.classes())),
      result_(padded_matrix(dataset.nodes(), dataset.classes())) {}

ConstMatrixView CorrectAndSmooth::judge(std::span<const Real> parameters) {
  const ConstMatrixView logits = base_->judge_all(parameters);
  const Stopwatch watch;
  softmax_rows(logits, shares_);
  correction_.apply(shares_, known_, result_);
  correction_seconds_ += watch.seconds();
  return result_;
}

void CorrectAndSmooth::keep(std::span<const Real> parameters, TrainedModel& model) const {
  base_->keep(parameters, model);
  model.front = shares_;
}

ModelSeconds CorrectAndSmooth::seconds() const {
  ModelSeconds seconds = base_->seconds();
  seconds.judge_flow += correction_seconds_;
  return seconds;
}

Answer correct_and_smooth_answer(const TrainedModel& model, ConstMatrixView front, Threads& threads) {
  const Stopwatch watch;
  CorrectAndSmoothOptions options;
  model.read_options(fields(options));
  Correction correction(model.data.graph, model.data.weights, options.correction, threads);
  Matrix shares = padded_matrix(front.rows, front.cols), result = padded_matrix(front.rows, front.cols);
  for (std::int64_t u = 0; u < front.rows; ++u) std::ranges::copy(front.row(u), shares.row(u).begin());
  correction.apply(shares, model.known, result);
  const DirichletProblem problem{.graph = model.data.graph,
                                 .weights = model.data.weights,
                                 .classes = model.data.classes(),
                                 .known = model.known};
  return decide_by(problem, std::move(result),
                   {.products = correction.products(), .seconds = watch.seconds()},
                   all_nodes(model.data.graph));
}

}  // namespace heatfront
