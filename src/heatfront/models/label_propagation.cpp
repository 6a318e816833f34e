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

Answer zhou(const DirichletProblem& problem, const LabelPropagationOptions& options, Threads& threads) {
  const Stopwatch watch;
  Propagation propagation(problem.graph, problem.weights, Normalisation::symmetric, options.self_loop,
                          threads);
  Matrix labels = padded_matrix(problem.graph.nodes(), problem.classes), heat = labels;
  set_known(problem, labels);
  propagation.spread(options.alpha, steps_for(options), labels, heat);
  return decide_by(problem, std::move(heat), {.products = propagation.products(), .seconds = watch.seconds()},
                   reached_nodes(problem));
}

Answer propagate(const DirichletProblem& problem, const LabelPropagationOptions& options, Threads& threads) {
  check(options);
  if (options.variant == "zhou") return zhou(problem, options, threads);
  const FlowOptions flow{.time = FlowOptions::kForever,
                         .solver = "jacobi",
                         .solve = {.tolerance = options.tolerance},
                         .laplacian = {.kind = LaplacianKind::combinatorial, .self_loop = options.self_loop}};
  return solve_and_decide(problem, flow, threads);
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
    : dataset_(dataset), options_(options), threads_(threads), known_(training_labels(dataset)) {
  check(options);
}

ConstMatrixView LabelPropagation::judge(std::span<const Real>) {
  const DirichletProblem problem{
      .graph = dataset_.graph, .weights = dataset_.weights, .classes = dataset_.classes(), .known = known_};
  answer_ = propagate(problem, options_, threads_);
  return answer_.temperatures.values;
}

void LabelPropagation::keep(std::span<const Real>, TrainedModel& model) const {
  model.front = Matrix(dataset_.nodes(), dataset_.classes());  // nothing: zeros
  model.known = known_;
  model.weights = dataset_.weights;
}

Answer label_propagation_answer(const TrainedModel& model, ConstMatrixView, Threads& threads) {
  LabelPropagationOptions options;
  model.read_options(fields(options));
  const DirichletProblem problem{.graph = model.data.graph,
                                 .weights = model.weights,
                                 .classes = model.data.classes(),
                                 .known = model.known};
  return propagate(problem, options, threads);
}

}  // namespace heatfront
