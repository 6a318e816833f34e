// SPDX-License-Identifier: MIT
#include "heatfront/flow/energies/energies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "heatfront/flow/decide.h"
#include "support/error_text.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::error_text;

constexpr double kEnergyTolerance = 1e-7;

// A graph with known labels of three classes.
struct LabelledGraph {
  test::RandomProblem random;
  KnownLabels known;
  test::Dense dense;

  explicit LabelledGraph(std::uint64_t seed, NodeId nodes = 14)
      : random(seed, nodes, 3, 4), dense(at(nodes), at(nodes)) {
    for (NodeId u = 0; u < nodes; ++u) {
      for (ArcId arc = random.graph.begin_of(u); arc < random.graph.begin_of(u + 1); ++arc)
        dense(at(u), at(random.graph.targets()[at(arc)])) =
            random.weights.empty() ? 1 : static_cast<double>(random.weights[at(arc)]);
    }
    known.nodes = random.known;
    if (known.nodes.size() < 2) known.nodes = {0, 1, 2};
    for (std::size_t i = 0; i < known.nodes.size(); ++i) known.classes.push_back(static_cast<ClassId>(i % 3));
  }

  DirichletProblem problem() const {
    return {.graph = random.graph, .weights = random.weights, .classes = 3, .known = known};
  }
  double weight(std::size_t u, std::size_t v) const { return dense(u, v); }
};

struct Path {
  Graph graph;
  KnownLabels known;

  explicit Path(NodeId nodes) {
    ArcList arcs{.nodes = nodes};
    for (NodeId u = 0; u + 1 < nodes; ++u) {
      arcs.from.push_back(u);
      arcs.to.push_back(u + 1);
    }
    Threads threads(1);
    graph = build_graph(std::move(arcs), threads).graph;
    known = {.nodes = {0, nodes - 1}, .classes = {0, 1}};
  }
  DirichletProblem problem() const { return {.graph = graph, .classes = 2, .known = known}; }
};

Matrix solved(const DirichletProblem& problem, const std::string& name, double p = 2) {
  Threads threads(2);
  const Temperatures found =
      solve_energy(problem, {.name = name, .p = p, .tolerance = kEnergyTolerance, .steps = 400'000}, threads);
  EXPECT_TRUE(found.report.reached) << name << " " << p << " " << found.report.residual;
  Matrix values(found.values.rows(), found.values.cols());
  for (std::int64_t u = 0; u < values.rows(); ++u)
    std::ranges::copy(found.values.row(u), values.row(u).begin());
  return values;
}

// Gauss and Jordan with the largest pivot.
std::vector<double> solution(test::Dense m, std::vector<double> b) {
  for (std::size_t i = 0; i < m.rows; ++i) {
    std::size_t pivot = i;
    for (std::size_t r = i; r < m.rows; ++r) pivot = std::abs(m(r, i)) > std::abs(m(pivot, i)) ? r : pivot;
    for (std::size_t c = 0; c < m.cols; ++c) std::swap(m(i, c), m(pivot, c));
    std::swap(b[i], b[pivot]);
    for (std::size_t r = 0; r < m.rows; ++r) {
      if (r == i) continue;
      const double factor = m(r, i) / m(i, i);
      for (std::size_t c = 0; c < m.cols; ++c) m(r, c) -= factor * m(i, c);
      b[r] -= factor * b[i];
    }
  }
  for (std::size_t i = 0; i < m.rows; ++i) b[i] /= m(i, i);
  return b;
}

// Node by node to where its own energy is least, by bisection of the slope, until all rest.
std::vector<double> least_p_energy(const LabelledGraph& g, double p, std::vector<double> f,
                                   const std::vector<bool>& held) {
  for (int sweep = 0; sweep < 100; ++sweep) {
    for (std::size_t u = 0; u < f.size(); ++u) {
      if (held[u]) continue;
      double low = 0, high = 1;
      for (int i = 0; i < 40; ++i) {
        const double x = (low + high) / 2;
        double slope = 0;
        for (std::size_t v = 0; v < f.size(); ++v) {
          const double d = x - f[v];
          if (d != 0) slope += g.weight(u, v) * std::pow(std::abs(d), p - 1) * (d > 0 ? 1 : -1);
        }
        (slope < 0 ? low : high) = x;
      }
      f[u] = (low + high) / 2;
    }
  }
  return f;
}

double p_energy(const LabelledGraph& g, double p, const std::vector<double>& f) {
  double sum = 0;
  for (std::size_t u = 0; u < f.size(); ++u) {
    for (std::size_t v = 0; v < u; ++v) sum += g.weight(u, v) * std::pow(std::abs(f[u] - f[v]), p);
  }
  return sum;
}

std::vector<double> column_of(const Matrix& m, std::int64_t c) {
  std::vector<double> column;
  for (std::int64_t u = 0; u < m.rows(); ++u) column.push_back(static_cast<double>(m(u, c)));
  return column;
}

std::vector<bool> held_in(const LabelledGraph& g) {
  std::vector<bool> held(at(g.random.graph.nodes()));
  for (NodeId u : g.known.nodes) held[at(u)] = true;
  return held;
}

TEST(EveryEnergy, WithPOfTwoIsTheFlowAtRest) {
  for (std::uint64_t seed : {2u, 3u, 6u}) {
    const LabelledGraph g(seed);
    Threads threads(1);
    const Temperatures rest = solve_dirichlet(
        g.problem(), {.time = FlowOptions::kForever, .laplacian = {.kind = LaplacianKind::random_walk}},
        threads);
    for (const char* name : {"p-laplacian", "game-p-laplacian"}) {
      const Matrix found = solved(g.problem(), name, 2);
      EXPECT_LT(test::largest_difference(test::dense_of(found), test::dense_of(rest.values)), 2e-5)
          << name << seed;
    }
  }
}

TEST(EveryEnergy, OnAPathIsAStepALineOrBetweenTheTwo) {
  const Path path(9);
  const Matrix line = solved(path.problem(), "amle"), harmonic = solved(path.problem(), "p-laplacian", 4);
  for (NodeId u = 0; u < 9; ++u) {
    EXPECT_NEAR(line(u, 1), u / 8.0, 1e-5);
    EXPECT_NEAR(harmonic(u, 1), u / 8.0, 1e-4);
  }
  // All monotone functions have the same variation; with one weak edge the step is there.
  std::vector<Real> weights(at(path.graph.arcs()), 1);
  for (NodeId u : {3, 4}) {
    for (ArcId arc = path.graph.begin_of(u); arc < path.graph.begin_of(u + 1); ++arc) {
      if (path.graph.targets()[at(arc)] == 7 - u) weights[at(arc)] = Real(0.5);
    }
  }
  DirichletProblem weak = path.problem();
  weak.weights = weights;
  for (double p : {1.0, 1.01}) {
    const Matrix step = solved(weak, "p-laplacian", p);
    for (NodeId u = 0; u < 9; ++u) EXPECT_NEAR(step(u, 1), u < 4 ? 0 : 1, 1e-3) << p << " " << u;
  }
}

TEST(PoissonLearning, IsThePseudoInverseOfTheSources) {
  int tried = 0;
  for (std::uint64_t seed = 1; seed < 40; ++seed) {
    const LabelledGraph g(seed, 9);
    if (connected_components(g.random.graph).count() != 1) continue;
    ++tried;
    const std::size_t n = 9;
    test::Dense l(n, n);  // L + 1 1ᵀ, which is L⁺ on what sums up to 0
    std::vector<double> degrees(n);
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        l(u, v) += 1 - g.weight(u, v);
        l(u, u) += g.weight(u, v);
        degrees[u] += g.weight(u, v);
      }
    }
    const Matrix found = solved(g.problem(), "poisson");
    for (std::size_t c = 0; c < 3; ++c) {
      std::vector<double> b(n);
      const double mean = labelled_prior(g.known, 3)[c];
      for (std::size_t i = 0; i < g.known.nodes.size(); ++i)
        b[at(g.known.nodes[i])] = (at(g.known.classes[i]) == c) - mean;
      std::vector<double> f = solution(l, b);
      double sum = 0, all = 0;
      for (std::size_t u = 0; u < n; ++u) {
        sum += degrees[u] * f[u];
        all += degrees[u];
      }
      for (std::size_t u = 0; u < n; ++u)
        EXPECT_NEAR(found(static_cast<NodeId>(u), static_cast<ClassId>(c)), f[u] - sum / all, 2e-5);
    }
  }
  EXPECT_GT(tried, 3);
}

TEST(PoissonLearning, GivesEveryComponentItsOwnAnswer) {
  Threads threads(1);
  const Graph graph = build_graph({.nodes = 6, .from = {0, 1, 3, 4}, .to = {1, 2, 4, 5}}, threads).graph;
  const KnownLabels known{.nodes = {0, 2, 4}, .classes = {0, 1, 1}};
  const Matrix found = solved({.graph = graph, .classes = 2, .known = known}, "poisson");
  EXPECT_GT(found(0, 0), found(0, 1));
  EXPECT_NEAR(found(1, 0), 0, 1e-6);
  for (NodeId u : {3, 4, 5}) EXPECT_EQ(found(u, 1), 1);
}

TEST(PLaplacian, HasTheLeastEnergyThatADescentNodeByNodeFinds) {
  for (std::uint64_t seed : {2u, 3u}) {
    const LabelledGraph g(seed);
    for (double p : {1.3, 3.0, 8.0}) {
      const Matrix found = solved(g.problem(), "p-laplacian", p);
      const std::vector<double> f = column_of(found, 0), least = least_p_energy(g, p, f, held_in(g));
      EXPECT_LE(p_energy(g, p, f), p_energy(g, p, least) * (1 + 1e-4)) << seed << " " << p;
    }
  }
}

TEST(TotalVariation, IsTheLeastCutOfAll) {
  const LabelledGraph g(4, 12);
  const std::vector<bool> held = held_in(g);
  const Matrix found = solved(g.problem(), "p-laplacian", 1);
  for (std::int64_t c = 0; c < 3; ++c) {
    const std::vector<double> f = column_of(found, c);
    double least = std::numeric_limits<double>::infinity();
    for (unsigned side = 0; side < 1u << 12; ++side) {
      std::vector<double> cut(12);
      bool fits = true;
      for (std::size_t u = 0; u < 12; ++u) {
        cut[u] = (side >> u) & 1u;
        fits = fits && !(held[u] && cut[u] != f[u]);
      }
      if (fits) least = std::min(least, p_energy(g, 1, cut));
    }
    EXPECT_NEAR(p_energy(g, 1, f), least, 1e-4 * (1 + least));
  }
}

TEST(GamePLaplacian, IsWhatRepeatingItsRuleComesTo) {
  const LabelledGraph g(3);
  const std::vector<bool> held = held_in(g);
  const std::vector<bool> reached = reached_nodes(g.problem());
  for (double p : {3.0, 10.0, std::numeric_limits<double>::infinity()}) {
    const Matrix found = solved(g.problem(), "game-p-laplacian", p);
    if (std::isinf(p)) {
      EXPECT_LT(test::largest_difference(test::dense_of(found), test::dense_of(solved(g.problem(), "amle"))),
                1e-6);
    }
    const double share = std::isinf(p) ? 0 : 1 / (p - 1);
    std::vector<double> f = column_of(found, 0);
    for (std::size_t u = 0; u < f.size(); ++u) f[u] = held[u] ? f[u] : 0.5;
    for (int step = 0; step < 5000; ++step) {
      std::vector<double> next = f;
      for (std::size_t u = 0; u < f.size(); ++u) {
        double least = 2, most = -1, sum = 0, all = 0;
        for (std::size_t v = 0; v < f.size(); ++v) {
          const double w = g.weight(u, v);
          if (w == 0) continue;
          least = std::min(least, f[v]);
          most = std::max(most, f[v]);
          sum += w * f[v];
          all += w;
        }
        if (!held[u] && all > 0) next[u] = (f[u] + share * sum / all + (1 - share) * (least + most) / 2) / 2;
      }
      f = next;
    }
    for (std::size_t u = 0; u < f.size(); ++u) {
      if (reached[u]) {
        EXPECT_NEAR(found(static_cast<NodeId>(u), 0), f[u], 1e-5) << p << " " << u;
      }
    }
  }
}

TEST(ReweightedEnergies, AreHarmonicOnTheirEdges) {
  const LabelledGraph g(3);
  const std::vector<bool> held = held_in(g), reached = reached_nodes(g.problem());
  const Matrix found = solved(g.problem(), "wnll");
  const double gamma = 14.0 / static_cast<double>(g.known.nodes.size());
  for (std::size_t u = 0; u < 14; ++u) {
    if (held[u] || !reached[u]) continue;
    double off = 0;
    for (std::size_t v = 0; v < 14; ++v)
      off += g.weight(u, v) * (1 + (held[v] ? gamma : 1)) / 2 *
             static_cast<double>(found(static_cast<NodeId>(u), 0) - found(static_cast<NodeId>(v), 0));
    EXPECT_NEAR(off, 0, 1e-4);
  }
  // On a path 0 … 4 between two labels: conductances 5e6, 1.625/1.125 … in a row.
  const Path path(5);
  const Matrix near = solved(path.problem(), "properly-weighted");
  const double first = 2e-7, second = 2 / (2 + 1.25), whole = 2 * (first + second);
  EXPECT_NEAR(near(1, 1), first / whole, 1e-5);
  EXPECT_NEAR(near(2, 1), 0.5, 1e-5);
}

TEST(EveryEnergy, HasTheSameBitsForAnyNumberOfThreads) {
  const LabelledGraph g(5, 40);
  for (const EnergyEntry& energy : energies()) {
    Threads one(1), three(3);
    const EnergyOptions options{.name = std::string(energy.name), .p = energy.takes_p ? 3.0 : 2.0};
    EXPECT_EQ(test::dense_of(solve_energy(g.problem(), options, one).values).values,
              test::dense_of(solve_energy(g.problem(), options, three).values).values)
        << energy.name;
  }
}

TEST(EveryEnergy, LeavesNodesThatNoLabelReachesAsTheFrontHasThem) {
  Threads threads(1);
  const Graph graph = build_graph({.nodes = 4, .from = {0, 2}, .to = {1, 3}}, threads).graph;
  const KnownLabels known{.nodes = {0}, .classes = {1}};
  Matrix front(4, 2);
  front(3, 0) = 7;
  for (const char* name : {"p-laplacian", "game-p-laplacian", "amle"}) {
    const Temperatures found = solve_energy({.graph = graph, .classes = 2, .known = known, .front = front},
                                            {.name = name, .p = 2}, threads);
    EXPECT_EQ(found.values(3, 0), 7) << name;
    EXPECT_NEAR(found.values(1, 1), 1, 1e-4) << name;
  }
}

TEST(EveryEnergy, RefusesWhatItDoesNotTake) {
  const Path path(4);
  Threads threads(1);
  const auto refusal = [&](const std::string& name, double p, bool free = false) {
    DirichletProblem problem = path.problem();
    problem.free = free;
    return error_text([&] { solve_energy(problem, {.name = name, .p = p}, threads); });
  };
  EXPECT_EQ(refusal("game-p-laplacian", 1.5),
            "energy game-p-laplacian with p = 1.5: p must be from 2 to inf");
  EXPECT_NE(refusal("p-laplacian", 0.5).find("p is '0.5', but must be a number from 1 to 100"),
            std::string::npos)
      << refusal("p-laplacian", 0.5);
  EXPECT_EQ(refusal("amle", 2, true), "energy amle: it holds the known labels, so it cannot be free");
  EXPECT_NE(refusal("poison", 2).find("did you mean 'poisson'?"), std::string::npos);
}

}  // namespace
}  // namespace heatfront
