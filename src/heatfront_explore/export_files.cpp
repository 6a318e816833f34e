// SPDX-License-Identifier: MIT
#include "heatfront_explore/export_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_explore/assets.h"
#include "heatfront_explore/wire.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/tables/label_file.h"
#include "heatfront_io/tables/write_predictions.h"
#include "heatfront_report/figures.h"
#include "heatfront_report/flow_report.h"

namespace heatfront::explore {
namespace {

// A folder that nobody else can look into, and that goes with this.
class ScratchFolder {
 public:
  ScratchFolder() : name_((std::filesystem::temp_directory_path() / "heatfront-XXXXXX").string()) {
    if (mkdtemp(name_.data()) == nullptr) fail("{}: no folder can be made there", name_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(name_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path file() const { return std::filesystem::path(name_) / "table.csv"; }

 private:
  std::string name_;
};

// What a writer of files writes.
template <class Write>
std::string text_written(const Write& write) {
  const ScratchFolder scratch;
  write(scratch.file());
  std::ifstream file(scratch.file(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string labels_file(Workbench& bench, const Matrix&) {
  return text_written([&](const auto& path) { write_held_labels(bench.session().model(), path); });
}

std::string predictions_file(Workbench& bench, const Matrix&) {
  return text_written(
      [&](const auto& path) { write_predictions(bench.data(), predictions_of(bench.answer()), path); });
}

std::string model_file(Workbench& bench, const Matrix& places) {
  TrainedModel model = bench.session().model();
  model.layout = places;
  const std::vector<std::byte> bytes = model_bytes(model);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// JSON that can stand in a script: no tag begins or ends in it.
std::string script_json(const Json& value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (std::size_t i = 0; (i = text.find('<', i)) != text.npos;) text.replace(i, 1, "\\u003c");
  return text;
}

std::string film_file(Workbench& bench, const Matrix& places) {
  const Dataset& data = bench.data();
  if (data.nodes() > kMostFilmNodes)
    fail("a film as a page can have at most {} nodes; there are {}", grouped(kMostFilmNodes),
         grouped(data.nodes()));
  const Json object = {{"name", data.name},
                       {"classes", data.class_names},
                       {"graph", base64(graph_bytes(data.graph, places))},
                       {"film", base64(film_bytes(bench.film(), bench.version()))}};
  std::string text(film_template());
  return text.replace(text.find(kFilmPlace), kFilmPlace.size(), script_json(object));
}

}  // namespace

std::span<const ExportKind> export_kinds() {
  constexpr std::string_view kTable = "text/csv; charset=utf-8";
  static constexpr std::array<ExportKind, 4> kKinds = {
      {{"labels", "-labels.csv", kTable, labels_file},
       {"predictions", "-predictions.csv", kTable, predictions_file},
       {"model", ".hf", "application/octet-stream", model_file},
       {"film", "-film.html", "text/html; charset=utf-8", film_file}}};
  return kKinds;
}

const ExportKind& find_export(std::string_view name) {
  const auto found = std::ranges::find(export_kinds(), name, &ExportKind::name);
  if (found != export_kinds().end()) return *found;
  std::vector<std::string_view> names;
  for (const ExportKind& kind : export_kinds()) names.push_back(kind.name);
  fail("there is no export '{}'; there are {}", name, join(names, ", "));
}

std::string file_stem(const std::string& name) {
  std::string stem = std::filesystem::path(name).stem().string();
  std::erase_if(stem, [](unsigned char c) { return !(std::isalnum(c) || c == '-' || c == '_'); });
  return stem.empty() ? "heatfront" : stem;
}

}  // namespace heatfront::explore
