// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/catalogue.h"

#include <algorithm>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_io/fetch/published_files.h"

namespace heatfront {
namespace {

using Place = std::string_view;

constexpr std::string_view kMnistMirrors[] = {"https://ossci-datasets.s3.amazonaws.com/mnist/",
                                              "https://storage.googleapis.com/cvdf-datasets/mnist/"};
constexpr std::string_view kFashionMnistMirrors[] = {
    "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"};

constexpr Place kCoraPlaces[] = {"cora.npz", "planetoid/ind.cora"};
constexpr Place kCiteseerPlaces[] = {"citeseer.npz", "planetoid/ind.citeseer"};
constexpr Place kPubmedPlaces[] = {"pubmed.npz", "planetoid/ind.pubmed"};
constexpr Place kPhotoPlaces[] = {"amazon_photo.npz", "amazon_electronics_photo.npz"};
constexpr Place kComputersPlaces[] = {"amazon_computers.npz", "amazon_electronics_computers.npz"};
constexpr Place kLastfmAsiaPlaces[] = {"lastfm_asia", "lastfm_asia.npz", "lastfm_asia_nofeat.npz"};
constexpr Place kCountyFbPlaces[] = {"county_fb.npz"};
constexpr Place kMnistPlaces[] = {"mnist"};
constexpr Place kFashionMnistPlaces[] = {"fashion-mnist"};

constexpr std::string_view kPlanetoid = "github.com/kimiyoung/planetoid";
constexpr std::string_view kPlanetoidCommit = "af6abf468a772cc055bec88c52e4d6f51b7c37e3";
constexpr std::string_view kGnnBenchmark = "github.com/shchur/gnn-benchmark";
constexpr std::string_view kGnnBenchmarkCommit = "1e72912a0810cdf27ae54fd589a3b43358a2b161";

constexpr KnownDataset kDatasets[] = {
    {.name = "karate",
     .title = "Zachary's karate club: friendships and the two factions it split into",
     .nodes = 34,
     .edges = 78,
     .classes = 2,
     .licence = "published facts",
     .home = "Zachary 1977, doi.org/10.1086/jar.33.4.3629752",
     .embedded = true},
    {.name = "digits",
     .title = "handwritten digits, 8 by 8 pixels",
     .nodes = 1797,
     .features = 64,
     .classes = 10,
     .licence = "CC BY 4.0",
     .home = "UCI, doi.org/10.24432/C50P49",
     .embedded = true},
    {.name = "cora",
     .title = "papers on machine learning: citations, words and topics",
     .nodes = 2708,
     .edges = 5278,
     .features = 1433,
     .classes = 7,
     .licence = "MIT",
     .home = kPlanetoid,
     .commit = kPlanetoidCommit,
     .files = published::kCora,
     .folder = "planetoid",
     .places = kCoraPlaces},
    {.name = "citeseer",
     .title = "papers on computer science: citations, words and topics",
     .nodes = 3327,
     .edges = 4552,
     .features = 3703,
     .classes = 6,
     .licence = "MIT",
     .home = kPlanetoid,
     .commit = kPlanetoidCommit,
     .files = published::kCiteseer,
     .folder = "planetoid",
     .places = kCiteseerPlaces},
    {.name = "pubmed",
     .title = "papers on diabetes: citations, words and types of diabetes",
     .nodes = 19717,
     .edges = 44324,
     .features = 500,
     .classes = 3,
     .licence = "MIT",
     .home = kPlanetoid,
     .commit = kPlanetoidCommit,
     .files = published::kPubmed,
     .folder = "planetoid",
     .places = kPubmedPlaces},
    {.name = "photo",
     .title = "photo goods at Amazon: bought together, words of reviews and categories",
     .nodes = 7650,
     .edges = 119081,
     .features = 745,
     .classes = 8,
     .licence = "MIT",
     .home = kGnnBenchmark,
     .commit = kGnnBenchmarkCommit,
     .files = published::kPhoto,
     .places = kPhotoPlaces},
    {.name = "computers",
     .title = "computer goods at Amazon: bought together, words of reviews and categories",
     .nodes = 13752,
     .edges = 245861,
     .features = 767,
     .classes = 10,
     .licence = "MIT",
     .home = kGnnBenchmark,
     .commit = kGnnBenchmarkCommit,
     .files = published::kComputers,
     .places = kComputersPlaces},
    {.name = "lastfm_asia",
     .title = "users of LastFM in Asia: friendships, artists they like and countries",
     .nodes = 7624,
     .edges = 27806,
     .classes = 18,
     .licence = "MIT",
     .home = "github.com/benedekrozemberczki/FEATHER",
     .commit = "045db7963fb367eb9aed6439ceea96320e8ac7cc",
     .files = published::kLastfmAsia,
     .folder = "lastfm_asia",
     .places = kLastfmAsiaPlaces},
    {.name = "county_fb",
     .title = "counties of the USA: friendships on Facebook, figures and votes",
     .nodes = 3106,
     .edges = 22574,
     .features = 9,
     .classes = 2,
     .licence = "MIT",
     .home = "github.com/aGIToz/Learning-Label-Initialization",
     .places = kCountyFbPlaces,
     .only_as = "a PyTorch file, harmonic_ext_learned_front/graph_us_county.pt"},
    {.name = "mnist",
     .title = "handwritten digits, 28 by 28 pixels",
     .nodes = 70000,
     .features = 784,
     .classes = 10,
     .licence = "CC BY-SA 3.0",
     .home = "yann.lecun.com/exdb/mnist",
     .mirrors = kMnistMirrors,
     .files = published::kMnist,
     .folder = "mnist",
     .places = kMnistPlaces},
    {.name = "fashion_mnist",
     .title = "pieces of clothing, 28 by 28 pixels",
     .nodes = 70000,
     .features = 784,
     .classes = 10,
     .licence = "MIT",
     .home = "github.com/zalandoresearch/fashion-mnist",
     .commit = "b2617bb6d3ffa2e429640350f613e3291e10b141",
     .mirrors = kFashionMnistMirrors,
     .files = published::kFashionMnist,
     .folder = "fashion-mnist",
     .places = kFashionMnistPlaces},
};

}  // namespace

std::span<const KnownDataset> known_datasets() { return kDatasets; }

const KnownDataset* find_known(std::string_view name) {
  const auto found = std::ranges::find(kDatasets, name, &KnownDataset::name);
  return found == std::end(kDatasets) ? nullptr : found;
}

const KnownDataset& known_dataset(std::string_view name) {
  if (const KnownDataset* known = find_known(name)) return *known;
  std::vector<std::string_view> names;
  for (const KnownDataset& known : kDatasets) names.push_back(known.name);
  fail("unknown data set '{}'; there are: {}", name, join(names, ", "));
}

std::vector<std::string> urls(const KnownDataset& dataset, const RemoteFile& file) {
  std::vector<std::string> found;
  if (!dataset.commit.empty()) {
    const std::string_view repository = dataset.home.substr(dataset.home.find('/') + 1);
    found.push_back(
        fmt::format("https://raw.githubusercontent.com/{}/{}/{}", repository, dataset.commit, file.path));
    found.push_back(
        fmt::format("https://cdn.jsdelivr.net/gh/{}@{}/{}", repository, dataset.commit, file.path));
  }
  for (std::string_view mirror : dataset.mirrors) found.push_back(fmt::format("{}{}", mirror, file.name()));
  return found;
}

std::string local_path(const KnownDataset& dataset, const RemoteFile& file) {
  return fmt::format("{}{}{}", dataset.folder, dataset.folder.empty() ? "" : "/", file.name());
}

std::int64_t download_bytes(const KnownDataset& dataset) {
  std::int64_t sum = 0;
  for (const RemoteFile& file : dataset.files) {
    if (file.bytes == 0) return 0;
    sum += file.bytes;
  }
  return sum;
}

}  // namespace heatfront
