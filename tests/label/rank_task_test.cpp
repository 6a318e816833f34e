// SPDX-License-Identifier: MIT
// A FlowTask on pretended ranks, against the plain one.
#include "heatfront/label/rank_task.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

#include "heatfront/graph/partition.h"
#include "support/error_text.h"
#include "support/pretended_ranks.h"
#include "support/rank_share.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

using test::rank_cases;
using test::RankCase;

FlowTask blocks_task(const std::string& split, Threads& threads) {
  FlowTask task{.dataset = test::small_data("blocks:blocks=3,size=40,inside=0.1,across=0.02", split, threads),
                .known_from = "train",
                .chooses_time = true};
  task.split = *task.dataset.split;
  task.known = known_labels(task.dataset, task.split, *find_known_source("train"));
  return task;
}

FlowSolution solve_on(const RankCase& of, const FlowTask& task) {
  const Graph& graph = task.dataset.graph;
  const GraphRows rows{graph.offsets(), graph.targets(), task.dataset.weights};
  const Partition partition = partition_by(of.part_of(rows, task.known.nodes), of.parts);
  FlowSolution first;
  test::run_on_ranks(of.ranks, [&](int rank, test::Meeting& meeting) {
    const test::PretendedCluster cluster(rank, meeting);
    const test::RankShare share(rows, partition, cluster);
    Threads threads(1);
    FlowSolution solution = solve_on_ranks(task, share.graph(), true, cluster, threads);
    if (rank == 0) first = std::move(solution);
  });
  return first;
}

void expect_as_plain(const FlowTask& task, FlowReason reason) {
  Threads threads(1);
  const FlowSolution plain = solve(task, threads);
  EXPECT_EQ(plain.choice.reason, reason);
  for (const RankCase& of : rank_cases()) {
    SCOPED_TRACE(of.name);
    const FlowSolution parted = solve_on(of, task);
    EXPECT_EQ(parted.choice.reason, plain.choice.reason);
    EXPECT_EQ(parted.choice.time, plain.choice.time);
    EXPECT_EQ(parted.choice.masses, plain.choice.masses);
    ASSERT_EQ(parted.choice.tried.size(), plain.choice.tried.size());
    for (std::size_t i = 0; i < plain.choice.tried.size(); ++i)
      EXPECT_EQ(parted.choice.tried[i].right, plain.choice.tried[i].right);
    EXPECT_EQ(parted.answer.decisions.classes, plain.answer.decisions.classes);
    EXPECT_EQ(parted.answer.decisions.status, plain.answer.decisions.status);
    EXPECT_EQ(parted.test_accuracy, plain.test_accuracy);
    const Matrix &x = parted.answer.temperatures.values, &y = plain.answer.temperatures.values;
    ASSERT_EQ(x.rows(), y.rows());
    for (std::int64_t u = 0; u < x.rows(); ++u) {  // class masses are sums over ranks
      for (std::int64_t c = 0; c < x.cols(); ++c) {
        const auto plain_value = static_cast<double>(y(u, c));
        EXPECT_NEAR(static_cast<double>(x(u, c)), plain_value, 1e-6 * (1 + std::abs(plain_value)));
      }
    }
  }
}

TEST(RankTask, ChoosesItsTimeAsThePlainTask) {
  Threads threads(1);
  expect_as_plain(blocks_task("per-class 2,3", threads), FlowReason::few_labels);
  expect_as_plain(blocks_task("per-class 8,3", threads), FlowReason::left_out);
  expect_as_plain(blocks_task("per-class 21,3", threads), FlowReason::many_labels);
}

TEST(RankTask, GivesClassesTheSharesThatAreAskedFor) {
  Threads threads(1);
  FlowTask task = blocks_task("per-class 8,3", threads);
  task.class_prior = {0.6, 0.3, 0.1};
  expect_as_plain(task, FlowReason::left_out);
  task.chooses_time = false;
  expect_as_plain(task, FlowReason::given);
  task.class_prior.reset();
  task.masses_allowed = false;
  task.chooses_time = true;
  expect_as_plain(task, FlowReason::unsuited);
}

TEST(RankTask, RefusesWhatOnlyTheWholeGraphCan) {
  Threads threads(1);
  FlowTask task = blocks_task("per-class 2,3", threads);
  task.volumes = ClassVolumes{.least = {40, 40, 40}, .most = {40, 40, 40}};
  EXPECT_EQ(test::error_text([&] { check_on_ranks(task); }),
            "--class-prior: sizes of classes are kept over all nodes at once; a graph in parts takes shares "
            "only");
  task.volumes.reset();
  task.energy = {.name = "poisson"};
  EXPECT_EQ(test::error_text([&] { check_on_ranks(task); }),
            "--energy poisson: a graph in parts is solved by the flow alone");
}

}  // namespace
}  // namespace heatfront
