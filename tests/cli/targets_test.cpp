// SPDX-License-Identifier: MIT
// Every command with --values and with --many-labels.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/program_fixture.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::run_program;

// A hill: nodes of a grid of 9 by 9, whose height is that of a bell; two of three are labelled. A node is "high", "east", both or neither.
class TargetCommands : public test::ProgramFixture {
 protected:
  TargetCommands() {
    std::string edges = "source,target\n", features = "node,x,y\n", values = "node,height\n",
                many = "node,label\n";
    for (int i = 0; i < 81; ++i) {
      const double x = i % 9 - 4, y = i / 9 - 4, height = 100 * std::exp(-(x * x + y * y) / 12) + x + 0.1 * y;
      if (i % 9 < 8) edges += name(i) + "," + name(i + 1) + "\n";
      if (i < 72) edges += name(i) + "," + name(i + 9) + "\n";
      features += name(i) + "," + std::to_string(x * x) + "," + std::to_string(y * y) + "\n";
      if (i % 3 == 0) continue;
      values += name(i) + "," + std::to_string(height) + "\n";
      const std::string high = height > 40 ? "high" : "", east = x > 0 ? "east" : "";
      many += name(i) + "," + (high + (high.empty() || east.empty() ? "" : "|") + east);
      many += high.empty() && east.empty() ? "none\n" : "\n";
    }
    for (const char* data : {"v", "m"}) {
      folder_.write(std::string(data) + "/edges.csv", edges);
      folder_.write(std::string(data) + "/features.csv", features);
    }
    folder_.write("v/labels.csv", values);
    folder_.write("m/labels.csv", many);
  }

  static std::string name(int i) { return "n" + std::to_string(i); }
  static double rmse(const json& scores) { return scores["values"]["height"]["rmse"]; }
};

TEST_F(TargetCommands, NumbersThatLookLikeQuantitiesAreAQuestion) {
  EXPECT_NE(
      refusal("train " + file("v")).find("give --values if they are quantities, --classes if they are names"),
      std::string::npos);
  EXPECT_EQ(run_program("info " + file("v") + " --classes").code, 0);
  EXPECT_NE(refusal("info " + file("v") + " --classes --values").find("give only one of them"),
            std::string::npos);
  EXPECT_NE(run_program("info " + file("v") + " --values").output.find("values of height, of 54 nodes"),
            std::string::npos);
}

TEST_F(TargetCommands, ValuesAreTrainedPredictedEvaluatedExplainedAndLabelled) {
  const json trained = json_of("train " + file("v") + " --values -o " + file("v.hf"));
  EXPECT_EQ(trained["labels"]["kind"], "values");
  EXPECT_EQ(trained["candidates"].size(), 3u);
  EXPECT_LT(rmse(trained["left_out"]), rmse(trained["baselines"][0]["left_out"]));
  EXPECT_LT(rmse(trained["left_out"]), rmse(trained["baselines"][1]["left_out"]));
  const std::string text = run_program("train " + file("v") + " --values").output;
  for (const char* part : {"values of height", "the mean", "neighbours' mean", "RMSE", "R²", "intervals"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;

  const json predicted = json_of("predict " + file("v.hf") + " -o " + file("p.csv"));
  EXPECT_EQ(predicted["known"], 54);
  EXPECT_EQ(predicted["estimated"], 27);
  EXPECT_EQ(predicted["nodes"].size(), 81u);
  EXPECT_LT(predicted["nodes"][0]["low"]["height"], predicted["nodes"][0]["values"]["height"]);
  EXPECT_GT(predicted["intervals"]["radius"]["height"], 0);
  const std::string table = test::file_text(path("p.csv"));
  EXPECT_TRUE(table.starts_with("node,status,height,height low,height high\n")) << table;
  EXPECT_EQ(std::ranges::count(table, '\n'), 82);
  EXPECT_EQ(run_program("predict " + file("v.hf") + " -o " + file("p.csv")).code, 0);  // over itself

  const json evaluated = json_of("evaluate " + file("v.hf"));
  EXPECT_EQ(evaluated["beside"]["judged_by"], "labels left out");
  EXPECT_LT(rmse(evaluated["left_out"]), rmse(evaluated["beside"]["mean"]));

  const json explained = json_of("explain " + file("v.hf") + " n39")["explanations"][0];
  EXPECT_EQ(explained["column"], "height");
  EXPECT_LT(explained["residual"], 0.05);
  EXPECT_FALSE(explained["labels"].empty());
  EXPECT_NE(run_program("explain " + file("v.hf") + " n40").output.find("known and held fixed"),
            std::string::npos);

  const json labelled = json_of("label " + file("v.hf") + " --set n39=500 --unset n40 -o " + file("v2.hf"));
  EXPECT_EQ(labelled["set"], 1);
  EXPECT_EQ(labelled["removed"], 1);
  EXPECT_FALSE(labelled["moved"].empty());
  EXPECT_EQ(json_of("predict " + file("v2.hf"))["known"], 54);
  const json undone = json_of("label " + file("v2.hf") + " --undo -o " + file("v3.hf"));
  EXPECT_EQ(undone["set"], 1);
  json_of("predict " + file("v3.hf") + " -o " + file("q.csv"));
  EXPECT_EQ(test::file_text(path("q.csv")), table);
  folder_.write("more.csv", "node,height\nn39,55\nn42,60\n");
  EXPECT_EQ(json_of("label " + file("v.hf") + " --labels " + file("more.csv") + " --train -o " +
                    file("v4.hf"))["known"],
            56);
}

TEST_F(TargetCommands, ValuesHaveASplitWhereOneIsAskedFor) {
  const std::string split = " --values --split 'percent 60,20'";
  const json trained = json_of("train " + file("v") + split + " -o " + file("s.hf"));
  EXPECT_GT(trained["test"]["nodes"], 5);
  const json evaluated = json_of("evaluate " + file("s.hf") + " --coverage 0.8");
  EXPECT_EQ(evaluated["beside"]["judged_by"], "test nodes");
  EXPECT_EQ(evaluated["intervals"]["from"], "validation nodes");
  EXPECT_LT(rmse(evaluated["test"]), rmse(evaluated["beside"]["mean"]));

  const json solved = json_of("solve " + file("v") + split + " --predictions " + file("p.csv"));
  EXPECT_EQ(solved["laplacian"], "random-walk");
  EXPECT_LT(rmse(solved["test"]), rmse(solved["mean_on_test"]));
  EXPECT_TRUE(test::file_text(path("p.csv")).starts_with("node,status,height\n"));
  EXPECT_EQ(json_of("solve " + file("v") + " --values --time inf")["time"], "inf");
  const json swept = json_of("sweep " + file("v") + split + " --time 0.1:100:log10 -o " + file("c.csv") +
                             " --plot " + file("c.svg"));
  EXPECT_EQ(swept["points"].size(), 10u);
  EXPECT_TRUE(test::file_text(path("c.csv")).starts_with("time,validation_rmse_height,"));
  EXPECT_NE(run_program("sweep " + file("v") + split).output.find("best on validation: t = "),
            std::string::npos);
}

TEST_F(TargetCommands, ManyLabelsGoTheSameWay) {
  const std::string split = " --many-labels --split 'percent 60,20'";
  const json trained = json_of("train " + file("m") + split + " -o " + file("m.hf"));
  EXPECT_EQ(trained["labels"]["columns"], (std::vector<std::string>{"east", "high"}));
  EXPECT_EQ(trained["thresholds"].size(), 2u);
  const json evaluated = json_of("evaluate " + file("m.hf"));
  EXPECT_GT(evaluated["test"]["micro_f1"], 0.6);
  EXPECT_TRUE(evaluated["test"]["classes"].contains("high"));
  const std::string text = run_program("evaluate " + file("m.hf")).output;
  for (const char* part : {"micro F1", "macro F1", "threshold", "precision", "2 classes, several per node"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  json_of("predict " + file("m.hf") + " -o " + file("p.csv"));
  const std::string table = test::file_text(path("p.csv"));
  EXPECT_TRUE(table.starts_with("node,classes,status,east,high\n")) << table;
  EXPECT_NE(table.find("east|high"), std::string::npos) << table;
  EXPECT_GE(json_of("label " + file("m.hf") + " --set 'n39=high|east' -o " + file("m2.hf"))["set"], 1);
  EXPECT_FALSE(json_of("explain " + file("m.hf") + " n42")["explanations"].empty());
  EXPECT_GT(json_of("solve " + file("m") + split + " --predictions " + file("p.csv"))["test"]["micro_f1"],
            0.4);
  EXPECT_EQ(json_of("sweep " + file("m") + split + " --time 1,5")["points"].size(), 2u);
  EXPECT_GT(json_of("evaluate " + file("m.hf") + " --class high")["ranking"]["average_precision"], 0.5);
  EXPECT_NE(refusal("label " + file("m.hf") + " --set 'n39=low'")
                .find("there is no class 'low'; the classes are east, high"),
            std::string::npos);
}

TEST_F(TargetCommands, RankTheHighestAndExplainMany) {
  run_program("train " + file("v") + " --values --model linear-front -o " + file("v.hf"));
  const json ranked = json_of("predict " + file("v.hf") + " --rank height --count 3 -o " + file("list.csv"));
  ASSERT_EQ(ranked["ranking"]["nodes"].size(), 3u);
  EXPECT_GE(ranked["ranking"]["nodes"][0]["value"], ranked["ranking"]["nodes"][1]["value"]);
  EXPECT_TRUE(test::file_text(path("list.csv")).starts_with("node,status,height,reasons\n"));
  EXPECT_NE(test::file_text(path("list.csv")).find("the same by attribute: "), std::string::npos);
  EXPECT_NE(refusal("predict " + file("v.hf") + " --rank hight").find("did you mean 'height'?"),
            std::string::npos);
  folder_.write("some.csv", "node\nn39\nn42\n");
  const json many =
      json_of("explain " + file("v.hf") + " --nodes " + file("some.csv") + " --report " + file("w.html"));
  EXPECT_EQ(many["explanations"].size(), 2u);
  EXPECT_NE(test::file_text(path("w.html")).find("n42"), std::string::npos);
  EXPECT_EQ(json_of("explain " + file("v.hf") + " --rank height --count 2")["explanations"].size(), 2u);
}

TEST_F(TargetCommands, NewNodesAreAddedAndLabelsComeOutAgain) {
  run_program("train " + file("v") + " --values --model linear-front+flow -o " + file("v.hf"));
  folder_.write("week/edges.csv", "source,target\nnew1,n40\nnew1,n41\nnew2,new1\n");
  folder_.write("week/features.csv", "node,x,y\nnew1,0,0\nnew2,0,1\n");
  folder_.write("week/labels.csv", "node,height\nnew2,77\n");
  const json added =
      json_of("predict " + file("v.hf") + " --add " + file("week") + " -o " + file("new.csv"))["added"];
  EXPECT_EQ(added["new_nodes"], 2);
  EXPECT_EQ(added["nodes"][1]["values"]["height"], 77);
  EXPECT_GT(added["nodes"][0]["values"]["height"], 50);
  EXPECT_TRUE(test::file_text(path("new.csv"))
                  .starts_with("node,status,height,height low,height high,reasons\nnew1,"));
  EXPECT_EQ(json_of("label " + file("v.hf") + " --add " + file("week") + " -o " + file("w.hf"))["known"], 55);
  EXPECT_EQ(json_of("predict " + file("w.hf"))["nodes"].size(), 83u);
  run_program("label " + file("w.hf") + " --export " + file("out.csv"));
  const std::string held = test::file_text(path("out.csv"));
  EXPECT_TRUE(held.starts_with("node,height,from,batch,time\n")) << held;
  EXPECT_NE(held.find("new2,77,review,1,2"), std::string::npos) << held;
  EXPECT_NE(held.find(",data,,\n"), std::string::npos) << held;
  std::filesystem::copy_file(path("out.csv"), path("v/labels.csv"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(json_of("info " + file("v") + " --values")["labels"]["columns"],
            (std::vector<std::string>{"height"}));

  run_program("train " + file("m") + " --many-labels -o " + file("m.hf"));
  folder_.write("more/edges.csv", "source,target\nnew1,n44\n");
  folder_.write("more/features.csv", "node,x,y\nnew1,0,0\n");
  EXPECT_EQ(json_of("predict " + file("m.hf") + " --add " + file("more"))["added"]["nodes"].size(), 1u);
  run_program("label " + file("m.hf") + " --export " + file("many.csv"));
  EXPECT_TRUE(test::file_text(path("many.csv")).starts_with("node,label,from,batch,time\n"));
}

TEST_F(TargetCommands, WhatIsForClassesIsRefusedInALine) {
  run_program("train " + file("v") + " --values -o " + file("v.hf"));
  EXPECT_NE(refusal("train " + file("v") + " --values --model gcn").find("gcn learns classes only"),
            std::string::npos);
  EXPECT_NE(refusal("train " + file("v") + " --values --learn-weights")
                .find("--learn-weights is for labels that are classes"),
            std::string::npos);
  EXPECT_NE(refusal("train " + file("v") + " --values --set ridge=x").find("ridge"), std::string::npos);
  EXPECT_NE(refusal("compare " + file("v") + " --values").find("its labels are values"), std::string::npos);
  EXPECT_NE(refusal("predict " + file("v.hf") + " --top 2").find("--top is for labels that are classes"),
            std::string::npos);
  EXPECT_NE(refusal("label " + file("v.hf") + " --suggest 2").find("--suggest is for labels"),
            std::string::npos);
  EXPECT_NE(refusal("label " + file("v.hf") + " --unset n39").find("it has no known label to take away"),
            std::string::npos);
  EXPECT_NE(refusal("evaluate " + file("v.hf") + " --class height").find("its labels are values"),
            std::string::npos);
  EXPECT_NE(refusal("label " + file("v.hf") + " --set n39=warm").find("'warm' is not a number"),
            std::string::npos);
  EXPECT_NE(refusal("label " + file("v.hf") + " --set n39=1,2").find("2 values; it must have 1"),
            std::string::npos);
  EXPECT_NE(refusal("label " + file("v.hf") + " --undo").find("nothing to undo"), std::string::npos);
  EXPECT_NE(refusal("explain " + file("v.hf") + " nobody").find("there is no node"), std::string::npos);
  EXPECT_NE(refusal("evaluate " + file("v.hf") + " --sets " + file("s.csv")).find("--sets is for labels"),
            std::string::npos);
  EXPECT_NE(refusal("solve " + file("v") + " --values --free").find("are for labels that are classes"),
            std::string::npos);
  EXPECT_NE(refusal("solve " + file("v") + " --values --known nowhere.csv").find("no such file"),
            std::string::npos);
}

TEST_F(TargetCommands, DataWithValuesConvertsAndOpensAgain) {
  EXPECT_EQ(run_program("convert " + file("v") + " " + file("v.npz") + " --values").code, 0);
  EXPECT_EQ(json_of("train " + file("v.npz") + " --model flow-alone")["model"], "flow-alone");
  EXPECT_EQ(json_of("info " + file("v.npz"))["labels"]["kind"], "values");
}

}  // namespace
}  // namespace heatfront
