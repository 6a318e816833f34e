// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/catalogue.h"

#include <gtest/gtest.h>

#include <set>

#include "support/error_text.h"

namespace heatfront {
namespace {

using test::error_text;

TEST(Catalogue, NamesEachSetOnce) {
  std::set<std::string_view> names;
  for (const KnownDataset& known : known_datasets()) {
    EXPECT_TRUE(names.insert(known.name).second) << known.name;
    EXPECT_EQ(find_known(known.name), &known);
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"cora", "citeseer", "pubmed", "photo", "computers", "lastfm_asia",
                                        "county_fb", "mnist", "fashion_mnist", "digits", "karate"}));
}

TEST(Catalogue, TellsOfEverySetWhatAUserMustKnow) {
  for (const KnownDataset& known : known_datasets()) {
    EXPECT_FALSE(known.title.empty() || known.licence.empty() || known.home.empty()) << known.name;
    EXPECT_TRUE(known.nodes > 0 && known.classes > 1) << known.name;
    EXPECT_EQ(known.places.empty(), known.embedded) << known.name;
    EXPECT_EQ(known.files.empty(), known.embedded || !known.only_as.empty()) << known.name;
  }
}

bool is_digest(std::string_view text, std::size_t length) {
  return text.empty() ||
         (text.size() == length && text.find_first_not_of("0123456789abcdef") == std::string_view::npos);
}

TEST(Catalogue, HasAWellFormedDigestOfEveryFile) {
  for (const KnownDataset& known : known_datasets()) {
    for (const RemoteFile& file : known.files) {
      EXPECT_TRUE(is_digest(file.git_blob, 40)) << file.path;
      EXPECT_TRUE(is_digest(file.sha256, 64)) << file.path;
      EXPECT_TRUE(is_digest(file.md5, 32)) << file.path;
      EXPECT_TRUE(is_digest(file.unpacked_md5, 32)) << file.path;
      EXPECT_FALSE(file.git_blob.empty() && file.sha256.empty() && file.md5.empty()) << file.path;
    }
  }
}

TEST(Catalogue, KnowsTwoHttpsUrlsOfEveryFileWhichEndInItsName) {
  for (const KnownDataset& known : known_datasets()) {
    for (const RemoteFile& file : known.files) {
      const auto found = urls(known, file);
      EXPECT_GE(found.size(), 2u) << file.path;
      for (const std::string& url : found) {
        EXPECT_TRUE(url.starts_with("https://")) << url;
        EXPECT_EQ(url.substr(url.rfind('/') + 1), file.name());
        EXPECT_EQ(url.find("//", 8), std::string::npos) << url;
        EXPECT_EQ(url.find_first_of(" \t{}"), std::string::npos) << url;
      }
    }
  }
}

TEST(Catalogue, PutsNoTwoFilesInOnePlace) {
  std::set<std::string> places;
  for (const KnownDataset& known : known_datasets()) {
    for (const RemoteFile& file : known.files)
      EXPECT_TRUE(places.insert(local_path(known, file)).second) << file.path;
  }
}

TEST(Catalogue, BuildsUrlsFromRepositoryCommitAndPath) {
  const KnownDataset& photo = known_dataset("photo");
  EXPECT_EQ(
      urls(photo, photo.files[0]),
      (std::vector<std::string>{
          "https://raw.githubusercontent.com/shchur/gnn-benchmark/1e72912a0810cdf27ae54fd589a3b43358a2b161/"
          "data/npz/amazon_electronics_photo.npz",
          "https://cdn.jsdelivr.net/gh/shchur/gnn-benchmark@1e72912a0810cdf27ae54fd589a3b43358a2b161/"
          "data/npz/amazon_electronics_photo.npz"}));
  const KnownDataset& mnist = known_dataset("mnist");
  EXPECT_EQ(urls(mnist, mnist.files[0])[0],
            "https://ossci-datasets.s3.amazonaws.com/mnist/train-images-idx3-ubyte.gz");
}

TEST(Catalogue, AddsUpTheDownloadWhereAllSizesAreKnown) {
  EXPECT_EQ(download_bytes(known_dataset("fashion_mnist")), 4422102 + 5148 + 26421880 + 29515);
  EXPECT_EQ(download_bytes(known_dataset("lastfm_asia")), 0);
}

TEST(Catalogue, ListsTheNamesWhenOneIsUnknown) {
  EXPECT_EQ(find_known("coar"), nullptr);
  const std::string text = error_text([] { known_dataset("coar"); });
  EXPECT_TRUE(
      text.starts_with("unknown data set 'coar' (did you mean 'cora'?); choose from: karate, digits, cora, "))
      << text;
}

}  // namespace
}  // namespace heatfront
