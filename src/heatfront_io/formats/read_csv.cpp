// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/tables/dataset_tables.h"
#include "heatfront_io/tables/target_table.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

struct CsvFiles {
  fs::path edges, features, labels, classes, split;  // empty: not given
};

struct FileKind {
  std::string_view name;
  fs::path CsvFiles::*file;
};
constexpr std::array kKinds = {FileKind{"edges", &CsvFiles::edges}, FileKind{"features", &CsvFiles::features},
                               FileKind{"labels", &CsvFiles::labels}, FileKind{"classes", &CsvFiles::classes},
                               FileKind{"split", &CsvFiles::split}};

bool is_table(const fs::path& path) {
  const std::string extension = extension_of(path);
  return extension == ".csv" || extension == ".tsv" || extension == ".txt";
}

bool is_edge_list(const fs::path& path) {
  const std::string extension = extension_of(path);
  return is_table(path) || extension == ".edges" || extension == ".edgelist";
}

const FileKind* kind_at_start(std::string_view text) {
  const auto kind = std::ranges::find_if(kKinds, [&](const FileKind& k) {
    return text.starts_with(k.name) && text.substr(k.name.size()).starts_with('=');
  });
  return kind == kKinds.end() ? nullptr : &*kind;
}

std::string kind_names() {
  std::vector<std::string_view> names;
  for (const FileKind& kind : kKinds) names.push_back(kind.name);
  return join(names, ", ");
}

// "edge" of "edge=links.tsv"; empty where a text does not begin so.
std::string_view role_at_start(std::string_view text) {
  const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return end != text.npos && text[end] == '=' ? text.substr(0, end) : std::string_view();
}

bool path_exists(const fs::path& path) {
  std::error_code unreadable;
  return fs::exists(path, unreadable);
}

// What is no file may be a misspelt role, at its start or after a comma.
void require_known_roles(std::string_view text) {
  if (path_exists(text)) return;
  for (std::size_t at = 0;;) {
    if (const std::string_view role = role_at_start(text.substr(at)); !role.empty()) {
      fail("{}=: unknown role '{}'; there are: {}, as in edges=FILE,labels=FILE", role, role, kind_names());
    }
    const std::size_t comma = text.find(',', at);
    if (comma == text.npos) return;
    at = comma + 1;
  }
}

// edges=PATH,features=PATH,…: a comma ends a path only where the next key begins.
CsvFiles files_listed(std::string_view text) {
  CsvFiles files;
  while (const FileKind* kind = kind_at_start(text)) {
    if (!(files.*kind->file).empty()) fail("{}: {} is given twice; give one file", text, kind->name);
    text.remove_prefix(kind->name.size() + 1);
    std::size_t end = text.find(',');
    while (end != text.npos && kind_at_start(text.substr(end + 1)) == nullptr) end = text.find(',', end + 1);
    files.*kind->file = text.substr(0, end);
    if ((files.*kind->file).empty()) fail("{}=: no file given; {}=PATH is expected", kind->name, kind->name);
    require_known_roles((files.*kind->file).native());
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return files;
}

const FileKind* kind_of(const fs::path& path) {
  const auto kind = std::ranges::find(kKinds, stem_of(path), &FileKind::name);
  return kind == kKinds.end() || !is_table(path) ? nullptr : &*kind;
}

// A table by its name, in whatever case, that no kind has.
bool is_unread(const fs::path& path) {
  std::string extension = extension_of(path);
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return (extension == ".csv" || extension == ".tsv" || extension == ".txt") && kind_of(path) == nullptr;
}

const FileKind* meant_by(const fs::path& path) {
  const auto kind = std::ranges::find_if(
      kKinds, [stem = stem_of(path)](const FileKind& k) { return nearly_same(stem, k.name); });
  return kind == kKinds.end() || !is_unread(path) ? nullptr : &*kind;
}

// A sentence for each file that is misspelt, and one for all others.
std::vector<std::string> notes_on_unread(const fs::path& folder, const CsvFiles& files) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> notes, others;
  for (const fs::path& path : files_of(folder)) {
    if (!is_unread(path)) continue;
    const std::string name = path.filename().string();
    const FileKind* const meant = meant_by(path);
    if (meant != nullptr && (files.*meant->file).empty()) {
      notes.push_back(fmt::format("{} is not read; did you mean {}.csv?", name, meant->name));
    } else {
      others.push_back(name);
    }
  }
  if (others.empty()) return notes;
  const bool many = others.size() > kMostNamed;
  if (many) others.resize(kMostNamed);
  notes.push_back(fmt::format("not read: {}{}", join(others, ", "), many ? ", …" : ""));
  return notes;
}

CsvFiles files_in_folder(const fs::path& folder) {
  CsvFiles files;
  for (const fs::path& path : files_of(folder)) {
    const FileKind* const kind = kind_of(path);
    if (kind == nullptr) continue;
    fs::path& file = files.*kind->file;
    if (!file.empty()) {
      fail("{}: {} and {} both hold {}; keep one of them", folder.string(), file.filename().string(),
           path.filename().string(), kind->name);
    }
    file = path;
  }
  return files;
}

CsvFiles files_at(const fs::path& path) {
  CsvFiles files{.edges = path};
  if (!role_at_start(path.native()).empty() && kind_at_start(path.native()) == nullptr)
    require_known_roles(path.native());
  if (kind_at_start(path.native()) != nullptr) files = files_listed(path.native());
  if (is_folder(path)) files = files_in_folder(path);
  if (files.edges.empty() && files.features.empty()) {
    const std::vector<std::string> unread =
        is_folder(path) ? notes_on_unread(path, files) : std::vector<std::string>();
    fail("{}: neither edges nor features; edges.csv or features.csv is missing, one of them is needed{}{}",
         path.string(), unread.empty() ? "" : "; ", join(unread, "; "));
  }
  return files;
}

std::optional<CsvTable> table_in(const fs::path& path) {
  return path.empty() ? std::nullopt : std::optional<CsvTable>(path);
}

std::optional<MatrixMarketArcs> matrix_at(const fs::path& path) {
  return is_matrix_market(path) ? std::optional(read_matrix_market_arcs(path)) : std::nullopt;
}

// What the files say, in the order in which they must be asked: nodes come from edges and features, and have
// their final numbers only when both have been read.
class CsvReader {
 public:
  CsvReader(const CsvFiles& files, Threads& threads)
      : files_(files),
        threads_(threads),
        matrix_(matrix_at(files.edges)),
        edges_(matrix_ ? std::nullopt : table_in(files.edges)),
        features_(table_in(files.features)),
        nodes_(text_size(edges_) + text_size(features_) + nodes_of(matrix_)) {}

  Dataset read(const ReadOptions& options, const std::string& where) {
    MatrixMarketArcs edges = read_edges();
    std::optional<FeatureTable> features;
    if (features_) features.emplace(*features_, nodes_, dataset_.notes);
    const std::vector<NodeId> renumbered = nodes_.settle();
    for (std::vector<NodeId>* ends : {&edges.arcs.from, &edges.arcs.to}) renumber(*ends, renumbered);
    edges.arcs.nodes = nodes_.count();
    take_graph(dataset_, build_graph(std::move(edges), threads_), options, where);
    if (features) {
      dataset_.features = features->read(nodes_);
      dataset_.feature_names = features->names();
    }
    if (!nodes_.is_numbering()) dataset_.node_names = nodes_.names();
    read_labels(options.labels);
    if (const auto table = table_in(files_.split)) {
      dataset_.split = read_split_table(*table, nodes_, dataset_.notes);
    }
    return std::move(dataset_);
  }

 private:
  static std::size_t text_size(const std::optional<CsvTable>& table) {
    return table ? table->text().size() : 0;
  }
  static std::size_t nodes_of(const std::optional<MatrixMarketArcs>& matrix) {
    return matrix ? static_cast<std::size_t>(matrix->arcs.nodes) : 0;
  }

  MatrixMarketArcs read_edges() {
    if (matrix_) {
      for (NodeId u = 0; u < matrix_->arcs.nodes; ++u) nodes_.number(std::int64_t{u});
      return *std::move(matrix_);
    }
    if (!edges_) return {};
    ArcList arcs = read_edge_table(*edges_, nodes_, dataset_.notes);
    edges_.reset();
    return {.arcs = std::move(arcs)};
  }

  void read_labels(std::optional<LabelKind> kind) {
    dataset_.labels.assign(static_cast<std::size_t>(nodes_.count()), kUnknown);
    if (!files_.classes.empty()) dataset_.class_names = read_class_table(files_.classes);
    const auto table = table_in(files_.labels);
    if (table && kind.value_or(LabelKind::classes) != LabelKind::classes) {
      dataset_.targets = read_target_table(*table, *kind, nodes_, std::exchange(dataset_.class_names, {}),
                                           dataset_.notes, std::string(kInNoTable));
    } else if (table) {
      Labels labels = read_label_table(*table, nodes_, std::move(dataset_.class_names), dataset_.notes);
      dataset_.labels = std::move(labels.labels);
      dataset_.class_names = std::move(labels.class_names);
      if (!kind && files_.classes.empty() && look_like_values(dataset_.class_names, dataset_.labels))
        fail(
            "{}: {} different numbers as labels; give --values if they are quantities, "
            "--classes if "
            "they are names",
            table->name(), dataset_.class_names.size());
    }
  }

  const CsvFiles& files_;
  Threads& threads_;
  std::optional<MatrixMarketArcs> matrix_;
  std::optional<CsvTable> edges_, features_;
  IdTable nodes_;
  Dataset dataset_;
};

}  // namespace

std::vector<fs::path> listed_files(std::string_view text) {
  const CsvFiles files = files_listed(text);
  std::vector<fs::path> listed;
  for (const FileKind& kind : kKinds) {
    if (!(files.*kind.file).empty()) listed.push_back(files.*kind.file);
  }
  return listed;
}

bool is_csv(const fs::path& path) {
  if (kind_at_start(path.native()) != nullptr) return true;
  if (!is_folder(path))
    return is_edge_list(path) || (!role_at_start(path.native()).empty() && !path_exists(path));
  return std::ranges::any_of(files_of(path), [](const fs::path& file) {
    return kind_of(file) != nullptr || meant_by(file) != nullptr;
  });
}

Dataset read_csv(const fs::path& path, const ReadOptions& options, Threads& threads) {
  const CsvFiles files = files_at(path);
  Dataset dataset = CsvReader(files, threads).read(options, path.string());
  const bool listed = kind_at_start(path.native()) != nullptr;
  if (is_folder(path)) std::ranges::move(notes_on_unread(path, files), std::back_inserter(dataset.notes));
  dataset.name = stem_of(!listed ? path : files.edges.empty() ? files.features : files.edges);
  check(dataset, path.string());
  return dataset;
}

}  // namespace heatfront
