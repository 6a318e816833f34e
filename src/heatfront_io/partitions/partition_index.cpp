// SPDX-License-Identifier: MIT
#include "heatfront_io/partitions/partition_index.h"

#include <nlohmann/json.hpp>
#include <numeric>

#include "heatfront/base/fail.h"
#include "heatfront/base/fingerprint.h"
#include "heatfront/base/sha256.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/formats/table_schema_text.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

using IndexJson = nlohmann::ordered_json;

constexpr int kIndexVersion = 1;
constexpr std::string_view kIndexFormat = "heatfront partition";
constexpr std::size_t kDigestBytes = 8;
constexpr std::uint64_t kMostIndexBytes = 64 << 20;

IndexJson json_of_index(const PartitionIndex& index) {
  IndexJson parts = IndexJson::array();
  for (const PartEntry& part : index.parts) {
    parts.push_back({{"rows", part.count.rows},
                     {"arcs", part.count.arcs},
                     {"cut", part.count.cut},
                     {"ghosts", part.count.ghosts},
                     {"neighbours", part.count.neighbours},
                     {"digests", part.digests}});
  }
  IndexJson json = {{"format", kIndexFormat},     {"version", kIndexVersion},
                    {"name", index.name},         {"method", index.method},
                    {"nodes", index.nodes},       {"arcs", index.arcs},
                    {"weighted", index.weighted}, {"nodes_digest", index.nodes_digest}};
  if (const PartFeatures& features = index.features; features.columns > 0) {
    json["features"] = {
        {"columns", features.columns}, {"sparse", features.sparse}, {"names", features.names}};
    if (features.table.present()) json["features"]["table"] = schema_text(features.table);
  }
  json["parts"] = std::move(parts);
  return json;
}

std::string text_digest(const std::string& text) { return digest_of(std::as_bytes(std::span(text))); }

PartFeatures features_of(const IndexJson& json, const std::string& where) {
  PartFeatures features{
      .columns = json.at("columns"), .sparse = json.at("sparse"), .names = json.at("names"), .table = {}};
  if (const auto table = json.find("table"); table != json.end())
    features.table = schema_of_text(table->get<std::string>(), where);
  return features;
}

PartitionIndex index_of(const IndexJson& json, const std::string& where) {
  PartitionIndex index{.name = json.at("name"),
                       .method = json.at("method"),
                       .nodes = json.at("nodes"),
                       .arcs = json.at("arcs"),
                       .weighted = json.at("weighted"),
                       .nodes_digest = json.at("nodes_digest"),
                       .features = {},
                       .parts = {}};
  if (const auto features = json.find("features"); features != json.end())  // of newer folders
    index.features = features_of(*features, where);
  for (const IndexJson& part : json.at("parts")) {
    index.parts.push_back({.count = {.rows = part.at("rows"),
                                     .arcs = part.at("arcs"),
                                     .cut = part.at("cut"),
                                     .ghosts = part.at("ghosts"),
                                     .neighbours = part.at("neighbours")},
                           .digests = part.at("digests")});
  }
  return index;
}

}  // namespace

std::vector<std::int64_t> PartitionIndex::starts() const {
  std::vector<std::int64_t> result = {0};
  for (const PartEntry& part : parts) result.push_back(result.back() + part.count.rows);
  return result;
}

bool is_partition(const fs::path& path) {
  std::error_code unreadable;
  return extension_of(path.has_filename() ? path : path.parent_path()) == kPartitionEnding &&
         fs::is_directory(path, unreadable);
}

fs::path part_folder(const fs::path& folder, int part) { return folder / fmt::format("part-{:04}", part); }

void write_index(const PartitionIndex& index, const fs::path& folder) {
  IndexJson json = json_of_index(index);
  json["digest"] = text_digest(json.dump());
  write_file(folder / "index.json", json.dump(1) + "\n");
}

PartitionIndex read_index(const fs::path& folder) {
  const fs::path path = folder / "index.json";
  std::error_code unreadable;
  if (!fs::exists(path, unreadable))
    fail("{}: there is no index.json in it; `heatfront partition` writes such a folder", folder.string());
  IndexJson json = IndexJson::parse(read_bytes(path, kMostIndexBytes), nullptr, false);
  if (!json.is_object() || json.value("format", "") != kIndexFormat)
    fail("{}: it is no index of a partition; `heatfront partition` writes it", path.string());
  const auto version = json.find("version");
  if (version == json.end() || *version != kIndexVersion)
    fail("{}: of version {}; this program reads version {}", path.string(),
         version == json.end() ? "?" : version->dump(), kIndexVersion);
  const auto digest = json.find("digest");
  const IndexJson said = digest == json.end() ? IndexJson() : *digest;
  json.erase("digest");
  if (said != text_digest(json.dump()))
    fail("{}: it does not say any more what was written; make the partition anew", path.string());
  PartitionIndex index;
  try {
    index = index_of(json, path.string());
  } catch (const IndexJson::exception& error) {
    fail("{}: {}", path.string(), error.what());
  }
  ArcId arcs = 0;
  std::int64_t rows = 0;
  for (const PartEntry& part : index.parts) {
    if (part.count.rows < 0 || part.count.arcs < 0) fail("{}: a part has a negative size", path.string());
    arcs += part.count.arcs;
    rows += part.count.rows;
  }
  if (index.parts.empty() || std::ssize(index.parts) > kMostParts || rows != index.nodes ||
      arcs != index.arcs || rows > kMostNodes)
    fail("{}: {} parts with {} rows and {} arcs; the graph has {} and {}", path.string(), index.parts.size(),
         rows, arcs, index.nodes, index.arcs);
  return index;
}

std::string short_digest(Sha256& digest) {
  const std::array<std::byte, 32> whole = digest.digest();
  return hex_of(std::span(whole).first(kDigestBytes));
}

std::string digest_of(std::span<const std::byte> bytes) {
  Sha256 digest;
  digest.add(bytes);
  return short_digest(digest);
}

}  // namespace heatfront
