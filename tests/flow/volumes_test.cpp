// SPDX-License-Identifier: MIT
#include "heatfront/flow/volumes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "heatfront/base/random.h"
#include "heatfront/flow/decide.h"
#include "heatfront/models/model.h"
#include "support/error_text.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

using test::error_text;

Matrix random_scores(std::uint64_t seed, NodeId nodes, ClassId classes) {
  Matrix scores(nodes, classes);
  const Random random(seed);
  for (NodeId u = 0; u < nodes; ++u) {
    for (ClassId c = 0; c < classes; ++c)
      scores(u, c) = static_cast<Real>(random.uniform(static_cast<std::uint64_t>(u * classes + c)));
  }
  return scores;
}

double value_of(const Matrix& scores, const std::vector<ClassId>& classes) {
  double sum = 0;
  for (std::size_t u = 0; u < classes.size(); ++u)
    sum += static_cast<double>(scores(static_cast<NodeId>(u), classes[u]));
  return sum;
}

bool is_within(const std::vector<ClassId>& classes, const ClassVolumes& volumes) {
  for (std::size_t c = 0; c < volumes.least.size(); ++c) {
    const auto size = std::ranges::count(classes, static_cast<ClassId>(c));
    if (size < volumes.least[c] || size > volumes.most[c]) return false;
  }
  return true;
}

// Of all that there are.
double best_of_all(const Matrix& scores, const KnownLabels& known, const ClassVolumes& volumes) {
  const auto n = static_cast<std::size_t>(scores.rows());
  const auto classes = static_cast<unsigned>(scores.cols());
  std::size_t all = 1;
  for (std::size_t u = 0; u < n; ++u) all *= classes;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t code = 0; code < all; ++code) {
    std::vector<ClassId> tried(n);
    std::size_t rest = code;
    for (std::size_t u = 0; u < n; ++u, rest /= classes) tried[u] = static_cast<ClassId>(rest % classes);
    bool fits = is_within(tried, volumes);
    for (std::size_t i = 0; i < known.nodes.size(); ++i)
      fits = fits && tried[at(known.nodes[i])] == known.classes[i];
    if (fits) best = std::max(best, value_of(scores, tried));
  }
  return best;
}

TEST(Assignment, IsTheBestOfAllWithinItsVolumes) {
  const KnownLabels known{.nodes = {2}, .classes = {1}};
  const std::vector<ClassVolumes> bounds = {{{2, 2, 3}, {2, 2, 3}}, {{0, 1, 5}, {7, 7, 7}},
                                            {{0, 1, 0}, {1, 2, 4}}, {{3, 1, 0}, {3, 7, 1}},
                                            {{0, 4, 1}, {1, 5, 7}}, {{0, 0, 0}, {7, 7, 7}}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix scores = random_scores(seed, 7, 3);
    for (const ClassVolumes& volumes : bounds) {
      const Assignment found = assign(scores, known, volumes);
      EXPECT_TRUE(is_within(found.classes, volumes));
      EXPECT_EQ(found.classes[2], 1);
      EXPECT_NEAR(value_of(scores, found.classes), best_of_all(scores, known, volumes), 1e-6) << seed;
    }
  }
}

TEST(Assignment, IsProvedByItsPrices) {
  const Matrix scores = random_scores(7, 600, 5);
  const ClassVolumes volumes{.least = {200, 0, 100, 50, 0}, .most = {200, 60, 150, 50, 600}};
  const Assignment found = assign(scores, {}, volumes);
  EXPECT_TRUE(is_within(found.classes, volumes));
  EXPECT_GT(found.moves, 0);
  for (NodeId u = 0; u < 600; ++u) {
    const auto gain = [&](ClassId c) { return static_cast<double>(scores(u, c)) - found.prices[at(c)]; };
    for (ClassId c = 0; c < 5; ++c) EXPECT_GE(gain(found.classes[at(u)]), gain(c) - 1e-6);
  }
}

TEST(Assignment, WithoutBoundsThatBindIsTheWarmestClass) {
  const Matrix scores = random_scores(3, 50, 4);
  const Assignment found = assign(scores, {}, {.least = {0, 0, 0, 0}, .most = {50, 50, 50, 50}});
  EXPECT_EQ(found.classes, warmest_classes(scores));
  EXPECT_EQ(found.moves, 0);
}

TEST(Assignment, RefusesVolumesThatCannotBe) {
  const Matrix scores = random_scores(3, 5, 2);
  const auto refusal = [&](const ClassVolumes& volumes) {
    return error_text([&] { assign(scores, {.nodes = {0, 1}, .classes = {0, 0}}, volumes); });
  };
  EXPECT_EQ(refusal({{0, 0}, {1, 5}}), "class 0: at most 1 nodes, but 2 are known to be of it");
  EXPECT_EQ(refusal({{0, 0}, {2, 2}}),
            "class sizes: all classes together have from 2 to 4 nodes, but the graph has 5");
  EXPECT_EQ(refusal({{3, 1}, {2, 2}}),
            "class 0: sizes from 3 to 2; they must be 0 or more, the larger one last");
}

TEST(ThresholdDynamics, KeepsLabelsAndVolumesAndComesToRest) {
  Threads threads(2);
  const Dataset karate = test::small_data("karate", "per-class 1,3", threads);
  const KnownLabels known{.nodes = {0, 33}, .classes = {karate.labels[0], karate.labels[33]}};
  const DirichletProblem problem{.graph = karate.graph, .classes = 2, .known = known};
  const ClassVolumes volumes{.least = {17, 17}, .most = {17, 17}};
  const VolumeAnswer found =
      threshold_dynamics(problem, solve_dirichlet(problem, {}, threads), volumes, {}, {}, threads);
  EXPECT_EQ(found.changed, 0);
  EXPECT_TRUE(is_within(found.classes, volumes));
  EXPECT_EQ(found.classes[33], known.classes[1]);
  std::int64_t right = 0;
  for (std::size_t u = 0; u < 34; ++u) right += found.classes[u] == karate.labels[u];
  EXPECT_GE(right, 32);
}

// One class has fifty times the heat of the other everywhere, and noise in it that is more than all of the other's.
TEST(ThresholdDynamics, BeginsWithWhatAClassHasBeyondItsOwnLevel) {
  Threads threads(1);
  const Dataset blocks =
      test::small_data("blocks:blocks=2,size=30,inside=0.3,across=0.1", "per-class 1,3", threads);
  const KnownLabels known = training_labels(blocks);
  Temperatures heat{.values = Matrix(60, 2)};
  for (NodeId u = 0; u < 60; ++u) {
    heat.values(u, 0) = static_cast<Real>(50 * (1 + 0.1 * Random(1).normal(at(u))));
    heat.values(u, 1) = static_cast<Real>(1 + blocks.labels[at(u)]);
  }
  const VolumeAnswer found =
      threshold_dynamics({.graph = blocks.graph, .classes = 2, .known = known}, std::move(heat),
                         {.least = {30, 30}, .most = {30, 30}}, {}, {.time = 1e-6}, threads);
  EXPECT_EQ(found.classes, blocks.labels);
}

}  // namespace
}  // namespace heatfront
