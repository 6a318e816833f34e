// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/open.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "heatfront_io/fetch/fetch.h"
#include "heatfront_io/formats/choose_split.h"
#include "heatfront_io/formats/writers.h"
#include "support/environment.h"
#include "support/error_text.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::error_text;
using test::TemporaryFolder;

Dataset opened(const std::string& name) {
  Threads threads(1);
  return open_dataset(name, {}, threads);
}

TEST(OpenDataset, HasTheEmbeddedDigits) {
  const Dataset digits = opened("digits");
  EXPECT_EQ(digits.nodes(), 1797);
  EXPECT_EQ(digits.features.cols(), 64);
  EXPECT_EQ(std::ranges::count(digits.labels, 0), 178);
  EXPECT_EQ((*digits.features.dense())(0, 2), 5);
  EXPECT_EQ((*digits.features.dense())(1796, 61), 12);
  EXPECT_EQ(digits.labels.back(), 8);
}

TEST(OpenDataset, HasTheEmbeddedKarateClub) {
  const Dataset karate = opened("karate");
  EXPECT_EQ(karate.graph.edges(), 78);
  EXPECT_EQ(karate.graph.degree(33), 17);
  EXPECT_EQ(karate.labels[0], 0);
  EXPECT_EQ(karate.labels[33], 1);
}

TEST(OpenDataset, LooksInTheDataFolderByName) {
  const TemporaryFolder folder;
  write_npz(opened("karate"), folder / "club.npz");
  const test::EnvironmentVariable data("HEATFRONT_DATA", folder.path().string());
  EXPECT_EQ(opened("club").nodes(), 34);
  EXPECT_EQ(opened("club").name, "club");
  EXPECT_EQ(error_text([] { opened("../club"); }), "../club: no such file or folder");
  EXPECT_EQ(error_text([&] { opened("cora"); }),
            "cora: not on this machine; `heatfront fetch cora` gets it into " + folder.path().string());
  EXPECT_EQ(error_text([&] { opened("county_fb"); }),
            error_text([&] { fetch(known_dataset("county_fb"), {.folder = folder.path()}); }));
}

TEST(OpenDataset, NamesTheFilesOfAFolderThatHoldsSeveral) {
  const TemporaryFolder folder;
  for (const char* name : {"b.npz", "a.npz"}) write_npz(opened("karate"), folder / name);
  const std::string place = folder.path().string();
  EXPECT_EQ(error_text([&] { opened(place); }),
            place + " is a folder; say which: " + place + "/a.npz, " + place + "/b.npz");
}

TEST(OpenDataset, MakesEveryGeneratedSetAsItsNameSays) {
  EXPECT_EQ(opened("path").nodes(), 100);
  EXPECT_EQ(opened("blocks:blocks=4,size=5,inside=1,across=0").graph.edges(), 40);
  EXPECT_EQ(opened("moons:points=7").features.cols(), 2);
  EXPECT_EQ(opened("rmat:scale=8,arcs=1000,seed=2").nodes(), 256);
  EXPECT_NE(error_text([] { opened("rmat:scale=80"); }), "");
}

TEST(ChooseSplit, TakesTheDatasOwnOrFortyForty) {
  Dataset karate = opened("karate");
  EXPECT_EQ(choose_split(karate, "", 1).name, "percent 40,40 seed 1");
  karate.split = Split{.name = "file", .train = {0}};
  EXPECT_EQ(choose_split(karate, "", 1).name, "file");
  EXPECT_EQ(choose_split(karate, "per-class 2,3", 0).validation.size(), 6u);
  EXPECT_EQ(choose_split(karate, "percent:50,25", 0).name, "percent 50,25 seed 0");
}

TEST(ChooseSplit, SaysWhatItUnderstands) {
  const Dataset karate = opened("karate");
  EXPECT_NE(error_text([&] { choose_split(karate, "file", 0); }), "");
  for (const char* wrong : {"percent", "percent 40", "percent 40,x", "thirds"}) {
    EXPECT_NE(error_text([&] { choose_split(karate, wrong, 0); }).find("unknown split '"), std::string::npos)
        << wrong;
  }
}

}  // namespace
}  // namespace heatfront
