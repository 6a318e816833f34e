// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search_space.h"

#include <gtest/gtest.h>

#include <cmath>

#include "heatfront/models/models.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

constexpr int kDraws = 2000;

SearchRange range(const char* line) { return parse_range(line, "here"); }

double number(const std::string& text) { return std::stod(text); }

TEST(SearchRange, ReadsEveryKindAndWritesItBack) {
  for (const char* line :
       {"learning_rate = log 0.001 0.1", "dropout = uniform 0 0.9", "rounds = integer 2 20",
        "hidden = choice 16 | 32 | 64,32", "optimiser = adam", "hidden = "})
    EXPECT_EQ(text_of(range(line)), line);
  EXPECT_EQ(text_of(range("  a=choice  x|y z ")), "a = choice x | y z");
}

TEST(SearchRange, RefusesWhatIsNoRange) {
  const auto error = [](const char* line) { return test::error_text([&] { range(line); }); };
  EXPECT_EQ(error("a = log 0 1"), "here: a begins at 0; a log range must begin above 0");
  EXPECT_EQ(error("a = uniform 2 1"),
            "here: a has the range '2 1'; write LOW HIGH, two numbers with LOW first");
  EXPECT_EQ(error("a = integer 1 2.5"), "here: a has the range '1 2.5'; an integer range has whole numbers");
  EXPECT_EQ(error("a = integer 1 1e300"),
            "here: a has the range '1 1e300'; integers are drawn from -2^53 to 2^53");
  EXPECT_EQ(error("a = choice"), "here: a has nothing to choose from; write choice A | B");
  for (const char* line : {"a", "= 3", "a = log 1", "a = log 1 2 3", "a = log a b", "a = uniform nan 1",
                           "a = uniform 0 inf", "a = choice | |"})
    EXPECT_TRUE(error(line).starts_with("here: ")) << line;
}

TEST(SearchRange, DrawsEvenlyWithinItsEnds) {
  const Random random(1);
  const SearchRange log = range("a = log 1e-4 1e-2"), uniform = range("a = uniform -1 3"),
                    integer = range("a = integer 2 5"), choice = range("a = choice x | y");
  int below_middle = 0, below_mean = 0, chosen = 0;
  std::vector<int> counts(6);
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double u = random.uniform(i);
    const double rate = number(draw(log, u)), value = number(draw(uniform, u));
    EXPECT_TRUE(rate >= 1e-4 && rate <= 1e-2) << rate;
    EXPECT_TRUE(value >= -1 && value <= 3) << value;
    below_middle += rate < 1e-3;
    below_mean += value < 1;
    ++counts.at(static_cast<std::size_t>(std::stoi(draw(integer, u))));
    chosen += draw(choice, u) == "x";
  }
  for (int count : {below_middle, below_mean, chosen}) EXPECT_NEAR(count, kDraws / 2, 100);
  EXPECT_EQ(counts[0] + counts[1], 0);
  for (std::size_t value : {2u, 3u, 4u, 5u}) EXPECT_NEAR(counts[value], kDraws / 4, 100) << value;
}

TEST(SearchRange, DrawsNearACentreAndNeverOutside) {
  const Random random(2);
  const SearchRange log = range("a = log 1e-4 1"), uniform = range("a = uniform 0 8"),
                    integer = range("a = integer 2 5"), choice = range("a = choice x | y | z"),
                    fixed = range("a = 7");
  int stayed = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double u = random.uniform(i);
    EXPECT_NEAR(std::log10(number(draw_near(log, "0.01", u))), -2, 0.501);
    EXPECT_LE(number(draw_near(log, "0.9", u)), 1);
    EXPECT_NEAR(number(draw_near(uniform, "5", u)), 5, 1.001);
    EXPECT_GE(number(draw_near(uniform, "0.5", u)), 0);
    EXPECT_NEAR(number(draw_near(integer, "2", u)), 2.5, 0.5);
    EXPECT_EQ(draw_near(fixed, "7", u), "7");
    stayed += draw_near(choice, "y", u) == "y";
  }
  EXPECT_NEAR(stayed, kDraws * (0.75 + 0.25 / 3), 100);
}

TEST(SearchSpace, IsReadLineByLine) {
  const SearchSpace space = parse_space("# all of it\n\n time = uniform 1 10\r\nepochs = 30", "f.space");
  ASSERT_EQ(space.size(), 2u);
  EXPECT_EQ(text_of(space[0]), "time = uniform 1 10");
  EXPECT_EQ(text_of(space[1]), "epochs = 30");
  EXPECT_TRUE(test::error_text([] { parse_space("\nx = log 1\n", "f.space"); }).starts_with("f.space:2: x "));
  EXPECT_EQ(test::error_text([] { parse_space("# nothing\n", "f.space"); }),
            "f.space has no line of the form name = log|uniform|integer|choice …");
  EXPECT_EQ(test::error_text([] { open_space("heat-front", "/no/such.space"); }),
            "/no/such.space: no such file");
  EXPECT_TRUE(test::error_text([] { open_space("a-model", ""); }).starts_with("unknown model 'a-model'"));
}

TEST(SearchSpace, IsAFileThatEnds) {
  const test::TemporaryFolder folder;
  const auto error = [](const std::string& path) {
    return test::error_text([&] { open_space("gcn", path); });
  };
  EXPECT_EQ(error(folder.path().string()), folder.path().string() + " is a folder; a file is needed here");
  EXPECT_EQ(error("/dev/zero"), "/dev/zero is a device, which may have no end; a file is needed here");
}

TEST(SearchSpace, KnowsTheSettingsOfItsModel) {
  const auto error = [](const char* text) {
    return test::error_text([&] { check_space(parse_space(text, "f.space"), "heat-front"); });
  };
  EXPECT_EQ(error("time = uniform 1 10\nhidden = choice 16 | 64,32\nsolver = krylov"), "");
  EXPECT_EQ(error("time = uniform 1 10\ntime = 3"), "search space, 'time = 3': time is given twice");
  EXPECT_TRUE(
      error("tim = uniform 1 10").starts_with("search space, 'tim = uniform 1 10': unknown option 'tim'"));
  EXPECT_EQ(
      error("epochs = uniform 1.5 10"),
      "search space, 'epochs = uniform 1.5 10': epochs is '1.5', but must be a whole number, 1 or more");
  EXPECT_EQ(error("time = choice 1 | long"),
            "search space, 'time = choice 1 | long': time is 'long', but must be a number from 0 to 1e+30");
}

TEST(SearchSpace, TakesFixedSettingsOverItOrBesideIt) {
  const SearchSpace space = parse_space("time = uniform 1 10\nepochs = 30", "f.space");
  const SearchSpace over = with_fixed(space, {{"time", "3"}, {"solver", "krylov"}}, true);
  ASSERT_EQ(over.size(), 3u);
  EXPECT_EQ(text_of(over[0]), "time = 3");
  EXPECT_EQ(text_of(over[2]), "solver = krylov");
  EXPECT_EQ(text_of(with_fixed(space, {{"time", "3"}}, false)[0]), "time = uniform 1 10");
  EXPECT_EQ(parse_setting("hidden = 64,32"), (Setting{"hidden", "64,32"}));
  EXPECT_EQ(test::error_text([] { parse_setting("time=uniform 1 2"); }),
            "--set time=uniform 1 2: fixes a setting; a range belongs in --space");
}

TEST(SearchSpace, TakesOfAPresetWhatIsNotTheDefault) {
  EXPECT_TRUE(preset_settings("heat-front", "").empty());
  EXPECT_TRUE(preset_settings("heat-front", "none").empty());
  const test::TemporaryFolder folder;
  const auto path = folder.write("my.preset", "time = 3\nlambda = 1\nhidden = 8,4\n");
  EXPECT_EQ(preset_settings("heat-front", path.string()), (Settings{{"hidden", "8,4"}, {"time", "3"}}));
}

TEST(SearchSpace, DrawsEachTrialAsAFunctionOfItsSource) {
  const SearchSpace space = parse_space("time = uniform 1 10\nlearning_rate = log 1e-3 1", "f.space");
  EXPECT_EQ(draw(space, Random(3).part(5)), draw(space, Random(3).part(5)));
  EXPECT_NE(draw(space, Random(3).part(5)), draw(space, Random(3).part(6)));
  EXPECT_NE(draw(space, Random(3).part(5)), draw(space, Random(4).part(5)));
}

TEST(EverySearchSpace, KnowsTheSettingsOfItsModel) {
  for (const ModelEntry& model : models())
    EXPECT_EQ(test::error_text([&] { check_space(open_space(model.name, ""), model.name); }), "")
        << model.name;
}

}  // namespace
}  // namespace heatfront
