// SPDX-License-Identifier: MIT
#include "heatfront/train/retrain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/small_data.h"

namespace heatfront {
namespace {

// Features tell the groups apart, edges do not. Trained on eight labels per group; of the others, so many hold their own since.
struct Grown {
  Threads threads{2};
  Dataset data = test::small_data("blocks:blocks=3,size=30,inside=0.02,across=0.02,features=12,signal=4",
                                  "per-class 8,0", threads);
  TrainedModel model;

  explicit Grown(const std::string& settings, std::size_t later) {
    const std::vector<NodeId> others = data.split->test;
    data.split->test.clear();
    Dataset known = data;
    for (NodeId u : others) known.labels[at(u)] = kUnknown;
    model =
        fit(known, {.model = "heat-front", .preset = {.name = "none"}, .settings = {"epochs=30", settings}},
            threads)
            .model;
    for (std::size_t i = 0; i < later; ++i) {
      model.known.nodes.push_back(others[i]);
      model.known.classes.push_back(data.labels[at(others[i])]);
    }
  }
};

double largest_step(const Matrix& before, const Matrix& after) {
  double most = 0;
  for (std::int64_t u = 0; u < before.rows(); ++u)
    for (std::int64_t c = 0; c < before.cols(); ++c)
      most = std::max(most, std::abs(static_cast<double>(after(u, c) - before(u, c))));
  return most;
}

// Training that hardly moves: what went on is where it was, and anew is where chance put it.
TEST(TrainFurther, GoesOnFromTheParametersThatTheModelHas) {
  Grown grown("patience=0", 30);
  grown.model.set_option("learning_rate", "1e-9");
  const TrainedFurther result = train_further(grown.model, grown.threads);
  EXPECT_TRUE(result.went_on);
  EXPECT_EQ(result.judged, 30);
  EXPECT_FALSE(result.by_validation);
  EXPECT_GT(result.on, result.anew);
  EXPECT_EQ(result.fit.model.known.nodes.size(), grown.model.known.nodes.size());
  EXPECT_LT(largest_step(grown.model.front, result.fit.model.front), 1e-3);
  EXPECT_GT(largest_step(grown.model.front, retrain(grown.model, grown.threads).model.front), 1e-2);
}

TEST(TrainFurther, TrainsAnewAndSaysHowGoodItIsWhereFewLabelsHaveCome) {
  Grown grown("patience=0", 9);
  const TrainedFurther result = train_further(grown.model, grown.threads);
  EXPECT_FALSE(result.went_on);
  EXPECT_EQ(result.judged, 0);
  EXPECT_TRUE(std::isnan(result.on));
  EXPECT_EQ(result.fit.model.left_out.nodes.size(), grown.model.known.nodes.size());
}

TEST(TrainFurther, SolvesAnewWhatIsSolved) {
  Threads threads(1);
  Dataset data = test::small_data("blocks:blocks=3,size=20,inside=0.3,across=0.02,features=12,signal=2",
                                  "per-class 8,0", threads);
  const TrainedModel model = fit(data, {.model = "linear-front"}, threads).model;
  const TrainedFurther result = train_further(model, threads);
  EXPECT_FALSE(result.went_on);
  EXPECT_EQ(largest_step(model.front, result.fit.model.front), 0);
}

}  // namespace
}  // namespace heatfront
