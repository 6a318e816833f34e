// SPDX-License-Identifier: MIT
// Flows of whole states whose rows are shared out among pretended ranks, against the plain flow.
#include "heatfront/flow/shared_flow.h"

#include <gtest/gtest.h>

#include <string>

#include "heatfront/graph/generate.h"
#include "heatfront/graph/partition.h"
#include "support/error_text.h"
#include "support/pretended_ranks.h"
#include "support/rank_share.h"
#include "support/reference.h"

namespace heatfront {
namespace {

using test::dense_of;
using test::RandomProblem;
using test::rank_cases;
using test::RankCase;

constexpr NodeId kSharedNodes = 60;

// body(flow) on every rank.
template <class Body>
void with_shared_flow(const RankCase& of, const RandomProblem& problem, const Graph& model_graph,
                      const Body& body) {
  const GraphRows rows{problem.graph.offsets(), problem.graph.targets(), problem.weights};
  const Partition partition = partition_by(of.part_of(rows, problem.known), of.parts);
  test::run_on_ranks(of.ranks, [&](int rank, test::Meeting& meeting) {
    const test::PretendedCluster cluster(rank, meeting);
    const test::RankShare share(rows, partition, cluster);
    Threads threads(1);
    SharedFlow flow(model_graph, problem.weights, {.time = 3}, share.graph(), cluster, threads);
    body(flow);
  });
}

TEST(SharedFlow, GivesEveryRankWhatThePlainFlowGives) {
  for (const bool weighted : {false, true}) {
    const RandomProblem problem(weighted ? 3 : 4, kSharedNodes, 5, 6);
    Threads threads(1);
    Flow plain(problem.graph, problem.weights, {.time = 3}, threads);
    plain.hold(problem.known);
    const Temperatures answer = plain.solve(problem.front);
    const std::vector<NodeId> nodes = {7, 0, problem.known.front()};
    const Matrix shares = plain.shares_of(nodes, 1e-6), heat = plain.mean_heat_from(nodes, 1e-6);
    const std::vector<double> times = {0, 2, 9};
    std::vector<Matrix> states;
    plain.curve(times, problem.front, [&](double, const Temperatures& then) {
      states.push_back(then.values);
      return true;
    });
    for (const RankCase& of : rank_cases()) {
      SCOPED_TRACE(of.name);
      with_shared_flow(of, problem, problem.graph, [&](SharedFlow& flow) {
        flow.hold(problem.known);
        const Temperatures shared = flow.solve(problem.front);
        EXPECT_EQ(dense_of(shared.values).values, dense_of(answer.values).values);
        for (std::size_t c = 0; c < answer.column_errors.size(); ++c)
          EXPECT_NEAR(shared.column_errors[c], answer.column_errors[c], 1e-10 * answer.column_errors[c]);
        EXPECT_EQ(dense_of(flow.shares_of(nodes, 1e-6)).values, dense_of(shares).values);
        const Matrix mean = flow.mean_heat_from(nodes, 1e-6);
        for (std::int64_t u = 0; u < mean.rows(); ++u) {
          for (std::int64_t i = 0; i < mean.cols(); ++i)
            EXPECT_NEAR(static_cast<double>(mean(u, i)), static_cast<double>(heat(u, i)), 1e-5);
        }
        std::size_t step = 0;
        flow.curve(times, problem.front, [&](double, const Temperatures& then) {
          EXPECT_EQ(dense_of(then.values).values, dense_of(states[step++]).values);
          return true;
        });
        EXPECT_EQ(step, times.size());
        EXPECT_EQ(flow.components().of, connected_components(problem.graph, problem.weights).of);
      });
    }
  }
}

TEST(SharedFlow, RefusesTheRowsOfAnotherGraph) {
  const RandomProblem problem(4, kSharedNodes, 5, 6);
  for (const Graph& other : {path_graph(kSharedNodes), path_graph(kSharedNodes + 1)}) {
    EXPECT_EQ(test::error_text(
                  [&] { with_shared_flow(rank_cases()[4], problem, other, [](const SharedFlow&) {}); }),
              "the graph in parts is not the one that the model was trained on");
  }
}

}  // namespace
}  // namespace heatfront
