// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/command.h"
#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_io/fetch/data_folder.h"
#include "heatfront_io/formats/generated.h"

namespace heatfront::cli {
namespace datasets_command {

std::string size_text(std::int64_t bytes) {
  return bytes == 0 ? "?" : fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string count_text(std::int64_t count) { return count == 0 ? "–" : grouped(count); }

std::string where_text(const KnownDataset& known, const std::filesystem::path& found) {
  if (known.embedded) return "built in";
  if (!found.empty()) return found.string();
  if (!known.only_as.empty()) return "absent, to be placed by hand";
  return fmt::format("absent, `heatfront fetch {}` ({})", known.name, size_text(download_bytes(known)));
}

std::string generated_text(const GeneratedDataset& generated) {
  std::string text = fmt::format("{}:", generated.name);
  for (const GeneratedParameter& parameter : generated.parameters) {
    text += fmt::format("{}{}={}", text.back() == ':' ? "" : ",", parameter.name, parameter.value);
  }
  return text;
}

void run(Console& console) {
  const std::filesystem::path folder = data_folder();
  Json known_objects = Json::array(), generated_objects = Json::array();
  std::vector<std::vector<std::string>> rows = {
      {"name", "nodes", "edges", "features", "classes", "licence", "source", "where"}};
  for (const KnownDataset& known : known_datasets()) {
    const std::filesystem::path found =
        known.embedded ? std::filesystem::path() : find_dataset(known, folder);
    rows.push_back({std::string(known.name), count_text(known.nodes), count_text(known.edges),
                    count_text(known.features), count_text(known.classes), std::string(known.licence),
                    std::string(known.home), where_text(known, found)});
    known_objects.push_back({{"name", known.name},
                             {"what", known.title},
                             {"nodes", known.nodes},
                             {"edges", known.edges},
                             {"features", known.features},
                             {"classes", known.classes},
                             {"licence", known.licence},
                             {"source", known.home},
                             {"download_bytes", download_bytes(known)},
                             {"present", known.embedded || !found.empty()},
                             {"where", known.embedded  ? Json("built in")
                                       : found.empty() ? Json()
                                                       : Json(found.string())}});
  }
  std::string made = "\n\nMade on the spot, with these values unless others are given:";
  for (const GeneratedDataset& generated : generated_datasets()) {
    made += fmt::format("\n  {:<58} {}", generated_text(generated), generated.what);
    generated_objects.push_back(
        {{"name", generated.name}, {"what", generated.what}, {"example", generated_text(generated)}});
  }
  console.result({{"folder", folder.string()}, {"datasets", known_objects}, {"generated", generated_objects}},
                 table(rows) + made + fmt::format("\n\nThe data folder is {}", path_text(folder)));
}

std::function<void()> define(Flags&, Console& console) {
  return [&console] { run(console); };
}

}  // namespace datasets_command

const Command kDatasetsCommand{"datasets", "Lists the data sets that are known by name", "heatfront datasets",
                               datasets_command::define};

}  // namespace heatfront::cli
