// SPDX-License-Identifier: MIT
#include "heatfront/flow/dirichlet.h"

#include <gtest/gtest.h>

#include "support/reference.h"

namespace heatfront {
namespace {

using test::dense_of;
using test::RandomProblem;

constexpr double kRounding = sizeof(Real) == 8 ? 1e-12 : 1e-5;
constexpr ClassId kReorderedClasses = 5;

KnownLabels labels_of(const RandomProblem& random) {
  KnownLabels known{.nodes = random.known};
  for (NodeId u : random.known) known.classes.push_back(u % kReorderedClasses);
  return known;
}

// Weighted and not, clamped and free, with and without a front; the random graphs have several components.
template <class Check>
void for_problems(const Check& check) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const RandomProblem random(seed, 80, kReorderedClasses);
    const KnownLabels known = labels_of(random);
    const DirichletProblem problem{.graph = random.graph,
                                   .weights = random.weights,
                                   .classes = kReorderedClasses,
                                   .known = known,
                                   .front = seed % 4 < 2 ? random.front.view() : ConstMatrixView{},
                                   .label_scale = 2,
                                   .free = seed >= 4};
    for (Reordering reorder : {Reordering::rcm, Reordering::degree}) check(problem, reorder);
  }
}

TEST(ReorderedFlow, HasTheSameTemperaturesUpToRounding) {
  Threads threads(2);
  for_problems([&](const DirichletProblem& problem, Reordering reorder) {
    const Temperatures plain = solve_dirichlet(problem, {.time = 3}, threads);
    const Temperatures found = solve_dirichlet(problem, {.time = 3, .reorder = reorder}, threads);
    EXPECT_LT(largest_difference(dense_of(found.values), dense_of(plain.values)), kRounding);
    EXPECT_EQ(found.report.products, plain.report.products);
  });
}

TEST(ReorderedFlow, HasTheSameCurveUpToRounding) {
  Threads threads(2);
  const std::vector<double> times = {0.5, 2, 9};
  for_problems([&](const DirichletProblem& problem, Reordering reorder) {
    std::vector<test::Dense> plain;
    flow_curve(problem, {}, times, threads, [&](double, const Temperatures& at) {
      plain.push_back(dense_of(at.values));
      return true;
    });
    std::size_t visited = 0;
    flow_curve(problem, {.reorder = reorder}, times, threads, [&](double time, const Temperatures& at) {
      EXPECT_EQ(time, times[visited]);
      EXPECT_LT(largest_difference(dense_of(at.values), plain[visited]), kRounding);
      EXPECT_EQ(at.column_errors.size(), static_cast<std::size_t>(kReorderedClasses));
      ++visited;
      return true;
    });
    EXPECT_EQ(visited, times.size());
  });
}

}  // namespace
}  // namespace heatfront
