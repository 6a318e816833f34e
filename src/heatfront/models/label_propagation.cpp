// SPDX-License-Identifier: MIT
#include "heatfront/models/label_propagation.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/flow/propagation.h"

namespace heatfront {
namespace {

// What is left out after k steps is less than α^k.
std::int64_t steps_for(const LabelPropagationOptions& options) {
  if (options.alpha == 0) return 1;
  return static_cast<std::int64_t>(std::ceil(std::log(options.tolerance) / std::log(options.alpha)));
}

void check(const LabelPropagationOptions& options) {
  checked(options, "label-propagation");
  if (options.variant == "zhou" && steps_for(options) > kMostSpreads)
    fail("alpha {} to a tolerance of {} takes {} steps; at most {} are done, so take a lower alpha",
         options.alpha, options.tolerance, steps_for(options), kMostSpreads);
}

// What both variants begin with.
struct Spreading {
  const Graph& graph;
  std::span<const Real> weights;
  ClassId classes;
};

class ZhuPredictor : public Predictor {
 public:
  ZhuPredictor(const Spreading& on, const LabelPropagationOptions& options, Threads& threads)
      : flow_({.graph = on.graph, .weights = on.weights, .classes = on.classes, .known = {}},
              {.time = FlowOptions::kForever,
               .solver = "jacobi",
               .solve = {.tolerance = options.tolerance},
               .laplacian = {.kind = LaplacianKind::combinatorial, .self_loop = options.self_loop}},
              threads) {}

  void set_front(ConstMatrixView front) override { flow_.set_front({}, static_cast<ClassId>(front.cols)); }
  Answer answer(const KnownLabels& known) override { return flow_.solve(known); }

 private:
  LabelledFlow flow_;
};

class ZhouPredictor : public Predictor {
 public:
  ZhouPredictor(const Spreading& on, const LabelPropagationOptions& options, Threads& threads)
      : graph_(on.graph),
        weights_(on.weights),
        classes_(on.classes),
        options_(options),
        propagation_(graph_, weights_, Normalisation::symmetric, options.self_loop, threads),
        threads_(threads) {}

  void set_front(ConstMatrixView front) override { classes_ = static_cast<ClassId>(front.cols); }

  Answer answer(const KnownLabels& known) override {
    const Stopwatch watch;
    const std::int64_t products = propagation_.products();
    const DirichletProblem problem{.graph = graph_, .weights = weights_, .classes = classes_, .known = known};
    Matrix labels = padded_matrix(graph_.nodes(), classes_), heat = labels;
    set_known(problem, labels);
    propagation_.spread(options_.alpha, steps_for(options_), labels, heat);
    return decide_by(problem, std::move(heat),
                     {.products = propagation_.products() - products, .seconds = watch.seconds()},
                     reached_nodes(problem), threads_);
  }

 private:
  Graph graph_;
  std::span<const Real> weights_;
  ClassId classes_;
  LabelPropagationOptions options_;
  Propagation propagation_;
  Threads& threads_;
};

std::unique_ptr<Predictor> predictor_on(const Spreading& on, const LabelPropagationOptions& options,
                                        Threads& threads) {
  check(options);
  if (options.variant == "zhou") return std::make_unique<ZhouPredictor>(on, options, threads);
  return std::make_unique<ZhuPredictor>(on, options, threads);
}

}  // namespace

OptionFields fields(LabelPropagationOptions& options) {
  return {{"variant", &options.variant, "What becomes of known labels",
           one_of({{"zhu", "they are held"}, {"zhou", "they are spread with a damping"}})},
          {"alpha", &options.alpha, "How far labels spread with zhou", from_to_below(0, 1)},
          {"tolerance", &options.tolerance, "When the iteration ends", between(0, 1)},
          {"self_loop", &options.self_loop, "Weight of the loop on every node", at_least(0)}};
}

LabelPropagation::LabelPropagation(const Dataset& dataset, const LabelPropagationOptions& options,
                                   Threads& threads)
    : dataset_(dataset),
      known_(training_labels(dataset)),
      predictor_(predictor_on({dataset.graph, dataset.weights, dataset.classes()}, options, threads)) {}

ConstMatrixView LabelPropagation::judge(std::span<const Real>) {
  answer_ = predictor_->answer(known_);
  return answer_.temperatures.values;
}

void LabelPropagation::keep(std::span<const Real>, TrainedModel& model) const {
  model.front = Matrix(dataset_.nodes(), dataset_.classes());  // nothing: zeros
  model.known = known_;
  model.weights = dataset_.weights;
}

std::unique_ptr<Predictor> label_propagation_predictor(const TrainedModel& model, ConstMatrixView front,
                                                       Threads& threads) {
  LabelPropagationOptions options;
  model.read_options(fields(options));
  return predictor_on({model.data.graph, model.weights, static_cast<ClassId>(front.cols)}, options, threads);
}

}  // namespace heatfront
