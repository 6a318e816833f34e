// SPDX-License-Identifier: MIT
// Every result has one JSON form: an object whose names are those of docs/cli.md, with null where there is no number.
#include "heatfront_report/heatfront_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/small_data.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(Json, HasNullForWhatIsNoNumberAndForNoFile) {
  EXPECT_TRUE(json_number(std::numeric_limits<double>::quiet_NaN()).is_null());
  EXPECT_TRUE(json_number(std::numeric_limits<double>::infinity()).is_null());
  EXPECT_EQ(json_number(0.25), 0.25);
  EXPECT_TRUE(json_path("").is_null());
  EXPECT_EQ(json_path("a.csv"), "a.csv");
}

TEST(JsonOfASplit, HasItsNameSizesAndHash) {
  const Split split{.name = "mine", .train = {0, 1}, .validation = {2}, .test = {}};
  EXPECT_EQ(json_of(split).dump(),
            R"({"name":"mine","train":2,"validation":1,"test":0,"hash":")" + split.hash() + R"("})");
}

TEST(JsonOfASession, IsTheStartOfAllThatIsSaidOfIt) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const std::vector<std::string> start = keys_of(json_of(session));
  EXPECT_EQ(start, (std::vector<std::string>{"dataset", "model", "split", "known",
                                             "validation_labels_included", "test_labels_included"}));
  const Answer answer = session.solve();
  for (const Json& object : {json_of(session, answer), json_of(explain(session, answer, 9, {}), session),
                             json_of(evaluate(session.model(), answer, {}), session)}) {
    std::vector<std::string> keys = keys_of(object);
    ASSERT_GT(keys.size(), start.size());
    keys.resize(start.size());
    EXPECT_EQ(keys, start);
  }
}

TEST(JsonOfSuggestions, NamesNodesAndClassesAsTheDataDoes) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const std::vector<Suggestion> suggestions = {{.node = 9, .label = 1, .margin = Real(0.5)}};
  const Json list = json_of(suggestions, session.model().data);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0]["node"], session.model().data.node_name(9));
  EXPECT_EQ(list[0]["class"], session.model().data.class_names[1]);
  EXPECT_TRUE(list[0]["expected_change"].is_null());
}

TEST(JsonOfAFit, SaysWhatWasTrainedAndWhatTheFlowAloneDoes) {
  Threads threads(1);
  const Dataset karate = test::small_data("karate", "per-class 2,3", threads);
  const Fit fit = heatfront::fit(karate, {.settings = {"epochs=2"}}, threads);
  const Json object = json_of(FitReport{.fit = fit});
  EXPECT_EQ(object["dataset"], "karate");
  EXPECT_EQ(object["epochs"], 2);
  EXPECT_TRUE(object["flow_alone"].contains("test_accuracy"));
  EXPECT_FALSE(object["seconds"].contains("phases"));
  EXPECT_TRUE(json_of(FitReport{.fit = fit, .profile = true})["seconds"].contains("phases"));
}

TEST(Predictions, HaveAsManyClassesAsAskedForWhereTheLabelIsNotKnown) {
  Threads threads(1);
  Session session(test::karate_model(), threads);
  const Answer answer = session.solve();
  const std::vector<Prediction> one = predictions_of(answer), two = predictions_of(answer, 2);
  for (std::size_t u = 0; u < two.size(); ++u) {
    EXPECT_EQ(one[u].label, two[u].label);
    EXPECT_TRUE(one[u].others.empty());
    EXPECT_EQ(two[u].others.empty(), answer.decisions.status[u] == NodeStatus::known);
  }
}

TEST(TextTable, AlignsNumbersRightAndNamesLeft) {
  EXPECT_EQ(text_table({{"name", "n"}, {"a", "1"}, {"bcdef", "1,000"}}),
            "name       n\na          1\nbcdef  1,000");
}

}  // namespace
}  // namespace heatfront
