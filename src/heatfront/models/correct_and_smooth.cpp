// SPDX-License-Identifier: MIT
#include "heatfront/models/correct_and_smooth.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/softmax.h"
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
  std::vector<double> row(at(logits.cols));
  for (std::int64_t u = 0; u < logits.rows; ++u) {
    softmax(logits.row(u), row);
    std::ranges::transform(row, shares.row(u).begin(), [](double share) { return static_cast<Real>(share); });
  }
}

CorrectionOptions correction_of(const TrainedModel& model) {
  CorrectAndSmoothOptions options;
  model.read_options(fields(options));
  return options.correction;
}

class CorrectAndSmoothPredictor : public Predictor {
 public:
  CorrectAndSmoothPredictor(const TrainedModel& model, ConstMatrixView front, Threads& threads)
      : graph_(model.data.graph),
        weights_(model.data.weights),
        correction_(graph_, weights_, correction_of(model), threads),
        threads_(threads) {
    set_front(front);
  }

  void set_front(ConstMatrixView front) override {
    shares_ = padded_matrix(front.rows, front.cols);
    for (std::int64_t u = 0; u < front.rows; ++u) std::ranges::copy(front.row(u), shares_.row(u).begin());
  }

  Answer answer(const KnownLabels& known) override {
    const Stopwatch watch;
    const std::int64_t products = correction_.products();
    Matrix result = padded_matrix(shares_.rows(), shares_.cols());
    correction_.apply(shares_, known, result);
    const DirichletProblem problem{.graph = graph_,
                                   .weights = weights_,
                                   .classes = static_cast<ClassId>(shares_.cols()),
                                   .known = known};
    return decide_by(problem, std::move(result),
                     {.products = correction_.products() - products, .seconds = watch.seconds()},
                     all_nodes(graph_), threads_);
  }

 private:
  Graph graph_;
  std::span<const Real> weights_;
  Correction correction_;
  Matrix shares_;
  Threads& threads_;
};

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

std::unique_ptr<Predictor> correct_and_smooth_predictor(const TrainedModel& model, ConstMatrixView front,
                                                        Threads& threads) {
  return std::make_unique<CorrectAndSmoothPredictor>(model, front, threads);
}

}  // namespace heatfront
