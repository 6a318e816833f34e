// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/catalogue.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace embedded {
extern const std::span<const unsigned char> catalogue;  // made by cmake/embed.cmake from data/catalogue.json
}  // namespace embedded

// What an object does not name keeps its default.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(RemoteFile, path, bytes, git_blob, sha256, md5, unpacked_md5)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(KnownDataset, name, title, nodes, edges, features, classes,
                                                licence, home, commit, mirrors, files, folder, places,
                                                embedded, only_as)

std::span<const KnownDataset> known_datasets() {
  static const auto table = nlohmann::json::parse(embedded::catalogue.begin(), embedded::catalogue.end())
                                .get<std::vector<KnownDataset>>();
  return table;
}

const KnownDataset* find_known(std::string_view name) {
  const auto found = std::ranges::find(known_datasets(), name, &KnownDataset::name);
  return found == known_datasets().end() ? nullptr : &*found;
}

const KnownDataset& known_dataset(std::string_view name) {
  if (const KnownDataset* known = find_known(name)) return *known;
  std::vector<std::string_view> names;
  for (const KnownDataset& known : known_datasets()) names.push_back(known.name);
  fail("unknown data set '{}'{}; choose from: {}", name, did_you_mean(name, names), join(names, ", "));
}

std::vector<std::string> urls(const KnownDataset& dataset, const RemoteFile& file) {
  std::vector<std::string> found;
  if (!dataset.commit.empty()) {
    const std::string repository = dataset.home.substr(dataset.home.find('/') + 1);
    found.push_back(
        fmt::format("https://raw.githubusercontent.com/{}/{}/{}", repository, dataset.commit, file.path));
    found.push_back(
        fmt::format("https://cdn.jsdelivr.net/gh/{}@{}/{}", repository, dataset.commit, file.path));
  }
  for (const std::string& mirror : dataset.mirrors) found.push_back(fmt::format("{}{}", mirror, file.name()));
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
