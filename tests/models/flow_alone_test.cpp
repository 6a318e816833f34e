// SPDX-License-Identifier: MIT
#include "heatfront/models/flow_alone.h"

#include <gtest/gtest.h>

#include "heatfront/label/explain.h"
#include "heatfront/label/flow_task.h"
#include "heatfront/train/fit.h"
#include "support/reference.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

Dataset few_labels(Threads& threads) {
  return test::small_data("blocks:blocks=3,size=40,inside=0.1,across=0.02", "per-class 2,3", threads);
}

TEST(FlowAlone, AnswersWithFewLabelsAsSolveDoes) {
  Threads threads(2);
  const Dataset data = few_labels(threads);
  Session session(fit(data, {.model = "flow-alone"}, threads).model, threads);
  EXPECT_EQ(session.model().chosen(), "1000 with class masses");
  FlowTask task{.dataset = data, .split = *data.split, .known_from = "train", .chooses_time = true};
  task.known = known_labels(data, task.split, *find_known_source("train"));
  const Answer flow = solve(task, threads).answer, answer = session.solve();
  EXPECT_EQ(answer.decisions.classes, flow.decisions.classes);
  EXPECT_LT(test::largest_difference(test::dense_of(answer.temperatures.values),
                                     test::dense_of(flow.temperatures.values)),
            1e-3);
}

TEST(FlowAlone, TakesTheTimeThatIsGivenHoweverFewTheLabels) {
  Threads threads(1);
  const Fit given = fit(few_labels(threads), {.model = "flow-alone", .settings = {"time=5"}}, threads);
  EXPECT_EQ(given.model.chosen(), "5");
}

TEST(FlowAlone, ExplainsClassMassesByTheLabels) {
  Threads threads(1);
  Session session(fit(few_labels(threads), {.model = "flow-alone"}, threads).model, threads);
  const std::vector<NodeId> nodes = {session.model().known.nodes.front(), 5, 70};
  for (const Explanation& e : explain(session, session.solve(), nodes, {})) {
    double largest = 0;
    for (double x : e.temperatures) largest = std::max(largest, x);
    EXPECT_GT(largest, 0);
    EXPECT_LT(e.residual, 1e-3 * largest);
  }
}

}  // namespace
}  // namespace heatfront
