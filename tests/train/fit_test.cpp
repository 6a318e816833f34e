// SPDX-License-Identifier: MIT
#include "heatfront/train/fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "heatfront/evaluate/calibration.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/label/session.h"
#include "heatfront/train/model_settings.h"
#include "heatfront/train/presets.h"
#include "support/error_text.h"
#include "support/small_data.h"

namespace heatfront {
namespace {

TEST(Fit, LearnsWhatFeaturesAndGraphTogetherTell) {
  Threads threads(1);
  const Dataset blocks = test::small_data("blocks:blocks=3,size=100", "per-class 5,20", threads);
  EXPECT_GT(fit(blocks, {.settings = {"epochs=60"}}, threads).training.best.test_accuracy, 0.85);
}

TEST(Fit, GivesTheSameBitsForAnyNumberOfThreads) {
  std::vector<TrainedModel> models;
  for (int count : {1, 2, 3, 8}) {
    Threads threads(count);
    const Dataset data =
        test::small_data("blocks:blocks=3,size=1000,inside=0.01,across=0.001", "per-class 5,20", threads);
    const FitOptions options{
        .settings = {"epochs=4", "edge_weights=free", "hidden=300,20", "dropout=0.9,0.2"}};
    models.push_back(fit(data, options, threads).model);
  }
  for (const TrainedModel& model : models) {
    EXPECT_EQ(model.weights, models.front().weights);
    EXPECT_EQ(model.theta, models.front().theta);
    for (std::int64_t u = 0; u < model.front.rows(); ++u) {
      ASSERT_TRUE(std::ranges::equal(model.front.row(u), models.front().front.row(u))) << "row " << u;
    }
  }
}

TEST(Fit, KeepsTheBestEpochByValidation) {
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=40", "per-class 5,10", threads);
  for (const char* select : {"validation-accuracy", "validation-loss", "macro-f1"}) {
    const Fit result = fit(data, {.settings = {"epochs=40", std::string("select=") + select}}, threads);
    ASSERT_EQ(result.training.history.size(), 40u);
    for (const EpochReport& report : result.training.history) {
      if (select == std::string("validation-loss")) {
        EXPECT_GE(report.validation_loss, result.training.best.validation_loss);
      } else if (select == std::string("macro-f1")) {
        EXPECT_LE(report.validation_macro_f1, result.training.best.validation_macro_f1);
      } else {
        EXPECT_LE(report.validation_accuracy, result.training.best.validation_accuracy);
      }
    }
    EXPECT_EQ(result.model.best_epoch, result.training.best.epoch);
  }
}

TEST(Fit, SoftensItsSharesAsSuitsTheValidationNodes) {
  Threads threads(1);
  const Dataset data =
      test::small_data("blocks:blocks=3,size=40,inside=0.1,across=0.04", "per-class 5,10", threads);
  const Fit result = fit(data, {.settings = {"epochs=5"}}, threads);  // so few that it is far too unsure
  ASSERT_LT(result.model.softening, 0.5);
  const Answer answer = Session(result.model, threads).solve();
  const JudgedShares judged = judged_shares(answer, data.labels, reached_of(answer, data.split->validation));
  EXPECT_DOUBLE_EQ(result.model.softening, fitted_softening(judged));
  for (NodeId u : data.split->test) {
    std::vector<double> shares = plain_shares(answer, u);
    scale_shares(result.model.softening, shares);
    EXPECT_NEAR(class_shares(answer, u)[at(answer.decisions.classes[at(u)])],
                static_cast<double>(answer.decisions.confidence[at(u)]), 1e-6);
    EXPECT_EQ(class_shares(answer, u), shares);
  }
}

TEST(Fit, StopsWhenAskedAndKeepsTheBestSoFar) {
  Threads threads(2);
  const Dataset data = test::small_data("blocks:blocks=3,size=40", "per-class 5,10", threads);
  const Fit result = fit(data, {.settings = {"epochs=100"}}, threads,
                         [](const EpochReport& report, const EpochReport&) { return report.epoch < 7; });
  EXPECT_TRUE(result.training.stopped);
  EXPECT_EQ(result.training.history.size(), 7u);
  EXPECT_EQ(result.model.front.rows(), 120);
}

TEST(Fit, StopsWhenItRunsOutOfPatience) {
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=40", "per-class 5,10", threads);
  const Fit result = fit(data, {.settings = {"epochs=1000", "patience=10"}}, threads);
  EXPECT_TRUE(result.training.out_of_patience);
  EXPECT_EQ(std::ssize(result.training.history), result.training.best.epoch + 10);
}

TEST(Fit, KeepsTheLastEpochThatIsBestInBothAndWaitsForEither) {
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=40", "per-class 5,10", threads);
  const Fit result =
      fit(data, {.settings = {"epochs=400", "patience=15", "select=validation-both", "learning_rate=0.05"}},
          threads);
  double accuracy = 0, loss = 1e9;
  std::int64_t kept = 0, hopeful = 0;
  for (const EpochReport& report : result.training.history) {
    const bool as_high = report.validation_accuracy >= accuracy, as_low = report.validation_loss <= loss;
    if (as_high && as_low) kept = report.epoch;
    if (as_high || as_low) hopeful = report.epoch;
    accuracy = std::max(accuracy, report.validation_accuracy);
    loss = std::min(loss, report.validation_loss);
  }
  EXPECT_EQ(result.training.best.epoch, kept);
  ASSERT_TRUE(result.training.out_of_patience);
  EXPECT_EQ(std::ssize(result.training.history), hopeful + 15);
}

TEST(Fit, RecordsEverySettingItUsed) {
  Threads threads(1);
  const Dataset data = test::small_data("karate", "per-class 2,3", threads);
  const Fit result = fit(data, {.settings = {"epochs=2", "time=3.5"}}, threads);
  EXPECT_EQ(result.model.heat_front_options().time, 3.5);
  EXPECT_NE(std::ranges::find(result.model.options, "epochs = 2"), result.model.options.end());
  EXPECT_EQ(result.preset, "none");
}

TEST(Fit, TrainsWithEverySolverForATime) {
  Threads threads(1);
  const Dataset data = test::small_data("blocks:blocks=3,size=20,inside=0.3", "per-class 5,5", threads);
  for (const char* solver : {"chebyshev", "krylov", "dopri5", "bosh3", "rk4", "heun"}) {
    const Fit result = fit(
        data,
        {.settings = {"epochs=5", "tolerance=1e-3", std::string("solver=") + solver, "edge_weights=free"}},
        threads);
    const Fit reference = fit(data, {.settings = {"epochs=5", "edge_weights=free"}}, threads);
    EXPECT_NEAR(result.training.history.back().loss, reference.training.history.back().loss, 0.02) << solver;
  }
}

TEST(Fit, SurvivesAnEmptyClassIsolatedNodesAndNoValidation) {
  Threads threads(1);
  Dataset data = test::small_data("karate", "per-class 3,0", threads);
  data.class_names.push_back("nobody");
  const Fit result = fit(data, {.settings = {"epochs=5"}}, threads);
  EXPECT_EQ(result.training.best.epoch, 5) << "without validation the last epoch is kept";
  EXPECT_EQ(result.model.front.cols(), 3);
}

TEST(Fit, RefusesDataItCannotLearnFrom) {
  Threads threads(1);
  Dataset data = test::small_data("karate", "per-class 2,3", threads);
  const auto error = [&](const FitOptions& options) {
    return test::error_text([&] { fit(data, options, threads); });
  };
  EXPECT_TRUE(error({.model = "heatfront"})
                  .starts_with("unknown model 'heatfront' (did you mean 'heat-front'?); choose from: "));
  EXPECT_TRUE(
      error({.settings = {"epoch=3"}})
          .starts_with(
              "--set epoch=3: unknown option 'epoch' (did you mean 'epochs'?); choose from: epochs,"));
  EXPECT_EQ(error({.settings = {"select=test"}}),
            "--set select=test: select is 'test', but must be validation-accuracy, validation-loss, "
            "validation-both or macro-f1");
  EXPECT_TRUE(
      error({.settings = {"learning_rate=1e300", "epochs=50"}}).ends_with("a lower learning_rate may help"));
  data.split.reset();
  EXPECT_EQ(error({}), "karate has no split that says which labels train");
}

TEST(EveryPreset, SetsOptionsThatExist) {
  for (const Preset& preset : presets()) {
    const ModelSettings settings(preset.model);
    EXPECT_EQ(apply_preset({}, preset.model, preset.name, settings.fields), preset.name);
    EXPECT_GE(settings.training.epochs, 1) << preset.name;
  }
}

TEST(Presets, OfOneModelAloneSayWhichModelItIs) {
  EXPECT_EQ(model_with_preset("cora", "heat-front"), "heat-front");
  EXPECT_EQ(model_with_preset("cora", "gcn"), "gcn");
  EXPECT_EQ(model_with_preset("cora_mixing", "heat-front"), "cgnn");
  EXPECT_EQ(model_with_preset("settings.txt", "heat-front"), "heat-front") << "a file, perhaps";
}

TEST(Presets, OfThePapersDataHaveOneThatIsBest) {
  for (const Preset& preset : presets()) {
    if (preset.model != "gat") continue;  // it has one for each of the six
    const std::string name = std::string(preset.name) + "-best";
    EXPECT_TRUE(is_preset(name, model_with_preset(name, "heat-front"))) << name;
  }
}

TEST(Presets, AreRefusedByAWrongName) {
  EXPECT_EQ(test::error_text([] { apply_preset({"corra"}, "appnp", "x", {}); }),
            "preset 'corra': no such file, and no such preset for appnp; choose from: citeseer, cora, "
            "pubmed, none");
}

}  // namespace
}  // namespace heatfront
