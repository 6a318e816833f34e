// SPDX-License-Identifier: MIT
#include "heatfront/base/options.h"

#include <gtest/gtest.h>

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
  EXPECT_EQ(error("rate = 1\nrates = 2"),
            "my.preset:2: unknown option 'rates'; there are: rate, steps, fast, name, shares, widths");
  EXPECT_EQ(error("steps = 1.5"), "my.preset:1: steps is '1.5', but must be a whole number");
  EXPECT_EQ(error("rate = nan"), "my.preset:1: rate is 'nan', but must be a number");
  EXPECT_EQ(error("widths = 3,x"),
            "my.preset:1: widths is '3,x', but must be whole numbers with commas between them");
  EXPECT_EQ(error("fast"), "my.preset:1: 'fast' is not of the form name=value");
  EXPECT_EQ(sample.rate, 1) << "what came before the error stands";
}

}  // namespace
}  // namespace heatfront
