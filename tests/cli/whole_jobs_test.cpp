// SPDX-License-Identifier: MIT
// Whole jobs on tables of one's own: which to look at first, rounds of labels, new nodes, reasons of many.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "support/program_fixture.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::Outcome;
using test::run_program;

constexpr const char* kEdges =
    "source,target\nann,bob\nann,cleo\nbob,cleo\nbob,dan\ncleo,dan\ndan,eve\neve,finn\neve,gus\nfinn,gus\n"
    "finn,hana\ngus,hana\nhana,ivo\n";
constexpr const char* kFeatures =
    "node,chess evenings,tennis evenings\nann,9,0\nbob,8,1\ncleo,7,0\ndan,5,3\neve,4,4\nfinn,2,6\ngus,1,7\n"
    "hana,2,9\nivo,0,8\n";

class WholeJobs : public test::ProgramFixture {
 protected:
  WholeJobs() {
    std::filesystem::create_directory(folder_ / "club");
    write("club/edges.csv", kEdges);
    write("club/features.csv", kFeatures);
    write("club/labels.csv", "node,label\nann,chess\ncleo,chess\nhana,tennis\nivo,tennis\n");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  std::string text(const std::string& name) const { return test::file_text(folder_ / name); }
  std::string out(const std::string& arguments) const {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 0) << arguments << ": " << outcome.errors;
    return outcome.output;
  }
  void train(const std::string& flags = "--quick") const {
    out("train " + file("club") + " " + flags + " -o " + file("m.hf"));
  }
  std::string model() const { return file("m.hf"); }
};

TEST_F(WholeJobs, RankNodesByAClassWithReasons) {
  train();
  const json ranked = json_of("predict " + model() + " --rank tennis --count 3 -o " + file("list.csv"));
  ASSERT_EQ(ranked["ranking"]["nodes"].size(), 3u);
  EXPECT_EQ(ranked["ranking"]["candidates"], 5);
  const std::string table = text("list.csv");
  EXPECT_TRUE(table.starts_with(
      "node,class,confidence,margin,status,probability,share_of_labels,reasons\ngus,tennis,"))
      << table;
  EXPECT_NE(table.find("label chess of ann +"), std::string::npos) << table;
  EXPECT_NE(table.find("tennis evenings"), std::string::npos) << table;
  EXPECT_EQ(std::ranges::count(table, '\n'), 4);
  EXPECT_NE(refusal("predict " + model() + " --rank golf").find("golf"), std::string::npos);
  EXPECT_NE(refusal("predict " + model() + " --rank tenis").find("did you mean 'tennis'?"),
            std::string::npos);
  for (const char* beside : {" --rank tennis --top 2", " --rank tennis --probabilities", " --count 2",
                             " --with-known", " --coverage 0.8"})
    EXPECT_EQ(run_program("predict " + model() + beside).code, 1) << beside;
  EXPECT_NE(refusal("predict " + model() + " --rank chess --count 0").find("1 or more"), std::string::npos);
}

TEST_F(WholeJobs, PredictEveryClassInAColumnAndInJson) {
  train();
  const json predicted = json_of("predict " + model() + " --probabilities -o " + file("p.csv"));
  EXPECT_TRUE(text("p.csv").starts_with("node,class,confidence,margin,status,p_chess,p_tennis\n"));
  ASSERT_EQ(predicted["nodes"].size(), 9u);
  for (const json& node : predicted["nodes"]) {
    const double chess = node["probabilities"]["chess"], tennis = node["probabilities"]["tennis"];
    EXPECT_NEAR(chess + tennis, 1, 1e-6);
    if (node["status"] == "known") {
      EXPECT_EQ(std::max(chess, tennis), 1);
    }
  }
}

TEST_F(WholeJobs, EvaluateHowWellAClassIsFound) {
  train();
  const json judged = json_of("evaluate " + model() + " --class tennis --report " + file("e.html"));
  EXPECT_EQ(judged["ranking"]["class"], "tennis");
  EXPECT_GE(judged["ranking"]["average_precision"], 0.5);
  EXPECT_EQ(judged["ranking"]["curve"].back()["recall"], 1);
  EXPECT_NE(text("e.html").find("precision against recall"), std::string::npos);
  EXPECT_NE(out("evaluate " + model() + " --class tennis").find("average precision"), std::string::npos);
  EXPECT_TRUE(json_of("evaluate " + model())["ranking"].is_null());
}

TEST_F(WholeJobs, LabelInRoundsOfTwoCommands) {
  train();
  EXPECT_NE(refusal("label " + model() + " --ask " + file("todo.csv")).find("--suggest"), std::string::npos);
  out("label " + model() + " --suggest 2 --ask " + file("todo.csv"));
  out("label " + model() + " --suggest 2 --ask " + file("todo.csv"));  // nobody has filled it in yet
  std::string todo = text("todo.csv");
  ASSERT_TRUE(todo.starts_with("node,model_says,confidence,label\n")) << todo;
  const std::size_t row = todo.find('\n') + 1, end = todo.find('\n', row);
  const std::string node = todo.substr(row, todo.find(',', row) - row);
  write("todo.csv", todo.insert(end, "chess"));
  EXPECT_NE(refusal("label " + model() + " --suggest 2 --ask " + file("todo.csv"))
                .find("todo.csv holds 1 answer that the model has not learned"),
            std::string::npos);
  const Outcome outcome =
      run_program("label " + model() + " --labels " + file("todo.csv") + " --train -o " + model());
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("1 new"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.errors.find("without a label") != std::string::npos, todo.ends_with(",\n"))
      << outcome.errors;

  out("label " + model() + " --export " + file("held.csv"));
  const std::string held = text("held.csv");
  EXPECT_TRUE(held.starts_with("node,label,from,batch,time\nann,chess,data,,\n")) << held;
  EXPECT_NE(held.find("\n" + node + ",chess,review,1,20"), std::string::npos) << held;

  const Outcome converted = run_program("convert " + model() + " " + file("again"));
  EXPECT_EQ(converted.code, 0) << converted.errors;
  EXPECT_NE(text("again/labels.csv").find(node + ",chess\n"), std::string::npos);

  out("label " + model() + " --suggest 9 --ask " + file("todo.csv"));  // its answers are in the model
  EXPECT_EQ(text("todo.csv").find(node + ","), std::string::npos);
}

TEST_F(WholeJobs, AskNothingWhereEveryLabelIsKnown) {
  train();
  out("label " + model() +
      " --set bob=chess --set dan=chess --set eve=chess --set finn=tennis --set gus=tennis -o " + model());
  const std::string text = out("label " + model() + " --suggest 2 --ask " + file("todo.csv"));
  EXPECT_NE(text.find("Every node has a label"), std::string::npos) << text;
  EXPECT_FALSE(std::filesystem::exists(file("todo.csv")));
}

TEST_F(WholeJobs, TrainingDoesNotLoseLabelsThatWereSetByHand) {
  train();
  out("label " + model() + " --set eve=chess -o " + model());
  const std::string again = "train " + file("club") + " --quick -o " + model();
  EXPECT_NE(refusal(again).find("holds 1 label set by hand that club does not have ('eve' for one)"),
            std::string::npos)
      << refusal(again);
  write("club/labels.csv", "node,label\nann,chess\ncleo,chess\nhana,tennis\nivo,tennis\neve,chess\n");
  out(again);
}

TEST_F(WholeJobs, AreJudgedByTheLabelsThatAreHeldNow) {
  train();
  const json before = json_of("evaluate " + model());
  EXPECT_EQ(before["judged"], 4);
  EXPECT_EQ(before["accuracy"], 1);
  out("label " + model() + " --set ann=tennis -o " + model());
  const json changed = json_of("evaluate " + model());
  EXPECT_EQ(changed["relabelled"], 1);
  EXPECT_EQ(changed["accuracy"], 0.75);
  out("label " + model() + " --unset ann -o " + model());
  const json taken = json_of("evaluate " + model());
  EXPECT_EQ(taken["relabelled"], 1);
  EXPECT_EQ(taken["judged"], 3);
  EXPECT_EQ(taken["accuracy"], 1);
  EXPECT_EQ(taken["softening"], 1);  // too few to calibrate by
  out("label " + model() + " --unset cleo --unset hana --unset ivo -o " + model());
  EXPECT_NE(refusal("evaluate " + model()).find("taken away since"), std::string::npos);
}

TEST_F(WholeJobs, AreComparedEvenWithFewLabels) {
  EXPECT_NE(refusal("compare " + file("club")).find("--split \"per-class 1,0\""), std::string::npos);
  const json compared = json_of("compare " + file("club") +
                                " --split 'per-class 1,0' --runs 2 --models linear-front,flow-alone");
  EXPECT_EQ(compared["models"].size(), 2u);
}

TEST_F(WholeJobs, RefuseFlagsThatContradictEachOther) {
  train();
  write("l.csv", "node,label\neve,chess\n");
  const auto refused = [&](const std::string& flags) {
    const Outcome outcome = run_program("label " + model() + flags);
    EXPECT_EQ(outcome.code, 2) << flags;
    return outcome.errors;
  };
  EXPECT_NE(refused(" --set eve=chess --set eve=tennis")
                .find("--set eve=chess and --set eve=tennis both speak of node 'eve'; keep one of them"),
            std::string::npos);
  EXPECT_NE(refused(" --set ann=chess --unset ann").find("both speak of node 'ann'"), std::string::npos);
  EXPECT_NE(refused(" --labels " + file("l.csv") + " --set eve=chess").find("both speak of node 'eve'"),
            std::string::npos);
}

TEST_F(WholeJobs, DataOfAModelHasTheLabelsThatItHoldsNow) {
  train();
  out("label " + model() + " --set eve=chess --unset ivo -o " + model());
  const Outcome converted = run_program("convert " + model() + " " + file("again"));
  EXPECT_NE(converted.errors.find("1 added, 0 changed and 1 removed"), std::string::npos) << converted.errors;
  const std::string labels = text("again/labels.csv");
  EXPECT_NE(labels.find("eve,chess\n"), std::string::npos) << labels;
  EXPECT_EQ(labels.find("ivo"), std::string::npos) << labels;
  EXPECT_FALSE(std::filesystem::exists(folder_ / "again/split.csv"));
  EXPECT_EQ(json_of("train " + model() + " --quick")["known"], 4);
}

TEST_F(WholeJobs, AddNodesThatComeAfterTraining) {
  train();
  std::filesystem::create_directory(folder_ / "week2");
  write("week2/edges.csv", "source,target\nzoe,hana\nzoe,ivo\nyan,zoe\n");
  write("week2/features.csv", "node,tennis evenings,chess evenings\nyan,8,1\nzoe,9,0\nann,9,9\n");
  const Outcome outcome =
      run_program("predict " + model() + " --add " + file("week2") + " -o " + file("new.csv"));
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("it keeps its own"), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.output.find("2 nodes with 3 edges"), std::string::npos) << outcome.output;
  const std::string table = text("new.csv");
  EXPECT_NE(table.find("\nzoe,tennis,"), std::string::npos) << table;
  EXPECT_NE(table.find("\nyan,tennis,"), std::string::npos) << table;
  EXPECT_NE(table.find("label tennis of hana +"), std::string::npos) << table;

  write("week2/labels.csv", "node,label\nyan,tennis\n");
  const json labelled = json_of("label " + model() + " --add " + file("week2") + " -o " + file("m2.hf"));
  EXPECT_EQ(labelled["added"]["new_nodes"], 2);
  EXPECT_EQ(labelled["known"], 5);
  EXPECT_EQ(json_of("predict " + file("m2.hf"))["nodes"].size(), 11u);
  EXPECT_EQ(json_of("label " + file("m2.hf") + " --train --set zoe=tennis -o " + file("m3.hf"))["known"], 6);
}

TEST_F(WholeJobs, SayWhatIsWrongWithNewNodes) {
  train();
  std::filesystem::create_directory(folder_ / "week2");
  const auto refused = [&] { return refusal("predict " + model() + " --add " + file("week2")); };
  EXPECT_NE(refused().find("neither edges.csv nor features.csv"), std::string::npos);
  write("week2/edges.csv", "source,target\nzoe,hana\n");
  EXPECT_NE(refused().find("features.csv is missing"), std::string::npos);
  write("week2/features.csv", "node,chess evenings,golf\nzoe,1,2\n");
  EXPECT_NE(refused().find("there is no column 'tennis evenings'"), std::string::npos);
  write("week2/features.csv", "node,chess evenings\nzoe,1\n");
  EXPECT_NE(refused().find("there is no column 'tennis evenings'"), std::string::npos);
  write("week2/features.csv", "node,chess evenings,tennis evenings\nyan,1,2\n");
  EXPECT_NE(
      run_program("predict " + model() + " --add " + file("week2")).errors.find("1 new node has no row"),
      std::string::npos);
  write("week2/features.csv", "node,chess evenings,tennis evenings\nann,1,2\n");
  write("week2/edges.csv", "source,target\nann,hana\n");
  EXPECT_NE(refused().find("nothing to add"), std::string::npos);
  EXPECT_NE(refusal("predict " + model() + " --add nowhere").find("not a folder"), std::string::npos);
}

TEST_F(WholeJobs, ExplainManyNodesAtOnceByAttributes) {
  train("--model heat-front --split 'per-class 1,1' --set epochs=5");
  write("nodes.csv", "node,why\ndan,x\neve,y\n");
  const json many =
      json_of("explain " + model() + " --nodes " + file("nodes.csv") + " --report " + file("why.html"));
  ASSERT_EQ(many["explanations"].size(), 2u);
  const json& dan = many["explanations"][0];
  EXPECT_EQ(dan["node"], "dan");
  EXPECT_EQ(dan["made"][0]["node"], "dan");
  EXPECT_LT(dan["made"][0]["residual"], 1e-3);
  EXPECT_TRUE(dan["made"][0]["attributes"][0]["attribute"].get<std::string>().ends_with("evenings"));
  EXPECT_NE(text("why.html").find("what made its own front"), std::string::npos);
  EXPECT_EQ(json_of("explain " + model() + " --rank chess --count 2")["explanations"].size(), 2u);
  EXPECT_NE(out("explain " + model() + " dan").find("what made its own front"), std::string::npos);
  EXPECT_NE(refusal("explain " + model()).find("say what to explain: a NODE"), std::string::npos);
  write("nodes.csv", "dan\nnobody\n");
  EXPECT_NE(refusal("explain " + model() + " --nodes " + file("nodes.csv")).find("'nobody' is not a node"),
            std::string::npos);
}

}  // namespace
}  // namespace heatfront
