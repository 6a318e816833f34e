// SPDX-License-Identifier: MIT
#include "heatfront/base/options.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/error_text.h"

namespace heatfront {
namespace {

struct Sample {
  double rate = 0.1;
  std::int64_t steps = 3;
  bool fast = false;
  std::string name = "x";
  std::vector<double> shares = {0.5};
  std::vector<std::int64_t> widths = {1, 2};

  OptionFields fields() {
    return {{"rate", &rate, ""}, {"steps", &steps, ""},   {"fast", &fast, ""},
            {"name", &name, ""}, {"shares", &shares, ""}, {"widths", &widths, ""}};
  }
};

TEST(Options, ReadBackWhatTheyPrint) {
  Sample sample{.rate = 0.006380845,
                .steps = -7,
                .fast = true,
                .name = "a b",
                .shares = {0.974861496, 1e-30},
                .widths = {}};
  std::string text = "# a comment\n\n";
  for (const std::string& line : lines_of(sample.fields())) text += line + "\r\n";
  Sample read;
  set_options(read.fields(), text, "file");
  EXPECT_EQ(read.rate, sample.rate);
  EXPECT_EQ(read.steps, sample.steps);
  EXPECT_EQ(read.fast, sample.fast);
  EXPECT_EQ(read.name, sample.name);
  EXPECT_EQ(read.shares, sample.shares);
  EXPECT_EQ(read.widths, sample.widths);
}

TEST(Options, SayWhatIsWrongAndWhatWouldBeRight) {
  Sample sample;
  const auto error = [&](const std::string& text) {
    return test::error_text([&] { set_options(sample.fields(), text, "my.preset"); });
  };
  EXPECT_EQ(
      error("rate = 1\nrates = 2"),
      "my.preset:2: unknown option 'rates' (did you mean 'rate'?); choose from: rate, steps, fast, name, "
      "shares, widths");
  EXPECT_EQ(error("steps = 1.5"), "my.preset:1: steps is '1.5', but must be a whole number");
  EXPECT_EQ(error("rate = nan"), "my.preset:1: rate is 'nan', but must be a finite number");
  EXPECT_EQ(error("widths = 3,x"),
            "my.preset:1: widths is '3,x', but must be whole numbers, with commas between them");
  EXPECT_EQ(error("fast"), "my.preset:1: 'fast' is not of the form name=value");
  EXPECT_EQ(sample.rate, 1) << "what came before the error stands";
}

struct Ranged {
  double any = 0, share = 0.5, positive = 1, time = 1, open = 0.5;
  std::int64_t heads = 8;
  std::vector<std::int64_t> widths = {64};
  std::string kind = "a";
};

OptionFields fields(Ranged& ranged) {
  OptionRange times = from_to(0, 1e30);
  times.or_infinite = true;
  return {{"any", &ranged.any, "Any"},
          {"share", &ranged.share, "A share", from_to_below(0, 1)},
          {"positive", &ranged.positive, "", above(0)},
          {"time", &ranged.time, "", times},
          {"open", &ranged.open, "", between(0, 1)},
          {"heads", &ranged.heads, "", from_to(1, 64)},
          {"widths", &ranged.widths, "Widths", at_least(1)},
          {"kind", &ranged.kind, "Which", one_of({{"a"}, {"b", "the better"}, {"c"}})}};
}

TEST(Options, SayTheRangeOfTextAndOfValuesInTheSameWords) {
  const auto from_text = [](const std::string& text) {
    return test::error_text([&] {
      Ranged ranged;
      set_option(fields(ranged), text, "--set");
    });
  };
  EXPECT_EQ(from_text("any=inf"), "--set: any is 'inf', but must be a finite number");
  EXPECT_EQ(from_text("share=1"), "--set: share is '1', but must be a number from 0 to below 1");
  EXPECT_EQ(from_text("positive=0"), "--set: positive is '0', but must be a number above 0");
  EXPECT_EQ(from_text("time=-1"), "--set: time is '-1', but must be a number from 0 to 1e+30, or inf");
  EXPECT_EQ(from_text("time=inf"), "");
  EXPECT_EQ(from_text("open=1"), "--set: open is '1', but must be a number between 0 and 1");
  EXPECT_EQ(from_text("heads=65"), "--set: heads is '65', but must be a whole number from 1 to 64");
  EXPECT_EQ(from_text("heads=many"), "--set: heads is 'many', but must be a whole number from 1 to 64");
  EXPECT_EQ(from_text("widths=8,0"),
            "--set: widths is '8,0', but must be whole numbers, 1 or more, with commas between them");
  EXPECT_EQ(from_text("widths="), "");
  EXPECT_EQ(from_text("kind=d"), "--set: kind is 'd', but must be a, b or c");
  const auto of_values = [](const Ranged& ranged) {
    return test::error_text([&] { checked(ranged, "mine"); });
  };
  EXPECT_EQ(of_values({}), "");
  EXPECT_EQ(of_values({.any = std::numeric_limits<double>::quiet_NaN()}),
            "mine: any is 'nan', but must be a finite number");
  EXPECT_EQ(of_values({.share = 1}), "mine: share is '1', but must be a number from 0 to below 1");
  EXPECT_EQ(of_values({.widths = {8, 0}}), "mine: widths is '8,0', but must be whole numbers, 1 or more");
  EXPECT_EQ(of_values({.kind = "d"}), "mine: kind is 'd', but must be a, b or c");
}

TEST(Options, HelpWithWhatTheyAreTheirValueAndTheirRange) {
  Ranged ranged;
  const OptionFields all = fields(ranged);
  EXPECT_EQ(help_of(all[0]), "Any [0]");
  EXPECT_EQ(help_of(all[1]), "A share [0.5; from 0 to below 1]");
  EXPECT_EQ(help_of(all[6]), "Widths [64; 1 or more]");
  EXPECT_EQ(help_of(all[7]), "Which: a, b (the better) or c [a]");
}

TEST(Options, SayWhatOlderRecordsSaidWhereNothingButNamesIsOther) {
  std::string weights = "free";
  std::int64_t fronts = 1;
  double time = 5;
  const OptionFields fields = {{"time", &time, ""},
                               {"edge_weights", &weights, "", {}, {{"learn_weights", "true", "free"}}},
                               added({"fronts", &fronts, ""}, "1")};
  EXPECT_EQ(former_lines_of(fields), (std::vector<std::string>{"time = 5", "learn_weights = true"}));
  weights = "features";
  fronts = 3;
  EXPECT_EQ(former_lines_of(fields), lines_of(fields));
  EXPECT_FALSE(is_called(fields[2], ""));
}

}  // namespace
}  // namespace heatfront
