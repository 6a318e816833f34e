// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>

#include "heatfront/base/config.h"
#include "support/environment.h"
#include "support/program.h"
#include "support/public_data.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::Outcome;
using test::public_data;
using test::run_program;
using test::TemporaryFolder;

json json_of(const std::string& arguments) {
  const Outcome outcome = run_program(arguments + " --json");
  EXPECT_EQ(outcome.code, 0) << arguments << ": " << outcome.errors;
  return json::parse(outcome.output, nullptr, false);
}

bool is_one_line(const std::string& text) {
  return std::ranges::count(text, '\n') == 1 && text.ends_with('\n');
}

TEST(Program, TellsItsVersion) {
  const Outcome outcome = run_program("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.output, HEATFRONT_VERSION "\n");
}

constexpr std::array kCommands = {"solve",   "sweep",   "models",   "train",    "search",  "reproduce",
                                  "compare", "predict", "evaluate", "label",    "explain", "info",
                                  "convert", "graph",   "split",    "datasets", "fetch"};

TEST(Program, ShowsAnExampleInTheHelpOfEveryCommand) {
  for (const char* command : kCommands) {
    const Outcome outcome = run_program(std::string(command) + " --help");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.output.find(std::string("Example:\n  heatfront ") + command), std::string::npos)
        << command;
    EXPECT_NE(outcome.output.find("--json"), std::string::npos) << command;
  }
}

TEST(Program, HasHelpThatFitsATerminal) {
  for (const char* command : kCommands) {
    std::istringstream help(run_program(std::string(command) + " --help").output);
    for (std::string line; std::getline(help, line);) EXPECT_LE(line.size(), 100u) << command << ": " << line;
  }
}

TEST(Program, EndsWithTwoAndOneLineWhenAskedWrongly) {
  for (const char* arguments : {"", "inof karate", "info", "info karate --nosuch", "graph digits -k x",
                                "info karate --threads 0", "split karate --seed minus"}) {
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_TRUE(is_one_line(outcome.errors)) << arguments << ": " << outcome.errors;
    EXPECT_EQ(outcome.output, "");
  }
}

TEST(Program, RepeatsUnknownFlagsAsTheyWereGiven) {
  EXPECT_EQ(run_program("train karate --epochs 10").errors,
            "heatfront train: not expected: --epochs 10; see `heatfront train --help`\n");
}

TEST(Program, NamesTheCommandsThatThereAre) {
  EXPECT_EQ(
      run_program("solv karate").errors,
      "heatfront: unknown command 'solv'; there are: solve, sweep, models, train, search, reproduce, "
      "compare, predict, evaluate, label, explain, info, convert, graph, split, datasets, fetch, bench\n");
}

TEST(Program, TellsWhatItLeftOutWhileReading) {
  const TemporaryFolder folder;
  folder.write("d/edges.csv", "source,target,wieght\na,b,1\nb,c,2\n");
  folder.write("d/labels.csv", "a,x\nc,y\n");
  EXPECT_NE(run_program("solve '" + (folder / "d").string() + "'").errors.find("wieght"), std::string::npos);
}

TEST(Program, TakesTheThreadsFromTheEnvironment) {
  EXPECT_EQ(run_program("info karate").code, 0);
  const test::EnvironmentVariable wrong("HEATFRONT_THREADS", "none");
  const Outcome refused = run_program("info karate");
  EXPECT_EQ(refused.code, 2);
  EXPECT_EQ(refused.errors,
            "heatfront info: HEATFRONT_THREADS=none: it must be a number from 1 to 4096; see `heatfront info "
            "--help`\n");
  EXPECT_NE(run_program("info karate --threads x").errors.find("--threads: Value x"), std::string::npos);
  EXPECT_EQ(run_program("info karate --threads 2").code, 0) << "the flag has the last word";
  const test::EnvironmentVariable right("HEATFRONT_THREADS", "3");
  EXPECT_EQ(run_program("info karate").code, 0);
}

TEST(Info, DescribesTheKarateClub) {
  const json karate = json_of("info karate");
  EXPECT_EQ(karate["nodes"], 34);
  EXPECT_EQ(karate["edges"], 78);
  EXPECT_EQ(karate["arcs"], 156);
  EXPECT_EQ(karate["class_names"], (json{"Mr. Hi", "Officer"}));
  EXPECT_EQ(karate["class_counts"], (json{17, 17}));
  EXPECT_EQ(karate["components"], 1);
  EXPECT_EQ(karate["split"], json());
  for (const char* key : {"name", "features", "feature_entries", "classes", "labelled", "isolated",
                          "largest_component", "homophily", "fingerprint", "removed", "symmetrised"}) {
    EXPECT_TRUE(karate.contains(key)) << key;
  }
}

TEST(Info, DescribesPointsWithoutAGraph) {
  const json digits = json_of("info digits");
  EXPECT_EQ(digits["nodes"], 1797);
  EXPECT_EQ(digits["arcs"], 0);
  EXPECT_EQ(digits["features"], 64);
  EXPECT_EQ(digits["homophily"], json());
  EXPECT_NE(run_program("info digits").output.find("1,797 (1,797 labelled), no edges"), std::string::npos);
}

TEST(Info, CountsWhatItChangedAndNotesItOnce) {
  const TemporaryFolder folder;
  folder.write("d/edges.csv", "a,b,1\nb,a,2\na,a,1\nb,c,1\nc,b,1\nc,b,0\n");
  folder.write("d/edge.csv", "a,b\n");
  const Outcome info = run_program("info '" + (folder / "d").string() + "'");
  EXPECT_NE(
      info.output.find(
          " 1 loop removed, 1 arc of weight 0 (or below 1e-30) removed, 1 edge with two weights averaged\n"),
      std::string::npos)
      << info.output;
  EXPECT_NE(info.output.find("not read: edge.csv"), std::string::npos);
  EXPECT_EQ(info.errors, "");
}

TEST(Info, MakesDataOnTheSpot) {
  EXPECT_EQ(json_of("info grid:rows=3,cols=4")["edges"], 17);
  EXPECT_EQ(json_of("info path:nodes=5")["edges"], 4);
  const Outcome wrong = run_program("info grid:rows=3,columns=4");
  EXPECT_EQ(wrong.code, 1);
  EXPECT_EQ(wrong.errors,
            "heatfront: grid:rows=3,columns=4: 'columns=4' is not understood; write it like "
            "grid:rows=30,cols=30\n");
}

struct PublicSet {
  const char* file;
  int nodes, arcs, features, entries, classes, train, isolated, components, largest;
};

TEST(Info, GivesTheKnownNumbersOfThePublicData) {
  if (public_data("cora.npz").empty()) GTEST_SKIP() << "SKIPPED: needs the public data";
  for (const PublicSet& set : std::initializer_list<PublicSet>{
           {"cora.npz", 2708, 10556, 1433, 49216, 7, 140, 0, 78, 2485},
           {"citeseer.npz", 3327, 9104, 3703, 105165, 6, 120, 48, 438, 2120},
           {"pubmed.npz", 19717, 88648, 500, 988031, 3, 60, 0, 1, 19717},
           {"amazon_photo.npz", 7650, 238162, 745, 1979909, 8, -1, 115, 136, 7487},
           {"county_fb.npz", 3106, 45148, 9, 27954, 2, -1, 0, 1, 3106},
           {"lastfm_asia_nofeat.npz", 7624, 55612, 0, 0, 18, -1, 0, 1, 7624},
           {"planetoid/cora", 2708, 10556, 1433, 49216, 7, 140, 0, 78, 2485}}) {
    const json info = json_of("info " + (public_data(".") / set.file).string());
    EXPECT_EQ(info["nodes"], set.nodes) << set.file;
    EXPECT_EQ(info["arcs"], set.arcs) << set.file;
    EXPECT_EQ(info["features"], set.features) << set.file;
    EXPECT_EQ(info["feature_entries"], set.entries) << set.file;
    EXPECT_EQ(info["classes"], set.classes) << set.file;
    EXPECT_EQ(info["isolated"], set.isolated) << set.file;
    EXPECT_EQ(info["components"], set.components) << set.file;
    EXPECT_EQ(info["largest_component"], set.largest) << set.file;
    EXPECT_EQ(info["split"].is_null() ? -1 : info["split"]["train"].get<int>(), set.train) << set.file;
  }
}

TEST(Info, FindsTheSameDataInPlanetoidAndNpzFiles) {
  if (public_data("planetoid").empty()) GTEST_SKIP() << "SKIPPED: needs the public data";
  for (const std::string name : {"cora", "citeseer", "pubmed"}) {
    const json npz = json_of("info " + public_data(name + ".npz").string());
    const json raw = json_of("info " + (public_data("planetoid") / name).string());
    EXPECT_EQ(npz["fingerprints"], raw["fingerprints"]) << name;
    EXPECT_EQ(npz["fingerprint"], raw["fingerprint"]) << name;
  }
}

TEST(Convert, KeepsTheFingerprintThroughEveryFormat) {
  const TemporaryFolder folder;
  const std::string npz = (folder / "k.npz").string(), csv = (folder / "csv").string();
  const json before = json_of("info karate");
  EXPECT_EQ(run_program("convert karate '" + npz + "'").code, 0);
  EXPECT_EQ(run_program("convert '" + npz + "' '" + csv + "'").code, 0);
  EXPECT_EQ(json_of("info '" + npz + "'")["fingerprint"], before["fingerprint"]);
  EXPECT_EQ(json_of("info '" + csv + "'")["fingerprint"], before["fingerprint"]);
  const Outcome again = run_program("convert karate '" + csv + "'");
  EXPECT_EQ(again.code, 1);
  EXPECT_EQ(again.errors, "heatfront: " + csv + ": exists already; name a new folder\n");
}

TEST(Graph, IsTheSameFileForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string one = (folder / "one.npz").string(), three = (folder / "three.npz").string();
  const json graph = json_of("graph digits -k 10 --threads 1 -o '" + one + "'");
  EXPECT_EQ(run_program("graph digits -k 10 --threads 3 -o '" + three + "'").code, 0);
  EXPECT_EQ(test::file_text(one), test::file_text(three));
  EXPECT_EQ(graph["exact"], true);
  EXPECT_EQ(graph["recall"], 1.0);
  EXPECT_GT(json_of("info '" + one + "'")["homophily"], 0.95);
}

TEST(Graph, NamesTheKernelsThatThereAre) {
  const Outcome outcome = run_program("graph digits --kernel rbff");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.errors,
            "heatfront: unknown kernel 'rbff'; there are: rbf, self-tuning, cosine, binary\n");
  EXPECT_NE(run_program("graph karate").errors.find("has no features"), std::string::npos);
}

TEST(Split, WritesWhatEveryCommandTakesBack) {
  const TemporaryFolder folder;
  const std::string file = (folder / "s.npz").string();
  const json made = json_of("split digits --split 'percent 40,40' --seed 3 -o '" + file + "'");
  const json taken = json_of("split digits --split '" + file + "'");
  EXPECT_EQ(made["split"]["hash"], taken["split"]["hash"]);
  EXPECT_EQ(made["split"]["name"], "percent 40,40 seed 3");
  const Outcome small = run_program("split karate --split '" + file + "'");
  EXPECT_EQ(small.code, 1);
  EXPECT_NE(small.errors.find("with 1,797 nodes where karate has 34"), std::string::npos) << small.errors;
}

TEST(Split, SaysWhetherItIsKept) {
  const TemporaryFolder folder;
  const std::string file = (folder / "s.npz").string();
  EXPECT_NE(run_program("split karate -o '" + file + "'").output.find("\nwritten to " + file),
            std::string::npos);
  EXPECT_NE(run_program("split karate").output.find("\nnot written: -o FILE.npz"), std::string::npos);
  EXPECT_NE(run_program("graph digits").output.find("\nnot written: -o FILE.npz"), std::string::npos);
}

TEST(Split, HasThePapersSizesForPhoto) {
  if (public_data("amazon_photo.npz").empty()) GTEST_SKIP() << "SKIPPED: needs the public data";
  const std::string photo = public_data("amazon_photo.npz").string();
  const json info = json_of("info " + photo),
             split = json_of("split " + photo + " --split 'percent 40,40' --seed 0");
  int train = 0, all = 0;
  for (int n : info["class_counts"]) train += 40 * n / 100, all += n;
  EXPECT_EQ(split["split"]["train"], train);
  EXPECT_EQ(split["split"]["validation"], train);
  EXPECT_EQ(split["split"]["test"], all - 2 * train);
}

TEST(Solve, AnswersWithACertificateAndAStatusForEveryNode) {
  const TemporaryFolder folder;
  const std::string table = (folder / "p.csv").string();
  const json solved = json_of("solve karate --split 'per-class 2,5' --time 5 --predictions '" + table + "'");
  for (const char* key :
       {"dataset", "split", "solver", "time", "products", "error_bound", "seconds", "whole_seconds",
        "train_accuracy", "validation_accuracy", "test_accuracy", "unreached", "undecided", "known"}) {
    EXPECT_TRUE(solved.contains(key)) << key;
  }
  EXPECT_EQ(solved["solver"], "chebyshev");
  EXPECT_EQ(solved["known"], 4);
  EXPECT_LT(solved["error_bound"], 2e-6);
  EXPECT_GT(solved["test_accuracy"], 0.8);
  const std::string text = test::file_text(table);
  EXPECT_TRUE(text.starts_with("node,class,confidence,margin,status\n")) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 35);
}

TEST(Solve, SaysWhatItWroteAndHowLongItTook) {
  const TemporaryFolder folder;
  const std::string npz = (folder / "t.npz").string(), table = (folder / "p.csv").string();
  const std::string text = run_program("solve karate -o '" + npz + "' --predictions '" + table + "'").output;
  EXPECT_NE(text.find("  written    " + npz + ", " + table + "\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("e-0"), text.find("error at most") + 17) << text;
  EXPECT_NE(run_program("solve karate").output.find("not written: --predictions FILE.csv"),
            std::string::npos);
}

TEST(Solve, WritesTheSameFileForAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string graph = (folder / "g.npz").string();
  run_program("graph digits -o '" + graph + "'");
  std::vector<std::string> files;
  for (const char* threads : {"1", "2", "3", "8"}) {
    const std::string file = (folder / threads).string() + ".npz";
    EXPECT_EQ(run_program("solve '" + graph + "' --time 30 --threads " + threads + " -o '" + file + "'").code,
              0);
    files.push_back(test::file_text(file));
  }
  for (const std::string& file : files) EXPECT_EQ(file, files[0]);
}

TEST(Solve, SaysWhatCannotBe) {
  const auto error = [](const std::string& arguments) { return run_program("solve " + arguments).errors; };
  EXPECT_NE(error("digits").find("has no edges for heat to flow along"), std::string::npos);
  EXPECT_NE(error("karate --solver chebishev").find("unknown solver 'chebishev'; there are: chebyshev"),
            std::string::npos);
  EXPECT_NE(error("karate --solver euler --step 50").find("stability region"), std::string::npos);
  EXPECT_NE(error("karate --laplacian x").find("there are: symmetric"), std::string::npos);
  EXPECT_NE(error("karate --reorder x").find("there are: none, rcm, degree"), std::string::npos);
  EXPECT_NE(error("karate --time -1").find("0 or more"), std::string::npos);
  EXPECT_NE(error("karate --known nosuch.csv").find("train+validation"), std::string::npos);
  EXPECT_NE(error("grid").find("has no labels"), std::string::npos);
}

TEST(Solve, HoldsEveryLabelFixedWhereThereIsNoSplit) {
  const json solved = json_of("solve karate");
  EXPECT_EQ(solved["known"], 34);
  EXPECT_EQ(solved["known_from"], "all");
  EXPECT_EQ(solved["split"], json());
  EXPECT_NE(run_program("solve karate --split 'percent 1,1'").errors.find("no label is known"),
            std::string::npos);
}

TEST(Solve, NeverJudgesByLabelsThatAreKnown) {
  const json solved = json_of("solve karate --split 'per-class 2,5' --known train+validation");
  EXPECT_EQ(solved["validation_labels_included"], true);
  EXPECT_EQ(solved["test_labels_included"], false);
  EXPECT_EQ(solved["validation_accuracy"], json());
  EXPECT_TRUE(solved["test_accuracy"].is_number());
  const json all = json_of("solve karate --split 'per-class 2,5' --known all");
  EXPECT_EQ(all["test_labels_included"], true);
  EXPECT_EQ(all["test_accuracy"], json());
  EXPECT_EQ(run_program("sweep karate --split 'per-class 2,5' --known all").code, 1);
}

TEST(Solve, TakesKnownLabelsAndPriorsFromFiles) {
  const TemporaryFolder folder;
  const std::string known = folder.write("known.csv", "node,label\n0,Mr. Hi\n33,Officer\n").string();
  const std::string prior = folder.write("prior.csv", "class,share\nMr. Hi,1\nOfficer,3\n").string();
  const json solved =
      json_of("solve karate --time inf --known '" + known + "' --class-prior '" + prior + "'");
  EXPECT_EQ(solved["known"], 2);
  EXPECT_EQ(solved["solver"], "cg");
  EXPECT_EQ(solved["reached"], true);
  EXPECT_NE(run_program("solve karate --known '" + folder.write("k.csv", "0,nobody\n").string() + "'")
                .errors.find("k.csv:1"),
            std::string::npos);
}

TEST(Solve, GivesTheSameAnswerWithItsNodesReordered) {
  const json plain = json_of("solve karate --split 'per-class 2,5'");
  for (const std::string name : {"rcm", "degree"}) {
    json reordered = json_of("solve karate --split 'per-class 2,5' --reorder " + name);
    EXPECT_EQ(reordered["reorder"], name);
    EXPECT_EQ(reordered["test_accuracy"], plain["test_accuracy"]);
    EXPECT_EQ(reordered["products"], plain["products"]);
  }
}

TEST(Sweep, DrawsTheCurveAndPicksTheBestTime) {
  const TemporaryFolder folder;
  const std::string plot = (folder / "c.svg").string();
  const json swept =
      json_of("sweep karate --split 'per-class 2,5' --time 0.1:100:log12 --plot '" + plot + "'");
  EXPECT_EQ(swept["points"].size(), 12u);
  EXPECT_TRUE(swept["best"].contains("test_accuracy"));
  EXPECT_TRUE(test::file_text(plot).starts_with("<svg "));
  EXPECT_NE(run_program("sweep karate --split 'per-class 2,5' --draw").output.find("best on validation: t ="),
            std::string::npos);
}

TEST(Sweep, LeavesFieldsEmptyWhereThereAreNoTestNodes) {
  const TemporaryFolder folder;
  const std::string csv = (folder / "c.csv").string(), plot = (folder / "c.svg").string();
  const std::string sweep =
      "sweep karate --split 'per-class 9,9' --time 1,5 -o '" + csv + "' --plot '" + plot + "'";
  EXPECT_TRUE(json_of(sweep)["points"][0]["test_accuracy"].is_null());
  const Outcome outcome = run_program(sweep);
  for (const std::string& text : {outcome.output, test::file_text(csv), test::file_text(plot)})
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
  EXPECT_NE(outcome.output.find("– on test"), std::string::npos) << outcome.output;
  EXPECT_NE(test::file_text(csv).find(",,0."), std::string::npos) << test::file_text(csv);
}

TEST(Datasets, ListsWhatIsKnownAndWhereItIs) {
  const json list = json_of("datasets");
  std::vector<std::string> names;
  for (const json& set : list["datasets"]) names.push_back(set["name"]);
  for (const char* name :
       {"karate", "digits", "cora", "citeseer", "pubmed", "photo", "county_fb", "lastfm_asia", "mnist"}) {
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
  }
}

TEST(Fetch, HasNothingToDoForBuiltInData) {
  EXPECT_EQ(run_program("fetch karate").output, "karate: built in, nothing to fetch\n");
  EXPECT_EQ(run_program("fetch nosuch").code, 1);
}

TEST(Fetch, SaysWhereToPutFilesWhenTheNetIsNotThere) {
  const TemporaryFolder folder;
  const test::EnvironmentVariable data("HEATFRONT_DATA", (folder / "data").string());
  const Outcome outcome = run_program("fetch cora --mirror http://127.0.0.1:9");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(is_one_line(outcome.errors)) << outcome.errors;
  EXPECT_NE(outcome.errors.find((folder / "data").string()), std::string::npos) << outcome.errors;
}

}  // namespace
}  // namespace heatfront
