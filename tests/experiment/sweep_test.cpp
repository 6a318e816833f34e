// SPDX-License-Identifier: MIT
#include "heatfront_experiment/sweep.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_report/drawing/chart.h"
#include "support/error_text.h"

namespace heatfront {
namespace {

TEST(Times, AreReadFromRangesAndLists) {
  const auto logarithmic = parse_times("0.1:100:log4");
  ASSERT_EQ(logarithmic.size(), 4u);
  EXPECT_NEAR(logarithmic[1], 1, 1e-12);
  EXPECT_NEAR(logarithmic[3], 100, 1e-12);
  EXPECT_EQ(parse_times("0:10:lin3"), (std::vector<double>{0, 5, 10}));
  EXPECT_EQ(parse_times("20,1,5"), (std::vector<double>{1, 5, 20}));
  EXPECT_EQ(parse_times("7"), std::vector<double>{7});
}

TEST(Times, ThatAreNotUnderstoodSayHowToWriteThem) {
  for (const char* wrong : {"", "a", "1:2", "1:2:3", "1:2:log", "2:1:log3", "1:2:log0", "1:2:log2.5", "-1",
                            "1,,2", "nan", "0:1:log3"}) {
    EXPECT_NE(test::error_text([&] { parse_times(wrong); }), "") << wrong;
  }
}

TEST(Times, ThatAreLongerBeginAtTheLongestTried) {
  EXPECT_EQ(longer_times(100), "100:10000:log30");
  EXPECT_EQ(longer_times(1000), "1000:100000:log30");
  EXPECT_EQ(longer_times(73.2), "70:7000:log30");
  EXPECT_EQ(longer_times(0.07), "0.07:7:log30");
  EXPECT_EQ(longer_times(3e5), "300000:30000000:log30");
  EXPECT_EQ(longer_times(1e6), "");
  EXPECT_EQ(longer_times(0), "");
}

Sweep curve_of(const std::vector<double>& times, const std::vector<double>& losses) {
  Sweep sweep;
  for (std::size_t i = 0; i < times.size(); ++i)
    sweep.points.push_back({.time = times[i], .validation_accuracy = 0.8, .validation_loss = losses[i]});
  return sweep;
}

TEST(Sweep, IsSettledWhereNothingChangesFromHalfTheLongestTimeOn) {
  EXPECT_TRUE(is_settled(curve_of({1, 10, 100, 1000}, {0.7, 0.6, 0.50001, 0.5})));
  EXPECT_FALSE(is_settled(curve_of({1, 10, 100, 1000}, {0.7, 0.6, 0.51, 0.5})));
  EXPECT_FALSE(is_settled(curve_of({40, 99, 100}, {0.51, 0.5, 0.5})));
  EXPECT_FALSE(is_settled(curve_of({99, 100}, {0.5, 0.5})));
  EXPECT_FALSE(is_settled(curve_of({100}, {0.5})));
  Sweep other_accuracy = curve_of({1, 10, 100}, {0.5, 0.5, 0.5});
  other_accuracy.points[1].validation_accuracy = 0.7;
  EXPECT_FALSE(is_settled(other_accuracy));
}

TEST(Sweep, PicksTheBestTimeOnValidationAlone) {
  Threads threads(1);
  const Dataset karate = open_dataset("karate", {}, threads);
  const Split split = choose_split(karate, "per-class 2,5", 0);
  KnownLabels known{.nodes = split.train};
  for (NodeId u : split.train) known.classes.push_back(karate.labels[static_cast<std::size_t>(u)]);
  const DirichletProblem problem{.graph = karate.graph, .weights = {}, .classes = 2, .known = known};
  const std::vector<double> times = parse_times("0.1:100:log10");
  int calls = 0;
  const Sweep sweep =
      sweep_times(karate, split, problem, {}, times, threads, [&](const Progress&) { return ++calls > 0; });
  ASSERT_EQ(sweep.points.size(), 10u);
  EXPECT_EQ(calls, 10);
  for (const SweepPoint& point : sweep.points) {
    EXPECT_LE(point.validation_accuracy, sweep.points[sweep.best].validation_accuracy);
    EXPECT_EQ(point.train_accuracy, 1);
  }
  EXPECT_GT(sweep.points[sweep.best].test_accuracy, 0.8);
  EXPECT_LT(sweep.points.back().energy, sweep.points.front().energy);
  EXPECT_EQ(sweep.unreached, 0);
}

TEST(Chart, DrawsEveryCurveAndEscapesText) {
  const Chart chart{.title = "a < b & c",
                    .x_name = "t",
                    .y_name = "%",
                    .logarithmic_x = true,
                    .x = {1, 10, 100},
                    .curves = {{"one", {1, 2, 3}}, {"two", {3, std::nan(""), 1}}},
                    .mark = 10,
                    .mark_name = "here"};
  const std::string svg = svg_of(chart);
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(svg.find(">one</text>"), std::string::npos);
  EXPECT_NE(svg.find(">two</text>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  const std::string text = text_of(chart, 21, 3);
  EXPECT_EQ(text,
            "one of a < b & c\n"
            "        3 |                    *\n"
            "        2 |          o\n"
            "        1 |*\n"
            "          +---------------------\n"
            "           1                 100\n"
            "           t, o: here");
  EXPECT_TRUE(text_of(chart, 21, 3, 2)
                  .starts_with("a < b & c: * one, + two\n"
                               "        3 |+                   *\n"
                               "        2 |          o\n"
                               "        1 |*                   +\n"));
}

}  // namespace
}  // namespace heatfront
