// SPDX-License-Identifier: MIT
#include "heatfront/flow/labelled_flow.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/error_text.h"
#include "support/reference.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

using test::dense_of;
using test::RandomProblem;

constexpr ClassId kLabelled = 3;

void expect_same(const Answer& answer, const Answer& expected) {
  EXPECT_EQ(dense_of(answer.temperatures.values).values, dense_of(expected.temperatures.values).values);
  EXPECT_EQ(answer.temperatures.column_errors, expected.temperatures.column_errors);
  EXPECT_EQ(answer.decisions.classes, expected.decisions.classes);
  EXPECT_EQ(answer.decisions.confidence, expected.decisions.confidence);
  EXPECT_EQ(answer.decisions.margin, expected.decisions.margin);
  EXPECT_EQ(answer.decisions.status, expected.decisions.status);
  EXPECT_EQ(answer.decisions.counts, expected.decisions.counts);
}

TEST(LabelledFlow, AnswersWithEveryChangeAsIfAllWereMadeAnew) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const RandomProblem random(seed, 40, kLabelled);
    const Matrix front = test::random_front(random.graph.nodes(), kLabelled, seed);
    const Matrix wide = test::random_front(random.graph.nodes(), kLabelled + 1, seed);
    const KnownLabels none, two{{3, 8}, {0, 2}}, others{{0, 8, 20}, {1, 1, 0}}, added{{5}, {kLabelled}};
    for (const double time : {2.0, FlowOptions::kForever}) {
      Threads threads(2);
      const FlowOptions options{.time = time};
      LabelledFlow kept(
          {.graph = random.graph, .weights = random.weights, .classes = kLabelled, .known = none}, options,
          threads);
      const auto expect_as_anew = [&](const KnownLabels& known) {
        expect_same(kept.solve(known), solve_and_decide(kept.problem(known), options, threads));
      };
      for (const KnownLabels* known : {&two, &others, &none, &two}) expect_as_anew(*known);
      kept.set_front(front, kLabelled);
      for (const KnownLabels* known : {&others, &none}) expect_as_anew(*known);
      kept.set_label_scale(3);
      expect_as_anew(others);
      kept.set_front(wide, kLabelled + 1);
      for (const KnownLabels* known : {&added, &two}) expect_as_anew(*known);
      kept.set_front({}, kLabelled);
      expect_as_anew(two);
    }
  }
}

TEST(LabelledFlow, SaysWhatIsWrongAndStaysAsItWas) {
  const RandomProblem random(1, 40, kLabelled);
  const KnownLabels none, two{{3, 8}, {0, 2}};
  Threads threads(1);
  LabelledFlow flow({.graph = random.graph, .weights = random.weights, .classes = kLabelled, .known = none},
                    {.time = 2}, threads);
  const Answer before = flow.solve(two);
  const auto refuses = [&](const auto& change, std::string_view text) {
    const std::string error = test::error_text(change);
    EXPECT_NE(error.find(text), std::string::npos) << error;
    expect_same(flow.solve(two), before);
  };
  refuses([&] { flow.set_front({}, 0); }, "0 classes");
  refuses([&] { flow.set_front(test::random_front(39, kLabelled, 1), kLabelled); }, "39 rows");
  refuses([&] { flow.set_label_scale(1e9); }, "label scale 1000000000");
  refuses([&] { flow.solve({{3, 3}, {0, 0}}); }, "known twice");
  refuses([&] { flow.solve({{3}, {kLabelled}}); }, "classes of known labels");
}

}  // namespace
}  // namespace heatfront
