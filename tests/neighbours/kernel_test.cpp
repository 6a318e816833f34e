// SPDX-License-Identifier: MIT
#include "heatfront_neighbours/kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/error_text.h"

namespace heatfront {
namespace {

using Ids = std::vector<NodeId>;
using Weights = std::vector<Real>;

// Points 0, 1, 3 on a line and their nearest: 0 → 1, 1 → 0, 2 → 1 at distances 1, 1, 2.
Neighbours three_on_a_line() { return {.points = 3, .k = 1, .ids = {1, 0, 1}, .distances = {1, 1, 2}}; }

NeighbourGraph joined(const Neighbours& neighbours, const KernelOptions& options) {
  Threads threads(2);
  return neighbour_graph(neighbours, options, threads);
}

void expect_weights(const NeighbourGraph& result, const std::vector<double>& expected) {
  ASSERT_EQ(result.weights.size(), expected.size());
  for (std::size_t a = 0; a < expected.size(); ++a) {
    EXPECT_NEAR(static_cast<double>(result.weights[a]), expected[a], 1e-7);
  }
}

TEST(NeighbourGraph, HasAnEdgeFoundFromEitherEndOrFromBoth) {
  const auto either = joined(three_on_a_line(), {.kernel = Kernel::binary});
  EXPECT_EQ(either.graph, Graph({0, 1, 3, 4}, {1, 0, 2, 1}));
  EXPECT_TRUE(either.weights.empty());
  const auto both = joined(three_on_a_line(), {.kernel = Kernel::binary, .joining = Joining::mutual});
  EXPECT_EQ(both.graph, Graph({0, 1, 2, 2}, {1, 0}));
}

TEST(NeighbourGraph, RbfTakesTheMeanDistanceToTheLastNeighbourAsSigma) {
  const auto result = joined(three_on_a_line(), {});
  ASSERT_TRUE(result.sigma.has_value());
  EXPECT_NEAR(*result.sigma, 4.0 / 3, 1e-12);
  const double near = std::exp(-9.0 / 16), far = std::exp(-4 * 9.0 / 16);
  expect_weights(result, {near, near, far, far});
  EXPECT_EQ(result.lifted, 0);
}

TEST(NeighbourGraph, RbfTakesAGivenSigma) {
  const auto result = joined(three_on_a_line(), {.sigma = 2});
  EXPECT_EQ(result.sigma, 2);
  expect_weights(result, {std::exp(-0.25), std::exp(-0.25), std::exp(-1), std::exp(-1)});
}

TEST(NeighbourGraph, SelfTuningDividesByTheScalesOfBothEnds) {
  const auto result = joined(three_on_a_line(), {.kernel = Kernel::self_tuning});
  expect_weights(result, {std::exp(-1), std::exp(-1), std::exp(-2), std::exp(-2)});  // σ = 1, 1, 2
  EXPECT_FALSE(result.sigma.has_value());
}

TEST(NeighbourGraph, CosineIsTheCosineAndNeverNegative) {
  const Neighbours neighbours{.points = 3,
                              .k = 2,
                              .metric = Metric::cosine,
                              .ids = {1, 2, 0, 2, 1, 0},
                              .distances = {1, 2, 1, 1, 1, 2}};
  const auto result = joined(neighbours, {.kernel = Kernel::cosine});
  EXPECT_EQ(result.graph.edges(), 3);
  EXPECT_EQ(result.weights, (Weights{0.5, kLeastWeight, 0.5, 0.5, kLeastWeight, 0.5}));
  EXPECT_EQ(result.lifted, 1);
  EXPECT_EQ(test::error_text([] { joined(three_on_a_line(), {.kernel = Kernel::cosine}); }),
            "kernel 'cosine' needs neighbours by the cosine metric");
}

TEST(NeighbourGraph, LosesNoEdgeToUnderflow) {
  const auto result = joined(three_on_a_line(), {.sigma = 0.01});
  EXPECT_EQ(result.graph.edges(), 2);
  EXPECT_EQ(result.weights, Weights(4, kLeastWeight));
  EXPECT_EQ(result.lifted, 2);
}

TEST(NeighbourGraph, OfDuplicatesHasWeightOne) {
  const Neighbours same{.points = 3, .k = 2, .ids = {1, 2, 0, 2, 0, 1}, .distances = Weights(6, 0)};
  for (const Kernel kernel : {Kernel::rbf, Kernel::self_tuning}) {
    EXPECT_TRUE(joined(same, {.kernel = kernel}).weights.empty());  // all 1
  }
  EXPECT_EQ(joined(same, {}).sigma, 0);
  // Two duplicates and a point beside them: a scale of 0 against a distance above it.
  const Neighbours beside{.points = 3, .k = 1, .ids = {1, 0, 0}, .distances = {0, 0, 1}};
  EXPECT_EQ(joined(beside, {.kernel = Kernel::self_tuning}).weights,
            (Weights{1, kLeastWeight, 1, kLeastWeight}));
}

TEST(Kernels, AreFoundByNameAndListedWhenMisspelt) {
  for (const KernelEntry& entry : kernels()) EXPECT_EQ(find_kernel(entry.name).kernel, entry.kernel);
  EXPECT_EQ(test::error_text([] { find_kernel("rbff"); }),
            "unknown kernel 'rbff' (did you mean 'rbf'?); choose from: rbf, self-tuning, cosine, binary");
  for (const JoiningEntry& entry : joinings()) EXPECT_EQ(find_joining(entry.name).joining, entry.joining);
  EXPECT_EQ(test::error_text([] { find_joining(""); }), "unknown joining ''; choose from: union, mutual");
}

TEST(Kernels, RefuseASigmaThatTheyCannotUse) {
  const auto text = [](const KernelOptions& options) {
    return test::error_text([&] { joined(three_on_a_line(), options); });
  };
  EXPECT_EQ(text({.kernel = Kernel::binary, .sigma = 1}), "kernel 'binary' has no sigma; leave it out");
  EXPECT_EQ(text({.sigma = 0}), "sigma is 0; it must be a positive number, or auto");
  EXPECT_NE(text({.sigma = std::numeric_limits<double>::quiet_NaN()}), "");
}

}  // namespace
}  // namespace heatfront
