// SPDX-License-Identifier: MIT
// Flows whose rows are shared out among pretended ranks, against the plain flow.
#include "heatfront/flow/rank_flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/calculus.h"
#include "heatfront/flow/decide_rows.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/generate.h"
#include "heatfront/graph/partition.h"
#include "support/error_text.h"
#include "support/pretended_ranks.h"
#include "support/rank_share.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::by_node;
using test::ClusterFault;
using test::RandomProblem;
using test::rank_cases;
using test::RankCase;
using test::RankShare;

constexpr NodeId kRankNodes = 80;
constexpr std::int64_t kRankColumns = 5;

template <class Body>
void on_ranks(const RankCase& of, const RandomProblem& problem, const Body& body,
              const ClusterFault& fault = {}) {
  const GraphRows rows{problem.graph.offsets(), problem.graph.targets(), problem.weights};
  const Partition partition = partition_by(of.part_of(rows, problem.known), of.parts);
  test::run_on_ranks(of.ranks, [&](int rank, test::Meeting& meeting) {
    test::PretendedCluster cluster(rank, meeting);
    const RankShare share(rows, partition, cluster);
    cluster.set_fault(fault);
    Threads threads(rank % 2 + 1);
    body(share, cluster, threads);
  });
}

bool same_bits(ConstMatrixView x, ConstMatrixView y) {
  for (std::int64_t u = 0; u < x.rows; ++u) {
    if (!std::ranges::equal(x.row(u), y.row(u))) return false;
  }
  return x.rows == y.rows;
}

double furthest(ConstMatrixView x, ConstMatrixView y) {
  double most = 0;
  for (std::int64_t u = 0; u < x.rows; ++u) {
    for (std::int64_t c = 0; c < x.cols; ++c)
      most = std::max(most, std::abs(static_cast<double>(x(u, c)) - static_cast<double>(y(u, c))));
  }
  return most;
}

template <class Check>
void for_each_flow(const Check& check) {
  for (const LaplacianEntry& kind : laplacian_kinds()) {
    for (const bool weighted : {false, true}) {
      const RandomProblem problem(weighted ? 3 : 4, kRankNodes, kRankColumns, 6);
      for (const bool held : {false, true}) {
        for (const RankCase& of : rank_cases()) {
          SCOPED_TRACE(testing::Message() << kind.name << (weighted ? ", weights" : "")
                                          << (held ? ", held" : "") << ", " << of.name);
          FlowOptions options;
          options.time = 3;
          options.laplacian = {kind.kind, 0.8};
          check(problem, held, of, options);
        }
      }
    }
  }
}

Temperatures plain_answer(const RandomProblem& problem, bool held, const FlowOptions& options) {
  Threads threads(1);
  Flow flow(problem.graph, problem.weights, options, threads);
  if (held) flow.hold(problem.known);
  return flow.solve(problem.front);
}

Matrix answer_on_ranks(const RandomProblem& problem, bool held, const RankCase& of,
                       const FlowOptions& options, const ClusterFault& fault = {}) {
  Matrix whole = problem.front;
  on_ranks(
      of, problem,
      [&](const RankShare& share, const Cluster& cluster, Threads& threads) {
        RankFlow flow(share.graph(), options, cluster, threads);
        if (held) flow.hold(share.rows_of(problem.known));
        share.put_back(flow.solve(share.part_of(problem.front)).values, whole);
      },
      fault);
  return whole;
}

TEST(RankFlow, HasTheBitsOfThePlainFlowWhateverThePartition) {
  for_each_flow([](const RandomProblem& problem, bool held, const RankCase& of, const FlowOptions& options) {
    const Temperatures plain = plain_answer(problem, held, options);
    Matrix whole = problem.front;
    on_ranks(of, problem, [&](const RankShare& share, const Cluster& cluster, Threads& threads) {
      RankFlow flow(share.graph(), options, cluster, threads);
      if (held) flow.hold(share.rows_of(problem.known));
      const Temperatures part = flow.solve(share.part_of(problem.front));
      share.put_back(part.values, whole);
      EXPECT_EQ(part.report.products, plain.report.products);
      EXPECT_NEAR(part.report.error_bound, plain.report.error_bound, 1e-10 * plain.report.error_bound);
      for (std::size_t c = 0; c < plain.column_errors.size(); ++c)
        EXPECT_NEAR(part.column_errors[c], plain.column_errors[c], 1e-10 * plain.column_errors[c]);
    });
    EXPECT_TRUE(same_bits(whole, plain.values));
  });
}

TEST(RankFlow, HasThemWithFixedStepsAndFewClassesAtOnce) {
  const RandomProblem problem(3, kRankNodes, 9, 6);
  FlowOptions fixed, little;
  fixed.solver = "euler";
  fixed.solve.step = 0.2;
  fixed.time = little.time = 2;
  for (const RankCase& of : rank_cases()) {
    SCOPED_TRACE(of.name);
    EXPECT_TRUE(
        same_bits(answer_on_ranks(problem, true, of, fixed), plain_answer(problem, true, fixed).values));
    little.memory_limit = std::int64_t{40} * kRankNodes * 4 * static_cast<std::int64_t>(sizeof(Real));
    EXPECT_TRUE(
        same_bits(answer_on_ranks(problem, true, of, little), plain_answer(problem, true, little).values));
  }
}

TEST(RankFlow, HasThemAlongACurve) {
  const RandomProblem problem(3, kRankNodes, kRankColumns, 6);
  const std::vector<double> times = {0, 0.5, 4, 30};
  FlowOptions options;
  Threads threads(1);
  Flow plain(problem.graph, problem.weights, options, threads);
  plain.hold(problem.known);
  std::vector<Matrix> states;
  std::vector<double> energies;
  const Calculus calculus(problem.graph, problem.weights, options.laplacian);
  plain.curve(times, problem.front, [&](double, const Temperatures& then) {
    states.push_back(then.values);
    energies.push_back(calculus.dirichlet_energy(then.values));
    return true;
  });
  for (const RankCase& of : rank_cases()) {
    SCOPED_TRACE(of.name);
    std::vector<Matrix> whole(times.size(), problem.front);
    on_ranks(of, problem, [&](const RankShare& share, const Cluster& cluster, Threads& own_threads) {
      RankFlow flow(share.graph(), options, cluster, own_threads);
      flow.hold(share.rows_of(problem.known));
      std::size_t i = 0;
      flow.curve(times, share.part_of(problem.front), [&](double, const Temperatures& then) {
        share.put_back(then.values, whole[i]);
        EXPECT_NEAR(flow.dirichlet_energy(then.values), energies[i], 1e-10 * energies[i]);
        ++i;
        return true;
      });
    });
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_TRUE(same_bits(whole[i], states[i]));
  }
}

TEST(RankLaplacian, GoesBackwardsAndDerivesAsThePlainOne) {
  for_each_flow([](const RandomProblem& problem, bool held, const RankCase& of, const FlowOptions& options) {
    Threads threads(1);
    Laplacian plain(problem.graph, problem.weights, options.laplacian, options.lambda, threads);
    if (held) plain.clamp(problem.known);
    const double lowest = plain.lowest();  // made when it is first asked for, and not by two threads at once
    const Matrix other = RandomProblem(77, kRankNodes, kRankColumns).front;
    const Step step{.alpha = 0.7, .beta = 0.2, .gamma = -0.4, .delta = 0.3};
    Matrix back = other, sum = other;
    OperatorGradient gradient = plain.zero_gradient();
    plain.apply_adjoint(step, problem.front, back, sum);
    plain.add_gradient(0.6, other, problem.front, gradient);
    Matrix back_on_ranks = other, sum_on_ranks = other;
    std::vector<Real> diagonal(gradient.diagonal.size());
    on_ranks(of, problem, [&](const RankShare& share, const Cluster& cluster, Threads& own_threads) {
      RankLaplacian a(share.graph(), options.laplacian, options.lambda, cluster, own_threads);
      if (held) a.clamp(share.rows_of(problem.known));
      EXPECT_EQ(a.lowest(), lowest);
      EXPECT_EQ(a.clamps(), plain.clamps());
      EXPECT_EQ(a.sum_roundings(), plain.sum_roundings());
      Matrix y = share.part_of(other), total = share.part_of(other);
      a.apply_adjoint(step, share.part_of(problem.front), y, total);
      share.put_back(y, back_on_ranks);
      share.put_back(total, sum_on_ranks);
      OperatorGradient own = a.zero_gradient();
      a.add_gradient(0.6, share.part_of(other), share.part_of(problem.front), own);
      std::size_t entry = 0;
      const auto expect_entries = [&](const RowBlock& block, std::int64_t first_row) {
        for (std::int64_t i = 0; i < block.rows(); ++i) {
          const NodeId u = share.graph().ids[at(first_row + i)];
          for (ArcId arc = problem.graph.begin_of(u); arc < problem.graph.begin_of(u + 1); ++arc)
            EXPECT_EQ(own.entries[entry++], gradient.entries[at(arc)]);
        }
      };
      for (const RowBlock& block : share.graph().inside) expect_entries(block, block.first);
      expect_entries(share.graph().boundary, share.graph().inside_rows);
      EXPECT_EQ(entry, own.entries.size());
      for (std::size_t i = 0; i < own.diagonal.size(); ++i)
        diagonal[at(share.graph().ids[i])] = own.diagonal[i];
    });
    EXPECT_TRUE(same_bits(back_on_ranks, back));
    EXPECT_TRUE(same_bits(sum_on_ranks, sum));
    EXPECT_EQ(diagonal, gradient.diagonal);
  });
}

TEST(RankFlow, ReachesWhatThePlainFlowReachesAcrossManyRanks) {
  const Graph path = path_graph(30);  // every second node is on the other rank
  std::vector<Real> weights(at(path.arcs()), 1);
  weights[at(path.begin_of(20) + 1)] = weights[at(path.begin_of(21))] = 0;
  const GraphRows rows{path.offsets(), path.targets(), weights};
  const Partition partition = partition_by(by_node(30, [](NodeId u) { return u % 2; }), 2);
  const std::vector<bool> plain = reached_from(path, weights, {3});
  test::run_on_ranks(2, [&](int rank, test::Meeting& meeting) {
    const test::PretendedCluster cluster(rank, meeting);
    const RankShare share(rows, partition, cluster);
    Threads threads(1);
    RankFlow flow(share.graph(), {}, cluster, threads);
    const std::vector<bool> reached = flow.reached_from(share.rows_of(std::vector<NodeId>{3}));
    for (std::int64_t i = 0; i < share.graph().rows; ++i)
      EXPECT_EQ(reached[at(i)], plain[at(share.graph().ids[at(i)])]);
  });
}

TEST(RankFlow, DecidesAsThePlainFlow) {
  const RandomProblem problem(3, kRankNodes, kRankColumns, 6);
  KnownLabels known{.nodes = problem.known, .classes = std::vector<ClassId>(problem.known.size(), 1)};
  const DirichletProblem whole{
      .graph = problem.graph, .weights = problem.weights, .classes = kRankColumns, .known = known};
  Threads threads(1);
  const Answer plain = solve_and_decide(whole, {}, threads);
  for (const RankCase& of : rank_cases()) {
    SCOPED_TRACE(of.name);
    on_ranks(of, problem, [&](const RankShare& share, const Cluster& cluster, Threads& own_threads) {
      RankFlow flow(share.graph(), {}, cluster, own_threads);
      KnownLabels own{.nodes = share.rows_of(known.nodes), .classes = {}};
      own.classes.assign(own.nodes.size(), 1);
      flow.hold(own.nodes);
      const Temperatures part = flow.solve(share.part_of(starting_state(whole)));
      const Decisions decisions = decide_rows(
          {.rows = share.graph().rows, .classes = kRankColumns, .known = own, .held = true, .logits = false},
          flow.reached_from(own.nodes), part, labelled_prior(known, kRankColumns), own_threads);
      for (std::size_t i = 0; i < decisions.classes.size(); ++i) {
        const std::size_t u = at(share.graph().ids[i]);
        EXPECT_EQ(decisions.classes[i], plain.decisions.classes[u]);
        EXPECT_EQ(decisions.confidence[i], plain.decisions.confidence[u]);
        EXPECT_EQ(decisions.status[i], plain.decisions.status[u]);
      }
    });
  }
}

// The two controls: a wrong answer, or ranks that no longer do the same.
bool is_far_off(const FlowOptions& options, const ClusterFault& fault) {
  const RandomProblem problem(3, kRankNodes, kRankColumns, 6);
  const RankCase& of = rank_cases()[4];
  try {
    return furthest(answer_on_ranks(problem, true, of, options, fault),
                    plain_answer(problem, true, options).values) > 1e-3;
  } catch (const test::RanksParted&) {
    return true;
  }
}

TEST(RankFlow, GoesWrongWithoutTheRowsOfOtherRanks) {
  EXPECT_FALSE(is_far_off({}, {}));
  EXPECT_TRUE(is_far_off({}, {.keeps_ghosts_cold = true}));
}

TEST(RankFlow, GoesWrongWithoutSumsOverRanks) {
  FlowOptions options;
  options.solver = "krylov";
  EXPECT_FALSE(is_far_off(options, {}));
  EXPECT_TRUE(is_far_off(options, {.sums_alone = true}));
}

TEST(RankFlow, RefusesWhatItCannotDo) {
  const RandomProblem problem(3, kRankNodes, kRankColumns, 6);
  FlowOptions forever, reordered;
  forever.time = FlowOptions::kForever;
  reordered.reorder = Reordering::rcm;
  const auto error = [&](const FlowOptions& options) {
    return test::error_text([&] { answer_on_ranks(problem, true, rank_cases()[2], options); });
  };
  EXPECT_EQ(error(forever),
            "time inf: a graph in parts is solved to a time; give a long one, or solve the graph as a whole");
  EXPECT_EQ(error(reordered),
            "a graph in parts keeps the order that its partition gave it; leave --reorder away");
}

}  // namespace
}  // namespace heatfront
