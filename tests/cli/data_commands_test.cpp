// SPDX-License-Identifier: MIT
// info, convert, graph, split, datasets, fetch.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/environment.h"
#include "support/program_fixture.h"
#include "support/public_data.h"

namespace heatfront {
namespace {

using nlohmann::json;
using test::json_of;
using test::Outcome;
using test::public_data;
using test::run_program;
using test::TemporaryFolder;

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
            "grid:rows=30,cols=30,classes=0\n");
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
            "heatfront: unknown kernel 'rbff' (did you mean 'rbf'?); choose from: rbf, self-tuning, cosine, "
            "binary\n");
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

TEST(Split, OfNothingIsRefused) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program("split grid -o '" + (folder / "s.npz").string() + "'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.errors, "heatfront: grid has no labels to split; add labels\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "s.npz"));
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
  EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 1) << outcome.errors;
  EXPECT_NE(outcome.errors.find((folder / "data").string()), std::string::npos) << outcome.errors;
}

TEST(Info, ShowsEveryColumnOfATableWithItsKindMissingShareAndExample) {
  const TemporaryFolder folder;
  const std::string fraud = (folder / "fraud").string();
  ASSERT_EQ(run_program("example fraud -o '" + fraud + "'").code, 0);
  const Outcome outcome = run_program("info '" + fraud + "'");
  EXPECT_EQ(outcome.code, 0) << outcome.errors;
  for (const char* part :
       {"column ", "opened ", "day.month.year, days since", "with decimal comma", "category", " %"})
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part << outcome.output;
  const json columns = json_of("info '" + fraud + "'")["columns"];
  EXPECT_EQ(columns[0]["name"], "country");
  EXPECT_EQ(columns[0]["kind"], "category");
  EXPECT_GT(columns[2]["missing"], 0.0);
  EXPECT_EQ(json_of("info '" + fraud + "' --ignore country --ignore opened")["columns"][0]["name"], "type");
}

TEST(Info, ListsAllProblemsOfTheTablesAtOnce) {
  const TemporaryFolder folder;
  folder.write("d/edges.csv", "source,target,weight\na,b,1\na,b,x\nb,c\nb,a,-1\n");
  const Outcome outcome = run_program("info '" + (folder / "d").string() + "'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(outcome.errors.starts_with("heatfront: 3 problems in the tables:\n  ")) << outcome.errors;
  EXPECT_EQ(std::ranges::count(outcome.errors, '\n'), 4);
}

TEST(Convert, MakesNoFolderOfANameWithAnEnding) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program("convert karate '" + (folder / "k.csv").string() + "'");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.errors.find("k.csv: .csv is not written"), std::string::npos) << outcome.errors;
  EXPECT_FALSE(std::filesystem::exists(folder / "k.csv"));
}

}  // namespace
}  // namespace heatfront
