// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>

#include "heatfront_io/formats/model_file.h"
#include "support/program_fixture.h"
#include "support/small_model.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::run_program;

class EvaluateCommand : public test::ProgramFixture {
 protected:
  EvaluateCommand() { write_model(test::karate_model(), folder_ / "karate.hf"); }
};

TEST_F(EvaluateCommand, SaysForMachinesWhatPredictSaysAndMore) {
  const json evaluated = json_of("evaluate " + file("karate.hf") + " --coverage 0.8");
  const json predicted = json_of("predict " + file("karate.hf"));
  EXPECT_EQ(evaluated["test_accuracy"], predicted["test_accuracy"]);
  EXPECT_EQ(evaluated["split"], predicted["split"]);
  EXPECT_EQ(evaluated["judged"], 20);
  std::int64_t nodes = 0, right = 0;
  for (std::size_t c = 0; c < 2; ++c) {
    for (const json& count : evaluated["classes"][c]["confusion"]) nodes += count.get<std::int64_t>();
    right += evaluated["classes"][c]["confusion"][c].get<std::int64_t>();
  }
  EXPECT_EQ(nodes, 20);
  EXPECT_DOUBLE_EQ(static_cast<double>(right) / 20, evaluated["accuracy"].get<double>());
  EXPECT_EQ(evaluated["calibration"]["bins"].size(), 15u);
  EXPECT_EQ(evaluated["sets"]["calibrated_on"], 10);
  EXPECT_EQ(evaluated["sets"]["asked"], 0.8);
  for (const char* groups : {"by_degree", "by_distance", "by_status"}) {
    std::int64_t sum = 0;
    for (const json& group : evaluated[groups]) sum += group["nodes"].get<std::int64_t>();
    EXPECT_EQ(sum, 20) << groups;
  }
}

TEST_F(EvaluateCommand, ShowsClassByClassWhereClassesAreUnevenAsTrainDoes) {
  const std::string train = "train fraud:nodes=300,positive=0.1 -o " + file("f.hf") + " ";
  const json trained = json_of(train + "--model gcn --split \"percent 40,30\" --set epochs=5");
  EXPECT_EQ(trained["uneven"], true);
  EXPECT_EQ(trained["most_frequent_class"]["class"], "ok");
  EXPECT_EQ(trained["classes"][1]["class"], "fraud");
  const std::string text = run_program("evaluate " + file("f.hf")).output;
  for (const char* part : {"\nalways ok ", "  precision  "})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  EXPECT_EQ(json_of("evaluate " + file("f.hf"))["classes"][1]["recall"], trained["classes"][1]["recall"]);

  const std::string quick = run_program(train + "--model auto --quick").output;
  EXPECT_NE(quick.find("The labels left out, class by class:\n  class  nodes"), std::string::npos) << quick;
  const std::string page = run_program("evaluate " + file("f.hf")).output;
  EXPECT_EQ(page.find("validation"), std::string::npos) << page;
}

TEST_F(EvaluateCommand, SaysForPeopleWhatItsFiguresMean) {
  const std::string text = run_program("evaluate " + file("karate.hf")).output;
  for (const char* part :
       {"what it means", "always ", "macro F1", "Which classes are taken for which:", "Mr. Hi",
        "neighbours  nodes", "edges to the nearest known label", "--report FILE.html"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(test::files_in(folder_.path()), 1u);
}

TEST_F(EvaluateCommand, WritesAPageAndTheSetsOfAllNodes) {
  const json evaluated = json_of("evaluate " + file("karate.hf") + " --coverage 0.95 --report " +
                                 file("karate.html") + " --sets " + file("sets.csv"));
  const std::string page = test::file_text(folder_ / "karate.html");
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_EQ(page.find("nan"), std::string::npos);
  EXPECT_EQ(page.find("http://www.w3.org/2000/svg") == std::string::npos, false);
  EXPECT_EQ(page.find("src="), std::string::npos) << "it needs nothing else";
  // 19 validation nodes would be needed for 95 %: all classes.
  EXPECT_EQ(evaluated["sets"]["set_size"], 2);
  EXPECT_EQ(evaluated["sets"]["threshold"], json());
  EXPECT_NE(evaluated["remarks"][0].get<std::string>().find("need 19 validation nodes, and there are 10"),
            std::string::npos);
  const std::string sets = test::file_text(folder_ / "sets.csv");
  EXPECT_TRUE(sets.starts_with("node,class,confidence,margin,status,class_2,confidence_2\n")) << sets;
  EXPECT_EQ(std::ranges::count(sets, '\n'), 35);
  std::size_t empty = 0;
  for (std::size_t at = sets.find(",,\n"); at != std::string::npos; at = sets.find(",,\n", at + 1)) ++empty;
  EXPECT_EQ(empty, 4u) << "only known nodes have no second class";
}

TEST_F(EvaluateCommand, SaysWhatHeldLabelsLeaveToJudgeBy) {
  run_program("label " + file("karate.hf") + " --include-validation -o " + file("v.hf"));
  const json evaluated = json_of("evaluate " + file("v.hf"));
  EXPECT_EQ(evaluated["validation_labels_included"], true);
  EXPECT_EQ(evaluated["softening"], json());
  EXPECT_EQ(evaluated["calibration_softened"], json());
  EXPECT_EQ(evaluated["sets"], json());
  EXPECT_NE(refusal("evaluate " + file("v.hf") + " --sets " + file("s.csv"))
                .find("nothing is left to calibrate on"),
            std::string::npos);
  const std::string text = run_program("evaluate " + file("v.hf")).output;
  EXPECT_NE(
      text.find("The labels of all validation nodes are held fixed, so there is nothing to calibrate on"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("validation labels included"), std::string::npos);
}

TEST_F(EvaluateCommand, RefusesWhatMakesNoSenseInOneLine) {
  EXPECT_NE(refusal("evaluate " + file("karate.hf") + " --coverage 90").find("between 0 and 1, as 0.9"),
            std::string::npos);
  EXPECT_NE(refusal("evaluate " + file("karate.hf") + " --score x").find("choose from: lac, aps"),
            std::string::npos);
  EXPECT_NE(refusal("evaluate " + file("karate.hf") + " --sets " + file("karate.hf")).find("is a model"),
            std::string::npos);
}

}  // namespace
}  // namespace heatfront
