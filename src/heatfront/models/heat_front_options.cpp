// SPDX-License-Identifier: MIT
#include "heatfront/models/heat_front_options.h"

#include "heatfront/models/edge_weighting.h"
#include "heatfront/models/features.h"
#include "heatfront/solve/solvers.h"

namespace heatfront {
namespace {

constexpr double kMostFronts = 100, kMostSamples = 100, kLeastSharpening = 0.01;

FlowOptions flow(const HeatFrontOptions& options, double lambda) {
  const bool controlled = options.solver == "dopri5" || options.solver == "bosh3";
  return {.time = options.time,
          .lambda = lambda,
          .solver = options.solver,
          .solve = {.tolerance = controlled ? options.runge_kutta_tolerance : options.tolerance},
          .laplacian = {.kind = laplacian_kind(options.laplacian), .self_loop = options.self_loop}};
}

OptionRange time_solvers() {
  OptionRange range;
  for (const SolverEntry& entry : solvers())
    if (entry.for_time != nullptr) range.choices.push_back({entry.name});
  return range;
}

}  // namespace

FlowOptions HeatFrontOptions::free_flow() const { return flow(*this, lambda); }
FlowOptions HeatFrontOptions::clamped_flow() const { return flow(*this, clamped_lambda); }

OptionFields fields(HeatFrontOptions& options) {
  return joined(
      fields(options.network),
      {features_field(options.features),
       {"time", &options.time, "How long heat flows", from_to(0, kLongestTime)},
       {"lambda", &options.lambda, "Speed of the free flow, while training",
        from_to(kSlowestFlow, kFastestFlow)},
       {"clamped_lambda", &options.clamped_lambda, "Speed of the clamped flow, for judging and predicting",
        from_to(kSlowestFlow, kFastestFlow)},
       {"solver", &options.solver, "Solver of the flows", time_solvers()},
       {"tolerance", &options.tolerance, "Error of the flows, relative to the size of the start", above(0)},
       {"runge_kutta_tolerance", &options.runge_kutta_tolerance,
        "Tolerance of dopri5 and bosh3, which the paper sets by data set", above(0)},
       {"laplacian", &options.laplacian, "Laplacian of the flows", one_of_names(laplacian_kinds())},
       {"self_loop", &options.self_loop, "Weight of the loop on every node", from_to(0, kLargestLoop)},
       {"label_scale", &options.label_scale, "Temperature of a known label"},
       added({"label_unit", &options.label_unit, "Unit of label_scale",
              one_of({{"one"},
                      {"front", "that at which a label stands out as much as a front does on average"}})},
             "one"),
       edge_weights_field(options.edge_weights),
       {"weight_spread", &options.weight_spread,
        "With edge_weights=free, weights begin as sigmoid of numbers drawn evenly within plus or minus this",
        at_least(0)},
       added({"fronts", &options.fronts,
              "How many fronts are trained, each from a start of its own; their mean answers",
              from_to(1, kMostFronts)},
             "1"),
       added({"held_labels", &options.held_labels,
              "Share of the training labels that a training step holds fixed, to be judged by the others",
              from_to_below(0, 1)},
             "0"),
       added({"samples", &options.samples,
              "Samples of the front in a training step, each with dropout of its own",
              from_to(1, kMostSamples)},
             "1"),
       added({"front_dropout", &options.front_dropout,
              "Share of the nodes whose front is dropped in a training step", from_to_below(0, 1)},
             "0"),
       added({"consistency", &options.consistency,
              "Weight of how far the shares of the samples are from their sharpened mean, at all nodes",
              at_least(0)},
             "0"),
       added({"sharpening", &options.sharpening,
              "That mean is raised to the power of one over this; below 1 makes it more certain",
              from_to(kLeastSharpening, 1)},
             "1")});
}

}  // namespace heatfront
