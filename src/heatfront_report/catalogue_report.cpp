// SPDX-License-Identifier: MIT
#include "heatfront_report/catalogue_report.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront_io/fetch/data_folder.h"
#include "heatfront_io/formats/generated.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

// " (1.2 MB)"; nothing where nobody knows.
std::string size_text(std::int64_t bytes) {
  return bytes == 0 ? "" : fmt::format(" ({:.1f} MB)", static_cast<double>(bytes) / 1e6);
}

std::string count_text(std::int64_t count) { return count == 0 ? "–" : grouped(count); }

std::string where_text(const KnownDataset& known, const std::filesystem::path& found) {
  if (known.embedded) return "built in";
  if (!found.empty()) return found.string();
  if (!known.only_as.empty())
    return fmt::format("absent; `heatfront fetch {}` says how to get it", known.name);
  return fmt::format("absent; `heatfront fetch {}` gets it{}", known.name, size_text(download_bytes(known)));
}

std::int64_t downloaded_bytes(const FetchReport& report) {
  std::int64_t bytes = 0;
  for (const FetchedFile& file : report.files) bytes += file.downloaded;
  return bytes;
}

}  // namespace

DatasetList list_datasets() {
  DatasetList list{.folder = data_folder(), .datasets = {}};
  for (const KnownDataset& known : known_datasets())
    list.datasets.push_back({known, known.embedded ? "" : find_dataset(known, list.folder)});
  return list;
}

Json json_of(const DatasetList& list) {
  Json datasets = Json::array(), generated = Json::array();
  for (const auto& [known, found] : list.datasets) {
    datasets.push_back({{"name", known.name},
                        {"what", known.title},
                        {"nodes", known.nodes},
                        {"edges", known.edges},
                        {"features", known.features},
                        {"classes", known.classes},
                        {"licence", known.licence},
                        {"source", known.home},
                        {"download_bytes", download_bytes(known)},
                        {"present", known.embedded || !found.empty()},
                        {"where", known.embedded ? Json("built in") : json_path(found)}});
  }
  for (const GeneratedDataset& made : generated_datasets())
    generated.push_back({{"name", made.name}, {"what", made.what}, {"example", example_of(made)}});
  return {{"folder", list.folder.string()}, {"datasets", datasets}, {"generated", generated}};
}

std::string text_of(const DatasetList& list) {
  TextRows rows = {{"name", "nodes", "edges", "features", "classes", "licence", "source", "where"}};
  for (const auto& [known, found] : list.datasets) {
    rows.push_back({std::string(known.name), count_text(known.nodes), count_text(known.edges),
                    count_text(known.features), count_text(known.classes), std::string(known.licence),
                    std::string(known.home), where_text(known, found)});
  }
  std::string made = "\n\nMade on the spot, with these values unless others are given:";
  constexpr std::size_t kExampleColumns = 58;
  for (const GeneratedDataset& generated : generated_datasets()) {
    const std::string example = example_of(generated);
    made += fmt::format("\n  {:<{}} ", example, kExampleColumns);
    if (example.size() > kExampleColumns) made += fmt::format("\n{:{}}", "", kExampleColumns + 3);
    made += generated.what;
  }
  return text_table(rows) + made + fmt::format("\n\nThe data folder is {}", path_text(list.folder));
}

Json json_of(const KnownDataset& known, const FetchReport& report) {
  Json files = Json::array();
  for (const FetchedFile& file : report.files) {
    files.push_back({{"path", file.path.string()},
                     {"bytes", file.bytes},
                     {"downloaded", file.downloaded},
                     {"url", file.url.empty() ? Json() : Json(file.url)}});
  }
  return {{"dataset", known.name},
          {"path", json_path(report.opens)},
          {"downloaded", downloaded_bytes(report)},
          {"files", files}};
}

std::string text_of(const KnownDataset& known, const FetchReport& report) {
  if (known.embedded) return fmt::format("{}: built in, nothing to fetch", known.name);
  const std::int64_t downloaded = downloaded_bytes(report);
  if (downloaded == 0) return fmt::format("{} is there already, at {}", known.name, path_text(report.opens));
  return fmt::format("{}: {} bytes fetched and checked, now at {}", known.name, grouped(downloaded),
                     path_text(report.opens));
}

}  // namespace heatfront
