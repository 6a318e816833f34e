// SPDX-License-Identifier: MIT
#include "heatfront_experiment/compare/compare.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_report/comparison_report.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

Dataset blocks() {
  Threads threads(1);
  return open_dataset("blocks:size=20", {}, threads);
}

CompareOptions options_for(std::vector<std::string> models) {
  return {.models = std::move(models), .split = "per-class 3,5", .runs = 4, .seed = 0, .record = {}};
}

TEST(Compare, RunsEveryModelOnTheSameSplitsAndOrdersThemByTheirMeans) {
  Threads threads(2);
  const Comparison result =
      compare(blocks(), options_for({"gcn epochs=3", "label-propagation", "heat-front epochs=3"}), threads);
  ASSERT_EQ(result.models.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(result.models[i].runs.size(), 4u);
    for (std::size_t run = 0; run < 4; ++run)
      EXPECT_EQ(result.models[i].runs[run].split, result.models[0].runs[run].split);
  }
  EXPECT_GE(result.models[0].test.mean, result.models[1].test.mean);
  EXPECT_GE(result.models[1].test.mean, result.models[2].test.mean);
  EXPECT_NE(result.models[0].runs[0].split, result.models[0].runs[1].split);
  ASSERT_EQ(result.pairs.size(), 3u);
  EXPECT_NEAR(result.pairs[1].difference.mean, result.models[0].test.mean - result.models[2].test.mean,
              1e-12);
}

TEST(Compare, WidensIntervalsForTrainingNodesThatRunsShare) {
  Threads threads(2);
  CompareOptions options = options_for({"label-propagation", "flow-alone"});
  options.choose = Choosing::presets;
  const Comparison drawn = compare(blocks(), options, threads);
  // per-class 3,5 of three blocks of 20: 9 train and 36 test; by hand t_3(0.95) = 3.1824
  EXPECT_DOUBLE_EQ(drawn.dependence, 36.0 / 9);
  const PairedDifference& difference = drawn.pairs[0].difference;
  EXPECT_NEAR(difference.high - difference.mean, 3.1824 * difference.deviation * std::sqrt(1.0 / 4 + 4),
              1e-4);
  Dataset data = blocks();
  data.split = choose_split(data, "per-class 3,5", 0);
  options.split.clear();
  EXPECT_EQ(compare(data, options, threads).dependence, 0);
}

TEST(Compare, ChoosesTheSettingsOfEveryModelByFoldsAndKnowsAuto) {
  Threads threads(2);
  CompareOptions options = options_for({"auto", "gcn epochs=3", "label-propagation"});
  options.runs = 2;
  const Comparison result = compare(blocks(), options, threads);
  for (const ComparedModel& model : result.models) {
    for (const TableRun& run : model.runs) {
      EXPECT_EQ(run.selected_by, "folds");
      EXPECT_TRUE(std::isnan(run.validation_accuracy));
      EXPECT_NE(run.preset, "") << model.name;
    }
    ASSERT_EQ(model.classes.size(), 3u);
    EXPECT_EQ(model.classes[0].nodes, 2 * 12);
  }
  EXPECT_FALSE(result.uneven);
  EXPECT_NEAR(result.always, 1.0 / 3, 1e-12);
  options.models[0] = "auto epochs=3";
  EXPECT_EQ(test::error_text([&] { compare(blocks(), options, threads); }),
            "'auto epochs=3': auto has no settings of its own; name the model that they are for");
}

TEST(Compare, GoesOnWithItsRecordAndGivesTheSameForAnyNumberOfThreads) {
  const test::TemporaryFolder folder;
  Threads one(1), two(2);
  CompareOptions options = options_for({"gcn epochs=3", "label-propagation"});
  options.choose = Choosing::presets;
  const Comparison whole = compare(blocks(), options, one);
  options.record = folder / "runs.jsonl";
  int told = 0;
  EXPECT_THROW(compare(blocks(), options, one, [&](const Progress&) { return ++told < 7; }), Interrupted);
  const Comparison resumed = compare(blocks(), options, two);
  EXPECT_GT(resumed.runs_before, 0);
  EXPECT_LT(resumed.runs_before, 8);
  const auto without_times = [](std::string csv) {
    std::string text;
    for (std::size_t at = 0, end; at < csv.size(); at = end + 1) {
      end = csv.find('\n', at);
      text += csv.substr(at, csv.rfind(',', end) - at) + "\n";
    }
    return text;
  };
  EXPECT_EQ(without_times(csv_of(resumed)), without_times(csv_of(whole)));
  EXPECT_EQ(verdict(resumed), verdict(whole));
  EXPECT_EQ(compare(blocks(), options, two).runs_before, 8);
}

TEST(Compare, NamesModelAndSeedOfARunThatFails) {
  Threads threads(1);
  const CompareOptions options = options_for({"label-propagation", "gcn learning_rate=1e300"});
  const std::string error = test::error_text([&] { compare(blocks(), options, threads); });
  EXPECT_TRUE(error.starts_with("gcn learning_rate=1e300, seed 0: epoch ")) << error;
}

// A comparison of models with these accuracies.
Comparison made_of(const std::vector<std::vector<double>>& accuracies, Splits splits) {
  Comparison comparison;
  for (std::size_t i = 0; i < accuracies.size(); ++i) {
    ComparedModel model{
        .name = std::string(1, static_cast<char>('a' + i)), .runs = {}, .test = spread_of(accuracies[i])};
    model.runs.resize(accuracies[i].size());
    comparison.models.push_back(std::move(model));
    if (i > 0) comparison.pairs.push_back({0, i, paired_difference(accuracies[0], accuracies[i], 0.95), 7});
  }
  comparison.splits = splits;
  return comparison;
}

TEST(Verdict, SaysWhichIsBetterOrThatTheRunsCannotTell) {
  const std::vector<double> best = {0.9, 0.91, 0.92};
  EXPECT_EQ(verdict(made_of({best, {0.8, 0.81, 0.82}}, Splits::drawn)),
            "a is better than b, by 10.0 points of test accuracy on average. Runs share training nodes, so "
            "the intervals are wider.");
  EXPECT_EQ(verdict(made_of({{0.9, 0.8, 0.9}, {0.8, 0.9, 0.8}}, Splits::drawn)),
            "These runs cannot tell a from b (about 7 would). Runs share training nodes, so the "
            "intervals are wider.");
  EXPECT_EQ(verdict(made_of({best, {0.8, 0.81, 0.82}, {0.7, 0.71, 0.72}, {0.91, 0.9, 0.92}}, Splits::folds)),
            "a is better than b and c, by 10.0 to 20.0 points of test accuracy on average. These runs cannot "
            "tell a from d (about 7 would). Runs share training nodes, so the intervals are wider.");
}

TEST(Verdict, SaysWhenItIsOfOneSplitAlone) {
  EXPECT_NE(verdict(made_of({{0.9, 0.91}, {0.8, 0.82}}, Splits::one)).find("for one split alone"),
            std::string::npos);
}

TEST(Verdict, SaysWhenEveryRunWasTheSame) {
  Threads threads(2);
  Dataset data = blocks();
  data.split = choose_split(data, "per-class 2,3", 0);
  CompareOptions options = options_for({"label-propagation", "label-propagation variant=zhou alpha=0.1"});
  options.split.clear();
  options.choose = Choosing::presets;
  options.runs = 5;
  const Comparison same = compare(data, options, threads);
  ASSERT_EQ(same.models[0].runs[0].test_accuracy, same.models[0].runs[4].test_accuracy);
  EXPECT_TRUE(same.pairs[0].repeated);
  EXPECT_FALSE(same.pairs[0].tells());
  EXPECT_EQ(verdict(same),
            fmt::format(
                "Every run was the same in how {} differs from {}, so these runs cannot tell what is chance; "
                "another split for each run would: --split \"percent 40,40\".",
                same.models[0].name, same.models[1].name));
  EXPECT_NE(
      markdown_of(same, data, "c").find(" (every run) | every run the same: nothing is known of chance |"),
      std::string::npos)
      << markdown_of(same, data, "c");
  options.split = "per-class 2,3";
  EXPECT_FALSE(compare(data, options, threads).pairs[0].repeated) << "another split for each run";
}

TEST(Verdict, SaysOfOtherModelsWhatItCanBesideRepeatedRuns) {
  Comparison some = made_of({{0.9, 0.9}, {0.8, 0.8}, {0.7, 0.72}}, Splits::one);
  some.pairs[0].repeated = true;
  EXPECT_TRUE(verdict(some).ends_with("--split \"percent 40,40\". All this holds for one split alone."))
      << verdict(some);
  EXPECT_EQ(verdict(some).find("better than b"), std::string::npos) << verdict(some);
}

TEST(Compare, SaysHowManyRunsWouldTell) {
  Threads threads(2);
  CompareOptions options = options_for({"label-propagation", "gcn epochs=2"});
  options.choose = Choosing::presets;
  options.split = "percent 70,10";
  options.runs = 2;
  ComparedPair pair;
  double dependence = 0;
  for (; pair.runs_needed <= 3 && options.seed < 40; options.seed += 2) {
    const Comparison result = compare(blocks(), options, threads);
    pair = result.pairs[0];
    dependence = result.dependence;
  }
  ASSERT_FALSE(pair.tells());
  ASSERT_GT(pair.runs_needed, 3);
  const auto half = [&](std::int64_t runs) {
    return student_quantile(0.95, static_cast<int>(runs) - 1) * pair.difference.deviation *
           std::sqrt(1 / static_cast<double>(runs) + dependence);
  };
  EXPECT_LT(half(pair.runs_needed), pair.difference.mean);
  EXPECT_GE(half(pair.runs_needed - 1), pair.difference.mean);
}

TEST(Verdict, IsNotSureOfFewRunsThatHappenToDifferAlike) {
  Threads threads(2);
  const Dataset data = open_dataset("blocks:size=6,inside=0.5,across=0.3", {}, threads);
  CompareOptions options = options_for({"label-propagation", "gcn epochs=1"});
  options.split = "per-class 1,1";
  options.runs = 2;
  int alike = 0;
  for (; options.seed < 20; ++options.seed) {
    const Comparison result = compare(data, options, threads);
    const PairedDifference& difference = result.pairs[0].difference;
    if (difference.mean == 0 || difference.deviation > 1e-12) continue;
    ++alike;
    EXPECT_FALSE(result.pairs[0].tells());
    EXPECT_TRUE(verdict(result).ends_with("so these runs cannot tell what is chance; more runs would."))
        << verdict(result);
  }
  EXPECT_GT(alike, 0);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  Threads threads(1);
  const auto refusal = [&](const CompareOptions& options) {
    return test::error_text([&] { compare(blocks(), options, threads); });
  };
  EXPECT_EQ(refusal(options_for({"gcn"})), "comparing takes two or more models, such as heat-front,gcn");
  EXPECT_EQ(refusal(options_for({"gcn", "gcn"})),
            "'gcn' is named twice; one model may be set in two ways, as \"gcn, gcn dropout=0.8\"");
  EXPECT_NE(refusal(options_for({"gcn", "gnc"})).find("unknown model 'gnc'"), std::string::npos);
  EXPECT_NE(refusal(options_for({"gcn", "gcn dropuot=1"})).find("dropuot"), std::string::npos);
  CompareOptions one = options_for({"gcn", "mlp"});
  one.runs = 1;
  CompareOptions no_test = options_for({"gcn", "mlp"});
  no_test.split = "per-class 20,20";
  EXPECT_NE(refusal(no_test).find("leaves no test nodes to compare by"), std::string::npos);
  EXPECT_EQ(refusal(one), "1 runs: 2 or more are needed to see what is chance");
}

}  // namespace
}  // namespace heatfront
