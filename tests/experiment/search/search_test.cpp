// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search.h"
#include "heatfront_experiment/search/search_arguments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "heatfront/base/random.h"
#include "heatfront/models/models.h"
#include "support/error_text.h"
#include "support/small_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::file_text;

class SearchSettings : public testing::Test {
 protected:
  SearchSettings() {
    options_.space = parse_space(
        "learning_rate = log 1e-3 1e-1\nhidden = choice 4 | 8\ntime = uniform 1 10\nepochs = 8\n", "space");
    options_.split = "per-class 3,5";
    options_.trials = 9;
    options_.seeds = {0, 1, 2, 3};
  }

  Search run(int threads = 2, const ProgressCallback& progress = {}) {
    Threads pool(threads);
    return search(data_, options_, pool, progress);
  }

  std::string preset() { return preset_text(run(), options_, "Found."); }

  static std::size_t lines(const std::filesystem::path& path) {
    return static_cast<std::size_t>(std::ranges::count(file_text(path), '\n'));
  }

  Threads one_{1};
  Dataset data_ = open_dataset("blocks:blocks=3,size=30,inside=0.2,across=0.05", {}, one_);
  SearchOptions options_;
  test::TemporaryFolder folder_;
};

TEST_F(SearchSettings, RanksEveryTrialByValidation) {
  const Search found = run();
  ASSERT_EQ(found.ranking.size(), 9u);
  std::set<std::int64_t> numbers;
  for (std::size_t i = 0; i < found.ranking.size(); ++i) {
    const TrialScore& score = found.ranking[i];
    numbers.insert(score.trial.number);
    EXPECT_EQ(score.trial.stage, score.trial.number < 6 ? "coarse" : "fine");
    EXPECT_EQ(score.seeds, i < 3 ? 4u : 1u) << "nine run with one seed, three of them with two, then four";
    if (i == 1 || i == 2 || i > 3) {
      EXPECT_TRUE(better(found.ranking[i - 1], score)) << i;
    }
  }
  EXPECT_EQ(numbers.size(), 9u);
  EXPECT_GE(found.runs, 9 + 3 * 3);
  EXPECT_TRUE(found.test.mean > 0.3 && found.test.mean <= 1) << found.test.mean;
}

TEST_F(SearchSettings, FindsTheSameWithAnyNumberOfThreads) {
  const std::string one = preset_text(run(1), options_, "Found.");
  for (int threads : {2, 3}) EXPECT_EQ(preset_text(run(threads), options_, "Found."), one);
  EXPECT_TRUE(one.starts_with("# Found.\n# Trial ")) << one;
  EXPECT_NE(one.find("\nepochs = 8\n"), std::string::npos) << one;
}

TEST_F(SearchSettings, GoesOnFromWhereverItWasBrokenOff) {
  const std::string whole = preset();
  options_.record = folder_ / "r.jsonl";
  for (int enough : {1, 4, 9}) {
    int calls = 0;
    EXPECT_THROW(run(2, [&](const Progress&) { return ++calls < enough * 8; }), Interrupted) << enough;
  }
  const auto before = static_cast<std::int64_t>(lines(options_.record)) - 1;
  EXPECT_GT(before, 4);
  const Search found = run();
  EXPECT_EQ(found.runs_before, before);
  EXPECT_EQ(preset_text(found, options_, "Found."), whole);
  EXPECT_EQ(static_cast<std::int64_t>(lines(options_.record)), 1 + found.runs + 4) << "no run twice";
  const std::string record = file_text(options_.record);
  EXPECT_EQ(preset(), whole);
  EXPECT_EQ(file_text(options_.record), record) << "a search that is done does nothing more";
}

TEST_F(SearchSettings, LooksAtTestAccuraciesOfTheWinnerAlone) {
  options_.record = folder_ / "r.jsonl";
  const Search found = run();
  const SearchTerms none;
  const SearchRecord record(options_.record, none);
  for (const SearchRun& run : record.runs()) {
    EXPECT_EQ(run.test_accuracy.has_value(), run.stage == "test");
    if (run.stage == "test") {
      EXPECT_EQ(run.trial, found.ranking[0].trial.number);
    }
  }
}

// A training is refused where a node of its split has no label: trials, which have no test nodes, do not meet these.
TEST_F(SearchSettings, GivesNoTestNodesToItsTrials) {
  data_.split = choose_split(data_, "per-class 4,6", 7);
  options_.split.clear();
  options_.record = folder_ / "r.jsonl";
  for (NodeId u : data_.split->test) data_.labels[at(u)] = kUnknown;
  const std::string refusal = test::error_text([&] { run(); });
  EXPECT_TRUE(refusal.starts_with("the test of the winner, trial ")) << refusal;
  const SearchRecord record(options_.record, {});
  EXPECT_GE(record.runs().size(), 9u + 3 * 3);
  for (const SearchRun& run : record.runs()) EXPECT_EQ(run.error.empty(), run.stage != "test") << run.error;
}

// Some models judge the nodes of the split alone, where these are few: withheld ones count among them.
TEST_F(SearchSettings, RunsTheWinnerForItsTestAsItRanForItsRank) {
  Matrix features(data_.nodes(), 24);
  for (NodeId u = 0; u < data_.nodes(); ++u) {
    for (std::int64_t j = 0; j < 24; ++j)
      features(u, j) = static_cast<Real>(
          Random(5).part(static_cast<std::uint64_t>(u)).uniform(static_cast<std::uint64_t>(j)));
  }
  data_.features = Features(std::move(features));
  options_.space = parse_space("learning_rate = log 1e-3 1e-1\nepochs = 8\n", "space");
  for (const char* model : {"heat-front", "gcn", "gat", "monet"}) {
    options_.model = model;
    options_.record = folder_ / (std::string(model) + ".jsonl");
    const std::int64_t winner = run().ranking[0].trial.number;
    const SearchRecord record(options_.record, {});
    for (std::uint32_t seed : options_.seeds) {
      EXPECT_EQ(record.find(winner, seed, true)->validation_loss, record.find(winner, seed)->validation_loss)
          << model << ", seed " << seed;
    }
  }
}

TEST_F(SearchSettings, CountsTrialsThatFailAsWorstAndGoesOn) {
  options_.space[0] = parse_range("learning_rate = choice 0.01 | 1e300", "here");
  const Search found = run();
  EXPECT_EQ(found.ranking.front().error, "");
  EXPECT_EQ(found.ranking.front().trial.settings[0].value, "0.01");
  EXPECT_TRUE(found.ranking.back().error.ends_with("a lower learning_rate may help"))
      << found.ranking.back().error;
  options_.space[0] = parse_range("learning_rate = 1e300", "here");
  EXPECT_TRUE(test::error_text([&] { run(); }).starts_with("every trial failed; trial 0: epoch "));
}

TEST_F(SearchSettings, BeginsAtLeastOneTrialWhateverTheBudget) {
  options_.time_budget = 1e-9;
  options_.record = folder_ / "r.jsonl";
  const Search found = run(1);
  ASSERT_EQ(found.ranking.size(), 1u);
  EXPECT_EQ(found.ranking[0].trial.number, 0);
  EXPECT_EQ(found.ranking[0].seeds, 4u) << "what the halving needs is done";
  EXPECT_EQ(run(1).ranking.size(), 1u);
  EXPECT_EQ(lines(options_.record), 1u + 4 + 4);
}

TEST_F(SearchSettings, BeginsFineTrialsWhenTheTimeOfCoarseOnesIsOver) {
  options_.time_budget = 1000;
  options_.record = folder_ / "r.jsonl";
  run(1);  // in the order of the trials
  const std::regex at("\"at\":[0-9.e-]+");
  std::istringstream text(file_text(options_.record));
  std::string begun;
  for (int i = 0; i < 5; ++i) {  // the first line and four coarse trials
    std::string line;
    std::getline(text, line);
    begun += std::regex_replace(line, at, "\"at\":500") + "\n";
  }
  folder_.write("r.jsonl", begun);
  std::set<std::int64_t> numbers;
  for (const TrialScore& score : run().ranking) numbers.insert(score.trial.number);
  EXPECT_EQ(numbers, (std::set<std::int64_t>{0, 1, 2, 3, 6, 7, 8}));
}

TEST_F(SearchSettings, UsesTheSplitThatCameWithTheData) {
  data_.split = choose_split(data_, "per-class 4,6", 7);
  options_.split.clear();
  const Search found = run();
  EXPECT_NE(found.split.find("per-class 4,6 seed 7"), std::string::npos) << found.split;
}

TEST_F(SearchSettings, RefusesWhatCannotBeSearched) {
  const auto error = [&] { return test::error_text([&] { run(1); }); };
  const SearchOptions right = options_;
  options_.trials = 0;
  EXPECT_EQ(error(), "trials 0: it must be 1 or more");
  options_ = right;
  options_.split = "per-class 3,0";
  EXPECT_TRUE(error().find("has no validation labels to choose by") != std::string::npos) << error();
  options_ = right;
  options_.space.push_back(options_.space[0]);
  EXPECT_TRUE(error().ends_with("learning_rate is given twice")) << error();
  options_ = right;
  options_.model = "heat";
  EXPECT_TRUE(error().starts_with("unknown model 'heat'; choose from: ")) << error();
}

TEST(EverySearchSpace, HoldsNothingThatFails) {
  Threads threads(2);
  Dataset data = open_dataset("blocks:blocks=3,size=30,inside=0.2,across=0.05", {}, threads);
  Matrix features(data.nodes(), 4);
  for (NodeId u = 0; u < data.nodes(); ++u) features(u, u % 4) = 1;
  data.features = Features(std::move(features));
  for (const ModelEntry& model : models()) {
    SearchOptions options{.model = std::string(model.name),
                          .space = with_fixed(open_space(model.name, ""), {{"epochs", "2"}}, true),
                          .split = "per-class 5,5",
                          .trials = 24,
                          .seeds = {0}};
    for (const TrialScore& score : search(data, options, threads).ranking)
      EXPECT_EQ(score.error, "") << model.name << ", trial " << score.trial.number;
  }
}

TEST(SeedList, IsReadAsNumbersAndRanges) {
  using Seeds = std::vector<std::uint32_t>;
  EXPECT_EQ(parse_seeds("0-4"), (Seeds{0, 1, 2, 3, 4}));
  EXPECT_EQ(parse_seeds("7"), (Seeds{7}));
  EXPECT_EQ(parse_seeds("9,0-1,4294967295"), (Seeds{9, 0, 1, 4294967295}));
  for (const char* wrong :
       {"", "a", "1-", "-1", "3-1", "0,0", "0-2,1", "1,,2", "1,", "0-99999", "4294967296"})
    EXPECT_TRUE(test::error_text([&] { parse_seeds(wrong); }).starts_with("seeds '")) << wrong;
}

TEST(Duration, IsReadInSecondsMinutesAndHours) {
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("10m"), 600);
  EXPECT_EQ(parse_duration("1.5h"), 5400);
  for (const char* wrong : {"", "10", "m", "10min", "-3s", "0s", "nanh", "1e300h", "5 m"})
    EXPECT_EQ(test::error_text([&] { parse_duration(wrong); }),
              std::string("duration '") + wrong + "': write it as 90s, 10m or 1.5h");
}

}  // namespace
}  // namespace heatfront
