// SPDX-License-Identifier: MIT
#include "micro/session_contest.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/random.h"
#include "heatfront/data/split.h"
#include "heatfront/graph/generate.h"
#include "heatfront/label/session.h"
#include "micro/contest.h"

namespace heatfront::micro {
namespace {

constexpr NodeId kNodes = 100'000;
constexpr ClassId kClasses = 8;
constexpr NodeId kLabelsPerClass = 20;
constexpr double kDegreeWithin = 8, kDegreeBetween = 2;
constexpr int kSessionRepetitions = 25;

struct Row {
  int threads;
  Clock clock;
};
constexpr std::array kTable = {Row{1, Clock::processor}, Row{1, Clock::wall}, Row{2, Clock::wall}};

// Eight communities and a front of noise, as training might have left it.
TrainedModel communities(Threads& threads) {
  const NodeId size = kNodes / kClasses;
  LabelledGraph made = stochastic_block_graph({.sizes = std::vector<NodeId>(at(kClasses), size),
                                               .p_in = kDegreeWithin / size,
                                               .p_out = kDegreeBetween / (kNodes - size),
                                               .seed = 1},
                                              threads);
  TrainedModel model;
  model.model = kHeatFront;
  model.options = {"time = 5"};
  model.data.name = "communities";
  model.data.graph = std::move(made.graph);
  model.data.labels = std::move(made.labels);
  for (ClassId c = 0; c < kClasses; ++c) model.data.class_names.push_back(fmt::format("{}", c));
  model.data.split = per_class_split(model.data.labels, kClasses, kLabelsPerClass, 0, 1);
  for (NodeId u : model.data.split->train) {
    model.known.nodes.push_back(u);
    model.known.classes.push_back(model.data.labels[at(u)]);
  }
  const Random random(1);
  model.front = Matrix(kNodes, kClasses);
  for (NodeId u = 0; u < kNodes; ++u) {
    for (ClassId c = 0; c < kClasses; ++c)
      model.front(u, c) = static_cast<Real>(random.normal(static_cast<std::uint64_t>(u) * kClasses + at(c)));
  }
  return model;
}

}  // namespace

void print_session(const std::string& circumstances) {
  Threads both(2);
  const TrainedModel model = communities(both);
  fmt::print(
      "# A label set\n\n{}"
      "{} nodes, {} arcs, {} classes, a front, {} labels, t = 5. Contestants alternate in random order,\n"
      "and the shortest repetition counts. *flow*: the start copied and followed in "
      "place, as\n"
      "training does. *solve*: `Flow::solve`, which also checks and certifies. *session*: `Session::set` and "
      "`Session::solve`,\n"
      "which also decides. In brackets: over the flow.\n\n"
      "| threads | clock | flow ms | solve ms | session ms |\n|---|---|---|---|---|\n",
      circumstances, model.data.nodes(), model.data.graph.arcs(), model.data.classes(),
      model.known.nodes.size());
  for (const auto& [count, clock] : kTable) {
    Threads threads(count);
    Session session(model, threads);
    Flow flow(model.data.graph, model.weights, session.flow_options(), threads);
    flow.hold(model.known.nodes);
    const Matrix start = starting_state(session.problem());
    NodeId u = 0;
    while (session.known_class(u) != kUnknown) ++u;
    ClassId next = 0;

    Contest contest(fmt::format("session/{}", count), kSessionRepetitions, clock);
    contest.add("flow", [&] {
      Matrix state = padded_matrix(start.rows(), start.cols());
      copy(start, state, threads);
      flow.forward(state);
    });
    contest.add("solve", [&] { flow.solve(start); });
    contest.add("session", [&] {
      session.set(u, next);
      next = (next + 1) % kClasses;
      session.solve();
    });
    auto seconds = contest.run();
    const auto over_flow = [&](const std::string& name) {
      return fmt::format("{:.2f} ({:.2f})", 1e3 * seconds[name], seconds[name] / seconds["flow"]);
    };
    fmt::print("| {} | {} | {:.2f} | {} | {} |\n", count, clock == Clock::wall ? "wall" : "processor",
               1e3 * seconds["flow"], over_flow("solve"), over_flow("session"));
    std::fflush(stdout);
  }
  fmt::print("\n");
}

}  // namespace heatfront::micro
