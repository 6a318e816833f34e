// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/open.h"

#include <array>
#include <sstream>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/text.h"
#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_io/fetch/data_folder.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/formats/generated.h"
#include "heatfront_io/formats/read_arcs.h"
#include "heatfront_io/partitions/arcs_on_disk.h"
#include "heatfront_io/partitions/read_partition.h"
#include "heatfront_io/tables/id_table.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace embedded {
// Made by cmake/embed.cmake from data/.
extern const std::span<const unsigned char> digits;
extern const std::span<const unsigned char> karate_edges;
extern const std::span<const unsigned char> karate_labels;
}  // namespace embedded
namespace {

std::string_view text_of(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::istringstream after_header(std::span<const unsigned char> bytes) {
  const std::string_view text = text_of(bytes);
  return std::istringstream(std::string(text.substr(text.find('\n') + 1)));
}

// 65 numbers per line: 64 pixels, row by row, and the digit.
Dataset open_digits() {
  constexpr NodeId kPoints = 1797;
  constexpr std::int64_t kPixels = 64;
  std::istringstream text(unpack_gzip(text_of(embedded::digits), "digits"));
  Dataset dataset{.name = "digits", .graph = Graph::without_edges(kPoints)};
  Matrix pixels(kPoints, kPixels);
  char comma = 0;
  for (NodeId u = 0; u < kPoints; ++u) {
    for (Real& pixel : pixels.row(u)) text >> pixel >> comma;
    text >> dataset.labels.emplace_back();
  }
  dataset.features = Features(std::move(pixels));
  dataset.class_names = numbered_names(10);
  return dataset;
}

Dataset open_karate(Threads& threads) {
  ArcList arcs{.nodes = 34};
  char comma = 0;
  std::istringstream edges = after_header(embedded::karate_edges);
  for (NodeId u = 0, v = 0; edges >> u >> comma >> v;) {
    arcs.from.insert(arcs.from.end(), {u, v});
    arcs.to.insert(arcs.to.end(), {v, u});
  }
  Dataset dataset{.name = "karate", .graph = build_graph(std::move(arcs), threads).graph};
  dataset.class_names = {"Mr. Hi", "Officer"};
  std::istringstream labels = after_header(embedded::karate_labels);
  std::string side;
  for (NodeId u = 0; labels >> u >> comma && std::getline(labels, side);) {
    dataset.labels.push_back(side == dataset.class_names[0] ? 0 : 1);
  }
  return dataset;
}

const Format* format_of(const fs::path& path) {
  for (const Format& format : formats()) {
    if (format.recognises(path)) return &format;
  }
  return nullptr;
}

// Names are plain words; anything else is a path.
bool could_be_name(const std::string& text) {
  return !text.empty() && text.find('/') == std::string::npos && !text.starts_with('.');
}

// In the data folder, by catalogue or as it lies there; empty: not found.
fs::path in_data_folder(const std::string& name) {
  const fs::path folder = data_folder();
  if (folder.empty() || !could_be_name(name)) return {};
  if (const fs::path known = find_dataset(name, folder); !known.empty()) return known;
  for (const fs::path& place : {folder / (name + ".npz"), folder / name}) {
    std::error_code unreadable;
    if (fs::exists(place, unreadable) && format_of(place) != nullptr) return place;
  }
  return {};
}

// "a/x.npz, a/y.npz", the first ones where there are many.
std::string npz_files_in(const fs::path& folder) {
  constexpr std::size_t kMostNamed = 10;
  std::vector<std::string> names;
  for (const fs::path& file : files_of(folder)) {
    if (is_npz(file)) names.push_back(file.string());
  }
  const bool many = names.size() > kMostNamed;
  if (many) names.resize(kMostNamed);
  return join(names, ", ") + (many ? ", …" : "");
}

// "a/now, a/next_week", likewise.
std::string readable_folders_in(const fs::path& folder) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> names;
  for (const fs::path& inner : folders_of(folder)) {
    if (format_of(inner) != nullptr) names.push_back(inner.string());
  }
  const bool many = names.size() > kMostNamed;
  if (many) names.resize(kMostNamed);
  return join(names, ", ") + (many ? ", …" : "");
}

[[noreturn]] void fail_unknown(const std::string& text) {
  std::error_code unreadable;
  if (fs::exists(text, unreadable)) {
    std::vector<std::string_view> known;
    for (const Format& format : formats()) known.push_back(format.name);
    const std::string names = join(known, ", ");
    if (fs::is_directory(text, unreadable)) {
      if (const std::string files = npz_files_in(text); !files.empty())
        fail("{} is a folder; say which: {}", text, files);
      const std::string folders = readable_folders_in(text);
      fail("{}: no readable data in this folder; {}", text,
           folders.empty()
               ? "it should hold edges.csv, features.csv or labels.csv, or one of the formats " + names
               : "folders in it that can be read: " + folders);
    }
    if (is_spreadsheet(text)) fail("{}: spreadsheets are not read; save it as CSV", text);
    fail("{}: not of a known format; choose from: {}", text, names);
  }
  if (const KnownDataset* known = find_known(text)) {
    if (!known->only_as.empty()) fail_by_hand(*known, data_folder());
    fail("{}: not on this machine; `heatfront fetch {}` gets it into {}", text, known->name,
         data_folder().string());
  }
  if (!could_be_name(text) || text.find('.') != std::string::npos) fail("{}: no such file or folder", text);
  std::vector<std::string_view> names = {"digits", "karate"};
  for (const GeneratedDataset& generated : generated_datasets()) names.push_back(generated.name);
  for (const KnownDataset& known : known_datasets()) names.push_back(known.name);
  fail("{}: no such file or folder, and no data set of that name{}; `heatfront datasets` lists them", text,
       did_you_mean(text, names));
}

}  // namespace

void take_graph(Dataset& dataset, WeightedGraph built, const ReadOptions& options, const std::string& where) {
  if (options.refuse_one_way && built.report.one_way > 0) {
    fail("{}: {} given in one direction only; give both, or let them be completed", where,
         counted(built.report.one_way, "edge", built.report.one_way == 1 ? " is" : " are"));
  }
  dataset.graph = std::move(built.graph);
  dataset.weights = std::move(built.weights);
  dataset.changes = built.report;
}

ArcSink& ReadArcs::sink() {
  if (options_.on_disk != nullptr) return *options_.on_disk;
  return listed_;
}

void ReadArcs::give_to(Dataset& dataset, NodeId nodes, const std::vector<NodeId>& renumbered, bool both_ways,
                       const std::string& where, Threads& threads) {
  if (options_.on_disk != nullptr) {
    options_.on_disk->end(nodes, renumbered, both_ways);
    dataset.graph = Graph::without_edges(nodes);
    return;
  }
  for (std::vector<NodeId>* ends : {&listed_.list.from, &listed_.list.to}) renumber(*ends, renumbered);
  listed_.list.nodes = nodes;
  WeightedGraph built = build_graph(std::move(listed_.list), threads);
  if (both_ways) built.report.one_way = 0;
  take_graph(dataset, std::move(built), options_, where);
}

CsvTable arc_table(const fs::path& path, const ReadOptions& options, std::optional<Delimiter> delimiter) {
  if (options.on_disk == nullptr || path == kStandardInput) return CsvTable(path, delimiter);
  return {std::make_shared<const MappedText>(path, options.on_disk->folder()), path.string(), delimiter};
}

NodeId checked_node_count(std::int64_t declared, std::int64_t arcs, const std::string& place) {
  constexpr std::int64_t kAlways = 1 << 20;
  constexpr std::int64_t kAnArc = 16;
  if (declared < 0 || declared > kMostNodes)
    fail("{}: {} nodes; there can be 1 to {}", place, declared, kMostNodes);
  if (declared > kAlways && declared / kAnArc > arcs) {
    fail("{}: {} nodes, but {} arcs; that is too few for so many nodes", place, declared, arcs);
  }
  return static_cast<NodeId>(declared);
}

std::span<const Format> formats() {
  static constexpr std::array<Format, 8> kTable = {{
      {"partition", "a graph in parts, as `heatfront partition` writes it (NAME.hfp)", is_partition,
       [](const fs::path& path, const ReadOptions&, Threads& threads) {
         return read_partition(path, threads);
       }},
      {"npz", "gnn-benchmark npz: adj_*, attr_*, labels, *_idx", is_npz, read_npz},
      {"matrix-market", "Matrix Market, coordinate (.mtx)", is_matrix_market, read_matrix_market},
      {"planetoid", "raw Planetoid files ind.NAME.*", is_planetoid, read_planetoid},
      {"ogb", "OGB raw folder: edge.csv.gz, node-feat.csv.gz, node-label.csv.gz, or data.npz, node-label.npz",
       is_ogb, read_ogb},
      {"musae", "MUSAE folder: *edges.csv, *features.json, *target.csv", is_musae, read_musae},
      {"idx", "IDX images and labels, as MNIST has them", is_idx, read_idx},
      {"csv", "edges.csv, features.csv, labels.csv", is_csv, read_csv},
  }};
  return kTable;
}

Dataset open_dataset(const std::string& name_or_path, const ReadOptions& options, Threads& threads) {
  if (const Format* format = format_of(name_or_path)) return format->read(name_or_path, options, threads);
  if (is_generated(name_or_path)) return generate_dataset(name_or_path, threads);
  if (name_or_path == "digits") return open_digits();
  if (name_or_path == "karate") return open_karate(threads);
  const fs::path found = in_data_folder(name_or_path);
  const Format* format = found.empty() ? nullptr : format_of(found);
  if (format == nullptr) fail_unknown(name_or_path);
  Dataset dataset = format->read(found, options, threads);
  dataset.name = name_or_path;
  return dataset;
}

std::vector<fs::path> files_of_dataset(const std::string& name_or_path) {
  if (std::vector<fs::path> listed = listed_files(name_or_path); !listed.empty()) return listed;
  std::error_code unreadable;
  const fs::path path =
      fs::exists(name_or_path, unreadable) ? fs::path(name_or_path) : in_data_folder(name_or_path);
  if (is_folder(path)) return files_of(path);
  return path.empty() ? std::vector<fs::path>() : std::vector{path};
}

}  // namespace heatfront
