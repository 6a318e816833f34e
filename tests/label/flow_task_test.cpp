// SPDX-License-Identifier: MIT
#include "heatfront/label/flow_task.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/error_text.h"
#include "support/reference.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

using test::error_text;

FlowTask karate_task(Threads& threads) {
  Dataset karate = test::small_data("karate", "per-class 2,3", threads);
  FlowTask task{.split = *karate.split, .known_from = "train"};
  task.known = known_labels(karate, task.split, *find_known_source("train"));
  task.dataset = std::move(karate);
  return task;
}

TEST(KnownSources, AreTheTrainingLabelsThoseOfValidationTooOrAll) {
  Threads threads(1);
  const Dataset karate = test::small_data("karate", "per-class 2,3", threads);
  std::vector<std::size_t> counts;
  for (const KnownSource& source : known_sources())
    counts.push_back(known_labels(karate, *karate.split, source).nodes.size());
  EXPECT_EQ(counts, (std::vector<std::size_t>{4, 10, 34}));
  EXPECT_EQ(find_known_source("my_labels.csv"), nullptr);
}

TEST(KnownSources, AreTheTrainingLabelsUnlessThereIsNoSplit) {
  EXPECT_EQ(default_known_source(true).name, "train");
  EXPECT_EQ(default_known_source(false).name, "all");
}

TEST(FlowTask, IsSolvedAsTheDirichletProblemOfItsLabels) {
  Threads threads(1);
  const FlowTask task = karate_task(threads);
  const FlowSolution solution = solve(task, threads);
  const Temperatures expected = solve_dirichlet(task.problem(), task.options, threads);
  EXPECT_EQ(test::dense_of(solution.answer.temperatures.values).values,
            test::dense_of(expected.values).values);
  EXPECT_EQ(solution.answer.decisions.count(NodeStatus::known), 4);
  EXPECT_EQ(solution.train_accuracy, 1);
}

TEST(ChosenFlow, OfFewLabelsIsLongWithClassMasses) {
  Threads threads(1);
  FlowTask task = karate_task(threads);
  task.chooses_time = true;
  const FlowSolution solution = solve(task, threads);
  EXPECT_EQ(solution.choice.reason, FlowReason::few_labels);
  EXPECT_EQ(solution.choice.labels_per_class, 2);
  EXPECT_EQ(solution.options.time, kLongTime);
  task.chooses_time = false;
  task.options.time = kLongTime;
  task.class_prior = {0.5, 0.5};
  EXPECT_EQ(test::dense_of(solution.answer.temperatures.values).values,
            test::dense_of(solve(task, threads).answer.temperatures.values).values);
}

TEST(ChosenFlow, IsTheLongestUnlessLabelsLeftOutSpeakClearlyForAnother) {
  Threads threads(2);
  const Dataset blocks =
      test::small_data("blocks:blocks=2,size=60,inside=0.1,across=0.02", "per-class 8,3", threads);
  FlowTask task{.dataset = blocks, .split = *blocks.split, .known_from = "train", .chooses_time = true};
  task.known = known_labels(blocks, task.split, *find_known_source("train"));
  const FlowChoice choice = solve(task, threads).choice;
  EXPECT_EQ(choice.reason, FlowReason::left_out);
  EXPECT_EQ(choice.left_out, 16);
  ASSERT_EQ(choice.tried.size(), 4u);
  const TriedFlow& taken = choice.tried[choice.taken];
  EXPECT_GT(taken.right, 8);
  for (const TriedFlow& flow : choice.tried) {
    EXPECT_LE(flow.right, 16);
    EXPECT_LE(flow.right, taken.right + 1) << "one of sixteen more is not clearly more";
  }
  EXPECT_EQ(choice.masses, taken.masses);
  EXPECT_EQ(choice.time, taken.time == 80 ? kSettledTime : taken.time);
}

TEST(ChosenFlow, IsAsUsualWhereThereIsMoreToGoBy) {
  Threads threads(1);
  FlowTask task = karate_task(threads);
  task.chooses_time = true;
  task.masses_allowed = false;
  EXPECT_EQ(solve(task, threads).choice.reason, FlowReason::unsuited);
  EXPECT_EQ(solve(task, threads).options.time, kUsualTime);
  task.masses_allowed = true;
  task.front = Matrix(34, 2);
  EXPECT_EQ(solve(task, threads).choice.reason, FlowReason::unsuited);
  const Dataset blocks =
      test::small_data("blocks:blocks=2,size=60,inside=0.1,across=0.02", "per-class 21,3", threads);
  const KnownLabels known = known_labels(blocks, *blocks.split, *find_known_source("train"));
  const FlowChoice choice =
      choose_flow({.graph = blocks.graph, .classes = 2, .known = known}, {}, {}, true, threads);
  EXPECT_EQ(choice.reason, FlowReason::many_labels);
  EXPECT_FALSE(choice.masses);
}

TEST(FlowTask, KeepsClassesWithinTheirSizes) {
  Threads threads(1);
  FlowTask task = karate_task(threads);
  task.chooses_time = true;
  task.volumes = ClassVolumes{.least = {20, 14}, .most = {20, 14}};
  const FlowSolution solution = solve(task, threads);
  EXPECT_EQ(solution.volumes.value().sizes, (std::vector<std::int64_t>{20, 14}));
  EXPECT_EQ(std::ranges::count(solution.answer.decisions.classes, 0), 20);
  task.volumes = ClassVolumes{.least = {0, 0}, .most = {3, 3}};
  EXPECT_EQ(error_text([&] { solve(task, threads); }),
            "class sizes: all classes together have from 4 to 6 nodes, but the graph has 34");
}

TEST(FlowTask, CarriesLabelsByAnotherEnergy) {
  Threads threads(1);
  FlowTask task = karate_task(threads);
  task.energy = {.name = "poisson"};
  const FlowSolution solution = solve(task, threads);
  EXPECT_EQ(test::dense_of(solution.answer.temperatures.values).values,
            test::dense_of(solve_energy(task.problem(), task.energy, threads).values).values);
}

TEST(FlowTask, IsNotJudgedByLabelsThatItHolds) {
  Threads threads(1);
  FlowTask task = karate_task(threads);
  task.known = known_labels(task.dataset, task.split, *find_known_source("all"));
  EXPECT_TRUE(task.judged().validation_included && task.judged().test_included);
  const FlowSolution solution = solve(task, threads);
  EXPECT_TRUE(std::isnan(solution.validation_accuracy) && std::isnan(solution.test_accuracy));
}

TEST(FlowTask, GivesEachClassItsShareOfTheHeatWhereThatIsAsked) {
  Threads threads(1);
  FlowTask task = karate_task(threads);
  task.class_prior = {0.9, 0.1};
  const Matrix values = solve(task, threads).answer.temperatures.values;
  double first = 0, all = 0;
  for (std::int64_t u = 0; u < values.rows(); ++u) {
    if (std::ranges::find(task.known.nodes, u) != task.known.nodes.end()) continue;
    first += static_cast<double>(values(u, 0));
    all += static_cast<double>(values(u, 0) + values(u, 1));
  }
  EXPECT_NEAR(first / all, 0.9, 1e-4);
}

TEST(FlowTask, SaysWhatIsMissing) {
  Threads threads(1);
  const auto refusal = [&](auto spoil) {
    FlowTask task = karate_task(threads);
    spoil(task);
    return error_text([&] { solve(task, threads); });
  };
  EXPECT_NE(refusal([](FlowTask& t) { t.known = {}; }).find("no label is known (split per-class 2,3"),
            std::string::npos);
  EXPECT_NE(refusal([](FlowTask& t) { t.dataset.graph = Graph::without_edges(34); }).find("no edges"),
            std::string::npos);
  EXPECT_NE(refusal([](FlowTask& t) { t.dataset.class_names.clear(); }).find("nothing to spread"),
            std::string::npos);
  EXPECT_NE(refusal([](FlowTask& t) {
              t.label_scale = std::numeric_limits<double>::quiet_NaN();
            }).find("a finite number"),
            std::string::npos);
  EXPECT_NE(refusal([](FlowTask& t) { t.options.laplacian.self_loop = -1; }).find("0 or more"),
            std::string::npos);
  EXPECT_NE(refusal([](FlowTask& t) { t.dataset.labels[at(t.split.test[0])] = kUnknown; }).find("no label"),
            std::string::npos);
}

TEST(FlowTask, RemarksOnMemoryOnlyWhereItIsMuch) {
  Threads threads(1);
  const FlowTask task = karate_task(threads);
  EXPECT_TRUE(memory_remarks(task, {.answer = 1000}, "less").empty());
  constexpr std::int64_t kHuge = std::int64_t{1} << 60;
  EXPECT_NE(error_text([&] {
              memory_remarks(task, {.states = kHuge, .least_states = 1}, "it goes in turns");
            }).find("it goes in turns, which fits"),
            std::string::npos);
  EXPECT_NE(error_text([&] { memory_remarks(task, {.answer = kHuge}, ""); }).find("a machine with more"),
            std::string::npos);
}

}  // namespace
}  // namespace heatfront
