// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/data_folder.h"

#include <gtest/gtest.h>

#include "support/environment.h"
#include "support/public_data.h"
#include "support/temporary_folder.h"

namespace heatfront {
namespace {

using test::EnvironmentVariable;
using test::TemporaryFolder;

TEST(DataFolder, IsTheOneOfTheEnvironmentElseInTheCacheElseInTheHome) {
  const EnvironmentVariable home("HOME", "/home/ada"), cache("XDG_CACHE_HOME", "/cache"),
      own("HEATFRONT_DATA", "data");
  EXPECT_EQ(data_folder(), "data");
  const EnvironmentVariable empty("HEATFRONT_DATA", "");
  EXPECT_EQ(data_folder(), "/cache/heatfront");
  const EnvironmentVariable relative("XDG_CACHE_HOME", "cache");
  EXPECT_EQ(data_folder(), "/home/ada/.cache/heatfront");
  const EnvironmentVariable homeless("HOME", std::nullopt);
  EXPECT_EQ(data_folder(), "");
}

TEST(FindDataset, FindsOneFileInAnyOfItsPlaces) {
  const TemporaryFolder folder;
  EXPECT_EQ(find_dataset("photo", folder.path()), "");
  folder.write("amazon_electronics_photo.npz", "x");
  EXPECT_EQ(find_dataset("photo", folder.path()), folder / "amazon_electronics_photo.npz");
  folder.write("amazon_photo.npz", "x");
  EXPECT_EQ(find_dataset("photo", folder.path()), folder / "amazon_photo.npz");
}

TEST(FindDataset, TakesSeveralFilesOnlyTogether) {
  const TemporaryFolder folder;
  for (const RemoteFile& file : known_dataset("cora").files) {
    EXPECT_EQ(find_dataset("cora", folder.path()), "");
    folder.write(local_path(known_dataset("cora"), file), "x");
  }
  EXPECT_EQ(find_dataset("cora", folder.path()), folder / "planetoid/ind.cora");
  EXPECT_EQ(find_dataset("citeseer", folder.path()), "");
}

TEST(FindDataset, TakesAnotherPlaceWhileOneIsIncomplete) {
  const TemporaryFolder folder;
  folder.write("lastfm_asia/lastfm_asia_edges.csv", "x");
  folder.write("lastfm_asia_nofeat.npz", "x");
  EXPECT_EQ(find_dataset("lastfm_asia", folder.path()), folder / "lastfm_asia_nofeat.npz");
  folder.write("lastfm_asia/lastfm_asia_features.json", "x");
  folder.write("lastfm_asia/lastfm_asia_target.csv", "x");
  EXPECT_EQ(find_dataset("lastfm_asia", folder.path()), folder / "lastfm_asia");
}

TEST(FindDataset, LooksForNothingElse) {
  const TemporaryFolder folder;
  folder.write("own.npz", "x");
  std::filesystem::create_directories(folder / "sub/cora.npz");
  for (const char* name : {"own", "own.npz", "../own", "sub/../own", "/etc/passwd", "..", "", "digits"}) {
    EXPECT_EQ(find_dataset(name, folder.path()), "") << name;
  }
  EXPECT_EQ(find_dataset("cora", folder / "sub"), "") << "a folder is no npz file";
  EXPECT_EQ(find_dataset("cora", ""), "");
}

TEST(FindDataset, FindsThePublicData) {
  const std::filesystem::path folder = test::public_data("sources.csv").parent_path();
  if (folder.empty()) GTEST_SKIP() << "SKIPPED: needs the public data with its sources.csv";
  for (const KnownDataset& known : known_datasets()) {
    const bool absent = known.embedded || known.name == "computers";
    EXPECT_EQ(find_dataset(known, folder).empty(), absent) << known.name;
  }
}

}  // namespace
}  // namespace heatfront
