// SPDX-License-Identifier: MIT
// Components without a label rest at the mean of their front, which may be large and of both signs: what is said of the error
// holds there too.
#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/base/random.h"
#include "heatfront/flow/decide.h"
#include "heatfront/graph/components.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::Dense;

// Some components, a label in the first, and fronts of any size; by the seed alone.
struct MeansProblem {
  WeightedGraph built;
  KnownLabels known{{0}, {0}};
  Matrix front;
  FlowOptions flow{.time = FlowOptions::kForever};
  static constexpr ClassId kClasses = 3;

  explicit MeansProblem(std::uint64_t seed) {
    const Random random(seed);
    std::uint64_t drawn = 0;
    const auto below = [&](std::uint64_t n) { return random.below(n, drawn++); };
    const auto nodes = static_cast<NodeId>(4 + below(20));
    ArcList arcs{.nodes = nodes};
    for (NodeId u = 1; u < nodes; ++u) {
      if (below(4) == 0) continue;  // a component begins
      arcs.from.push_back(u);
      arcs.to.push_back(u - 1);
      arcs.weights.push_back(static_cast<Real>(std::pow(10, 2 * random.uniform(drawn++) - 1)));
    }
    Threads threads(1);
    built = build_graph(std::move(arcs), threads);
    const double size = std::pow(10, 12 * random.uniform(drawn++) - 2), shift = below(2) == 0 ? size : 0;
    front = Matrix(nodes, kClasses);
    for (NodeId u = 0; u < nodes; ++u) {
      for (Real& x : front.row(u))
        x = static_cast<Real>(shift + size * random.part(1).normal(drawn++) * (below(3) == 0 ? 1e-6 : 1));
    }
    const bool nearly_alike = below(3) == 0;
    for (NodeId u = 0; u < nodes && nearly_alike; ++u)
      front(u, 1) = front(u, 0) * static_cast<Real>(1 + 1e-7 * random.part(1).normal(drawn++));
    constexpr LaplacianKind kRestingKinds[] = {LaplacianKind::symmetric, LaplacianKind::random_walk,
                                               LaplacianKind::combinatorial};
    flow.laplacian.kind = kRestingKinds[below(3)];
  }

  DirichletProblem problem() const {
    return {
        .graph = built.graph, .weights = built.weights, .classes = kClasses, .known = known, .front = front};
  }

  // Of the nodes that no label reaches; NaN at the others.
  Dense truth() const {
    const Components components = connected_components(built.graph);
    const std::size_t n = components.of.size();
    std::vector<double> degrees(n, 1.0);
    for (NodeId u = 0; u < built.graph.nodes(); ++u) {
      for (ArcId a = built.graph.begin_of(u); a < built.graph.begin_of(u + 1); ++a)
        degrees[static_cast<std::size_t>(u)] +=
            built.weights.empty() ? 1 : static_cast<double>(built.weights[static_cast<std::size_t>(a)]);
    }
    const bool is_symmetric = flow.laplacian.kind == LaplacianKind::symmetric;
    if (flow.laplacian.kind == LaplacianKind::combinatorial) degrees.assign(n, 1.0);
    Dense values(n, kClasses);
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t c = 0; c < values.cols; ++c) {
        double sum = 0, mass = 0;
        for (std::size_t v = 0; v < n; ++v) {
          if (components.of[v] != components.of[u]) continue;
          sum += (is_symmetric ? std::sqrt(degrees[v]) : degrees[v]) *
                 static_cast<double>(front(static_cast<NodeId>(v), static_cast<ClassId>(c)));
          mass += degrees[v];
        }
        values(u, c) = components.of[u] == components.of[0]
                           ? std::numeric_limits<double>::quiet_NaN()
                           : (is_symmetric ? std::sqrt(degrees[u]) : 1) * sum / mass;
      }
    }
    return values;
  }
};

TEST(RestingMeans, AreAsExactAsIsSaidWhateverTheFront) {
  Threads threads(1);
  int above = 0, wrong = 0, compared = 0, decided = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const MeansProblem means(seed);
    const Answer answer = solve_and_decide(means.problem(), means.flow, threads);
    const Dense truth = means.truth();
    bool is_above = false, is_wrong = false;
    for (std::size_t u = 0; u < truth.rows; ++u) {
      if (std::isnan(truth(u, 0))) continue;
      const bool is_decided = answer.decisions.status[u] == NodeStatus::decided;
      const auto chosen = static_cast<std::size_t>(answer.decisions.classes[u]);
      ++compared;
      decided += is_decided;
      for (std::size_t c = 0; c < truth.cols; ++c) {
        const double found =
            static_cast<double>(answer.temperatures.values(static_cast<NodeId>(u), static_cast<ClassId>(c)));
        is_above |= std::abs(found - truth(u, c)) > answer.temperatures.column_errors[c];
        is_wrong |= is_decided && truth(u, c) > truth(u, chosen);
      }
    }
    above += is_above;
    wrong += is_wrong;
  }
  EXPECT_EQ(above, 0) << "problems with an error above what is said";
  EXPECT_EQ(wrong, 0) << "problems with a node decided wrongly";
  EXPECT_GT(compared, 10'000);
  EXPECT_GT(decided, compared / 2);
}

}  // namespace
}  // namespace heatfront
