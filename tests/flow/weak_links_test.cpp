// SPDX-License-Identifier: MIT
// Clusters that hang on labels and on each other by links far weaker than the edges inside them: a node's degree in single
// precision knows nothing of such a link, and yet it decides. The steady state is right there, or says that it is not.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "heatfront/base/random.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/double_extension.h"
#include "support/precision.h"
#include "support/reference.h"
#include "support/sanitized.h"

namespace heatfront {
namespace {

using test::Dense;

// What it is depends on the seed alone.
struct WeakLinks {
  WeightedGraph built;
  KnownLabels known;
  ClassId classes;
  Matrix front;
  FlowOptions flow{.time = FlowOptions::kForever};

  explicit WeakLinks(std::uint64_t seed, NodeId most_in_a_cluster = 6)
      : random_(seed), most_in_a_cluster_(most_in_a_cluster) {
    constexpr double kUsual[] = {1, 1, 0.3, 1e-3, 1e4};
    usual_ = pick(kUsual);
    if (below(2) == 0) {  // all about as weak as each other
      weakest_ = -12 + 10 * random_.uniform(drawn_++);
      decades_ = 1;
    }
    constexpr ClassId kClassCounts[] = {2, 2, 3, 9};
    classes = pick(kClassCounts);
    const std::uint64_t labels = 1 + below(4), clusters = 1 + below(4);
    arcs_.nodes = static_cast<NodeId>(labels);
    for (NodeId u = 0; u < arcs_.nodes; ++u) know(u);
    for (std::uint64_t i = 0; i < clusters; ++i) {
      const NodeId before = arcs_.nodes;
      add_cluster();
      for (std::uint64_t links = 1 + below(4); links > 0; --links)
        join(any_below(before), before + any_below(arcs_.nodes - before), weak());
    }
    for (std::uint64_t twigs = below(3) == 0 ? below(8) : 0; twigs > 0; --twigs) {
      join(any_below(arcs_.nodes), arcs_.nodes, below(3) == 0 ? weak() : strong());
      ++arcs_.nodes;
    }
    if (below(4) == 0) {
      arcs_.nodes += 2;  // a component without a label
      join(arcs_.nodes - 2, arcs_.nodes - 1, strong());
    }
    const NodeId nodes = arcs_.nodes;
    Threads threads(1);
    built = build_graph(std::move(arcs_), threads);
    if (below(4) == 0) {
      front = Matrix(nodes, classes);
      for (NodeId u = 0; u < nodes; ++u) {
        for (Real& x : front.row(u)) x = static_cast<Real>(random_.part(1).normal(drawn_++));
      }
    }
    constexpr LaplacianKind kAllKinds[] = {LaplacianKind::symmetric, LaplacianKind::random_walk,
                                           LaplacianKind::combinatorial};
    constexpr double kLoops[] = {1, 1, 0, 1e3};
    flow.laplacian = {.kind = pick(kAllKinds), .self_loop = pick(kLoops)};
    if (test::kDouble) flow.solve.tolerance = 1e-12;            // what a tolerance leaves is not tried here
    constexpr std::int64_t kLeastBytes = 6 * 4 * sizeof(Real);  // per node, for three classes at once
    if (below(4) == 0) flow.memory_limit = kLeastBytes * nodes;
  }

  DirichletProblem problem() const {
    return {
        .graph = built.graph, .weights = built.weights, .classes = classes, .known = known, .front = front};
  }

  Dense truth() const { return truth_by(flow.laplacian); }
  Dense truth_of_walk() const { return truth_by({.kind = LaplacianKind::random_walk}); }

 private:
  Dense truth_by(const LaplacianOptions& laplacian) const {
    return test::harmonic_extension(built.graph, built.weights, laplacian, known.nodes,
                                    test::dense_of(starting_state(problem())));
  }
  std::uint64_t below(std::uint64_t n) { return random_.below(n, drawn_++); }
  template <class Value, std::size_t count>
  Value pick(const Value (&values)[count]) {
    return values[below(count)];
  }
  NodeId any_below(NodeId n) { return static_cast<NodeId>(below(static_cast<std::uint64_t>(n))); }
  double strong() { return usual_ * (below(2) == 0 ? 1 : 0.5 + random_.uniform(drawn_++)); }
  double weak() { return usual_ * std::pow(10, weakest_ + decades_ * random_.uniform(drawn_++)); }
  void join(NodeId u, NodeId v, double weight) {
    arcs_.from.push_back(u);
    arcs_.to.push_back(v);
    arcs_.weights.push_back(static_cast<Real>(weight));
  }
  void know(NodeId u) {
    known.nodes.push_back(u);
    known.classes.push_back(static_cast<ClassId>(below(static_cast<std::uint64_t>(classes))));
  }

  // A tree and some edges more; now and then with a label of its own.
  void add_cluster() {
    const NodeId first = arcs_.nodes, size = 1 + any_below(most_in_a_cluster_);
    arcs_.nodes += size;
    for (NodeId i = 1; i < size; ++i) join(first + any_below(i), first + i, strong());
    for (NodeId extra = any_below(size); extra > 0; --extra)
      join(first + any_below(size), first + any_below(size), strong());
    if (below(6) == 0) know(first);
  }

  Random random_;
  NodeId most_in_a_cluster_;
  std::uint64_t drawn_ = 0;
  double usual_ = 1, weakest_ = -12, decades_ = 7;
  ArcList arcs_;
};

const std::string kNoFault = "right";

// What is wrong with an answer that says nothing of it.
std::string silent_fault(const WeakLinks& links, const Answer& answer) {
  const Dense truth = links.truth();
  const Matrix& values = answer.temperatures.values;
  for (NodeId u = 0; u < links.built.graph.nodes(); ++u) {
    const auto row = static_cast<std::size_t>(u);
    const bool is_decided = answer.decisions.status[row] == NodeStatus::decided;
    if (std::isnan(truth(row, 0))) continue;  // no label reaches it
    if (is_decided && !answer.temperatures.report.reached) return "decided and not at rest";
    const auto chosen = static_cast<std::size_t>(answer.decisions.classes[row]);
    for (std::size_t c = 0; c < truth.cols; ++c) {
      if (is_decided && truth(row, c) > truth(row, chosen)) return "decided wrongly";
      const double error =
          std::abs(static_cast<double>(values(u, static_cast<std::int64_t>(c))) - truth(row, c));
      if (!(error <= answer.temperatures.column_errors[c])) return "an error above what is said";
    }
  }
  return kNoFault;
}

// How many of these problems have a fault, by what it is.
std::map<std::string, int> count_faults(std::uint64_t problems, NodeId most_in_a_cluster,
                                        NodeId least_nodes) {
  Threads threads(1);
  std::map<std::string, int> faults;
  for (std::uint64_t seed = 0; seed < problems; ++seed) {
    const WeakLinks links(seed, most_in_a_cluster);
    if (links.built.graph.nodes() < least_nodes) continue;
    const Answer answer = solve_and_decide(links.problem(), links.flow, threads);
    ++faults[silent_fault(links, answer)];
    if (!answer.temperatures.report.reached) ++faults["not at rest"];
  }
  return faults;
}

TEST(WeakLinks, HaveSteadyStatesThatAreRight) {
  constexpr int kProblemsTried = test::kSanitized ? 2000 : 10'000;
  EXPECT_EQ(count_faults(kProblemsTried, 6, 0), (std::map<std::string, int>{{kNoFault, kProblemsTried}}));
}

TEST(WeakLinks, HaveSteadyStatesThatAreRightInGraphsThatAreNotSmall) {
  const std::map<std::string, int> faults = count_faults(100, 120, 101);
  EXPECT_EQ(faults.size(), 1U) << "kinds of faults";
  EXPECT_GT(faults.at(kNoFault), 50);
}

// What larger graphs are left to, on those that are small enough for a reference.
TEST(WeakLinks, AreBoundedRightlyByConjugateGradientsInDoublePrecision) {
  Threads threads(2);
  int bounded = 0, sharp = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const WeakLinks links(seed);
    const Dense truth = links.truth_of_walk();
    HarmonicSystem system{.graph = links.built.graph, .weights = links.built.weights, .roles = {}};
    for (std::size_t u = 0; u < truth.rows; ++u)
      system.roles.push_back(std::isnan(truth(u, 0)) ? NodeRole::absent : NodeRole::free);
    for (NodeId u : links.known.nodes) system.roles[static_cast<std::size_t>(u)] = NodeRole::known;
    Matrix state = starting_state(links.problem());
    const DoubleExtension::Report report = DoubleExtension(system, threads).solve(1e-7, state);
    bounded += std::isfinite(report.error);
    sharp += report.error <= 1e-3;
    for (std::size_t u = 0; u < truth.rows; ++u) {
      for (std::size_t c = 0; c < truth.cols && !std::isnan(truth(u, 0)); ++c) {
        const double found = static_cast<double>(state(static_cast<NodeId>(u), static_cast<ClassId>(c)));
        ASSERT_LE(std::abs(found - truth(u, c)), report.error + 1e-7) << seed << " at node " << u;
      }
    }
  }
  EXPECT_GT(bounded, 1900);
  EXPECT_GT(sharp, 1500);
}

}  // namespace
}  // namespace heatfront
