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
#include "heatfront/base/nearest.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/formats/read_arcs.h"
#include "heatfront_io/tables/dataset_tables.h"
#include "heatfront_io/tables/target_table.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

struct CsvFiles {
  fs::path edges, features, labels, classes, split;  // empty: not given

  bool operator==(const CsvFiles&) const = default;
};

struct FileKind {
  std::string_view name;
  fs::path CsvFiles::*file;
};
constexpr std::array kKinds = {FileKind{"edges", &CsvFiles::edges}, FileKind{"features", &CsvFiles::features},
                               FileKind{"labels", &CsvFiles::labels}, FileKind{"classes", &CsvFiles::classes},
                               FileKind{"split", &CsvFiles::split}};

bool is_edge_list(const fs::path& path) {
  const std::string extension = extension_of(path);
  return is_table_name(path) || extension == ".edges" || extension == ".edgelist";
}

const FileKind* kind_at_start(std::string_view text) {
  const auto kind = std::ranges::find_if(kKinds, [&](const FileKind& k) {
    return text.starts_with(k.name) && text.substr(k.name.size()).starts_with('=');
  });
  return kind == kKinds.end() ? nullptr : &*kind;
}

std::vector<std::string_view> kind_names() {
  std::vector<std::string_view> names;
  for (const FileKind& kind : kKinds) names.push_back(kind.name);
  return names;
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
      fail("{}=: unknown role '{}'{}; choose from: {}, as in edges=FILE,labels=FILE", role, role,
           did_you_mean(role, kind_names()), join(kind_names(), ", "));
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
  return kind == kKinds.end() || !is_table_name(path) ? nullptr : &*kind;
}

// A table by its name, in whatever case, that no kind has; a spreadsheet always.
bool is_unread(const fs::path& path) {
  std::string extension = extension_of(path);
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return is_spreadsheet(path) ||
         ((extension == ".csv" || extension == ".tsv" || extension == ".txt") && kind_of(path) == nullptr);
}

const FileKind* meant_by(const fs::path& path) {
  const auto kind = std::ranges::find_if(
      kKinds, [stem = stem_of(path)](const FileKind& k) { return nearly_same(stem, k.name); });
  return kind == kKinds.end() || !is_unread(path) ? nullptr : &*kind;
}

// A sentence for each file that is misspelt, and one for all others, by what name_of(path) calls them.
template <class NameOf>
std::vector<std::string> notes_on_unread(const fs::path& folder, const CsvFiles& files,
                                         const NameOf& name_of) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> notes, others;
  const auto is_read = [&](const fs::path& path) {
    return std::ranges::any_of(kKinds, [&](const FileKind& kind) { return files.*kind.file == path; });
  };
  for (const fs::path& path : files_of(folder)) {
    if (!is_unread(path) || is_read(path)) continue;
    const std::string name = path.filename().string();
    const FileKind* const meant = meant_by(path);
    const bool is_missed = meant != nullptr && (files.*meant->file).empty();
    if (is_spreadsheet(path)) {
      notes.push_back(
          fmt::format("{} is not read; save it as {}.csv", name, is_missed ? meant->name : stem_of(path)));
    } else if (is_missed) {
      notes.push_back(fmt::format("{} is not read; did you mean {}.csv?", name, meant->name));
    } else {
      others.push_back(name_of(path));
    }
  }
  for (const fs::path& path : folders_of(folder)) {
    const FileKind* const kind = kind_of(path.filename());
    if (kind != nullptr && (files.*kind->file).empty())
      notes.push_back(fmt::format("{} is not read: it is a folder, not a table", path.filename().string()));
  }
  if (others.empty()) return notes;
  const bool many = others.size() > kMostNamed;
  if (many) others.resize(kMostNamed);
  notes.push_back(fmt::format("not read: {}{}", join(others, ", "), many ? ", …" : ""));
  return notes;
}

std::vector<std::string> notes_on_unread(const fs::path& folder, const CsvFiles& files) {
  return notes_on_unread(folder, files, [](const fs::path& path) { return path.filename().string(); });
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

// Enough of a table for its first row and what tells that it is a header.
CsvTable beginning_of(const fs::path& path) {
  constexpr std::uint64_t kEnough = 1 << 16;  // bytes
  std::string text = first_bytes(path, kEnough);
  if (text.size() == kEnough) text.resize(text.rfind('\n') + 1);
  return {std::move(text), path.string()};
}

// "links.csv (wer, wen, …)": with the cells of its first row.
std::string name_and_first_row(const fs::path& path) {
  constexpr std::size_t kMostCells = 6;
  std::string name = path.filename().string();
  try {
    const CsvTable table = beginning_of(path);
    CsvRows rows = table.rows();
    if (!rows.try_next() || rows.problem() != nullptr) return name;
    std::vector<std::string> cells;
    for (const std::string_view cell : rows.cells().first(std::min(kMostCells, rows.cells().size())))
      cells.push_back(shown(cell));
    return fmt::format("{} ({}{})", name, join(cells, ", "), rows.cells().size() > kMostCells ? ", …" : "");
  } catch (const Error&) {  // no table
    return name;
  }
}

// What a table of any name holds, by its header alone. Predictions are no labels.
HeldByTable held_by_file(const fs::path& path, const ColumnChoice& choice) {
  if (!is_table_name(path) || path.extension() == ".gz") return {};
  try {
    return held_by(beginning_of(path), choice);
  } catch (const Error&) {  // no table: not ours to read
    return {};
  }
}

const FileKind* kind_holding(TableContent content) {
  switch (content) {
    case TableContent::edges: return &kKinds[0];
    case TableContent::features: return &kKinds[1];
    case TableContent::labels: return &kKinds[2];
    case TableContent::other: break;
  }
  return nullptr;
}

// Of two tables that may be the features, one of two columns may be meant for the labels: " (…)", or nothing.
std::string label_advice(const FileKind& kind, std::initializer_list<fs::path> paths) {
  if (kind.file != &CsvFiles::features) return "";
  for (const fs::path& path : paths) {
    const CsvTable table = beginning_of(path);
    CsvRows rows = table.rows();
    if (rows.try_next() && rows.problem() == nullptr && rows.cells().size() == 2)
      return fmt::format(" (if {} holds the labels, --label {} says so)", path.filename().string(),
                         shown(rows.cells()[1]));
  }
  return "";
}

// Of the roles that no file of the folder has by its name: those whose headers say what they hold, where there is one of each. A table
// of all nodes with a column of labels is one of features where there is no other, and `choice` then has that column.
CsvFiles files_by_header(const fs::path& folder, const CsvFiles& named, ColumnChoice& choice) {
  constexpr std::size_t kMostFiles = 20;
  CsvFiles files;
  HeldByTable labels;
  const std::vector<fs::path> all = files_of(folder);
  if (all.size() > kMostFiles) return files;
  for (const fs::path& path : all) {
    if (kind_of(path) != nullptr) continue;
    HeldByTable held = held_by_file(path, choice);
    const FileKind* const kind = kind_holding(held.content);
    if (kind == nullptr || !(named.*kind->file).empty()) continue;
    if (held.content == TableContent::labels) labels = std::move(held);
    if (!(files.*kind->file).empty())
      fail("{}: both {} and {} may be the {}{}; say which, as in edges=FILE,features=FILE,labels=FILE",
           folder.string(), (files.*kind->file).filename().string(), path.filename().string(), kind->name,
           label_advice(*kind, {files.*kind->file, path}));
    files.*kind->file = path;
  }
  if (named.features.empty() && files.features.empty() && labels.lists_others) {
    std::swap(files.features, files.labels);
    choice.label = labels.label;
  }
  return files;
}

// "links.csv holds the edges, accounts.csv the features".
std::string roles_text(const CsvFiles& files) {
  std::vector<std::string> roles;
  for (const FileKind& kind : kKinds) {
    if (!(files.*kind.file).empty())
      roles.push_back(fmt::format("{} {}the {}", (files.*kind.file).filename().string(),
                                  roles.empty() ? "holds " : "", kind.name));
  }
  return join(roles, ", ");
}

std::ptrdiff_t counted_roles(const CsvFiles& files) {
  return std::ranges::count_if(kKinds, [&](const FileKind& kind) { return !(files.*kind.file).empty(); });
}

// Tables that say nothing of themselves are likely the edges.
void require_all_read(const fs::path& folder, const CsvFiles& files) {
  const std::vector<std::string> unread = notes_on_unread(folder, files, name_and_first_row);
  if (!unread.empty())
    fail(
        "{}: no table says by its header that it has the edges; {}; --source and --target name the columns, "
        "or "
        "edges=FILE,features=FILE,labels=FILE says which table is which",
        folder.string(), join(unread, "; "));
}

// Those that have the name of a kind, and those found `by_header` for the roles that are left.
CsvFiles files_of_tables(const fs::path& folder, ColumnChoice& choice, CsvFiles& by_header) {
  CsvFiles files = files_in_folder(folder);
  by_header = files_by_header(folder, files, choice);
  for (const FileKind& kind : kKinds) {
    if ((files.*kind.file).empty()) files.*kind.file = by_header.*kind.file;
  }
  return files;
}

CsvFiles files_at(const fs::path& path, ColumnChoice& choice, CsvFiles& by_header) {
  CsvFiles files{.edges = path};
  if (!role_at_start(path.native()).empty() && kind_at_start(path.native()) == nullptr)
    require_known_roles(path.native());
  if (kind_at_start(path.native()) != nullptr) files = files_listed(path.native());
  if (is_folder(path)) files = files_of_tables(path, choice, by_header);
  if (is_folder(path) && files == by_header && files.edges.empty()) require_all_read(path, files);
  if (files.edges.empty() && files.features.empty()) {
    const std::vector<std::string> unread =
        is_folder(path) ? notes_on_unread(path, files) : std::vector<std::string>();
    fail("{}: neither edges nor features; edges.csv or features.csv is missing, one of them is needed{}{}{}",
         path.string(), unread.empty() ? "" : "; ", join(unread, "; "),
         unread.empty() ? "" : "; edges=FILE,features=FILE,labels=FILE says which table is which");
  }
  return files;
}

std::optional<CsvTable> table_in(const fs::path& path, Problems& problems) {
  std::optional<CsvTable> table;
  if (!path.empty()) problems.collect([&] { table.emplace(path); });
  return table;
}

// What the files say, in the order in which they must be asked: nodes come from edges, features and labels, and have
// their final numbers only when all have been read. All that is wrong is said at once.
class CsvReader {
 public:
  CsvReader(const CsvFiles& files, ColumnChoice choice, const ReadOptions& options, Threads& threads)
      : choice_(std::move(choice)),
        options_(options),
        threads_(threads),
        arcs_(options),
        matrix_(matrix_at(files.edges)),
        edges_(matrix_ ? std::nullopt : edges_in(files.edges)),
        features_(table_in(files.features, problems_)),
        labels_(table_in(files.labels, problems_)),
        split_(table_in(files.split, problems_)),
        nodes_(text_size(edges_) + text_size(features_) + text_size(labels_) + nodes_of(matrix_)) {
    if (!files.classes.empty())
      problems_.collect([&] { dataset_.class_names = read_class_table(files.classes); });
  }

  Dataset read(const std::string& where) {
    require_chosen_columns();
    problems_.collect([&] { read_edges(); });
    std::optional<FeatureTable> features;
    if (features_)
      problems_.collect([&] { features.emplace(*features_, choice_, nodes_, dataset_.notes, problems_); });
    std::optional<LabelTable> labels;
    const bool are_targets = (labels_ || (features && features->header().find_named(choice_.label))) &&
                             options_.labels.value_or(LabelKind::classes) != LabelKind::classes;
    ColumnChoice target_choice = choice_;
    problems_.collect([&] {
      if (are_targets && labels_) {
        number_target_nodes(*labels_, *options_.labels, target_choice, nodes_, dataset_.notes);
      } else if (are_targets) {
        target_choice.node = features->header().names()[features->node_column()];
      } else {
        open_labels(features, labels);
      }
    });
    const std::vector<NodeId> renumbered = nodes_.settle();
    dataset_.labels.assign(static_cast<std::size_t>(nodes_.count()), kUnknown);
    if (features) problems_.collect([&] { read_features(*features); });
    if (labels) problems_.collect([&] { read_labels(*labels, options_.labels); });
    if (are_targets) problems_.collect([&] { read_targets(*options_.labels, target_choice); });
    if (split_ && !problems_.any())  // else nodes may be missing that it names
      problems_.collect(
          [&] { dataset_.split = read_split_table(*split_, choice_, nodes_, dataset_.notes, problems_); });
    problems_.throw_if_any();
    arcs_.give_to(dataset_, nodes_.count(), renumbered, matrix_ && matrix_->symmetric, where, threads_);
    if (!nodes_.is_numbering()) dataset_.node_names = nodes_.names();
    if (!nodes_.all_integers())
      std::ranges::move(nodes_alike(dataset_.node_names), std::back_inserter(dataset_.notes));
    return std::move(dataset_);
  }

 private:
  static std::size_t text_size(const std::optional<CsvTable>& table) {
    return table ? table->text().size() : 0;
  }
  static std::size_t nodes_of(const std::optional<MatrixMarketShape>& matrix) {
    return matrix ? static_cast<std::size_t>(matrix->nodes) : 0;
  }

  std::optional<MatrixMarketShape> matrix_at(const fs::path& path) {
    return is_matrix_market(path) ? std::optional(read_matrix_market_arcs(path, options_, arcs_.sink()))
                                  : std::nullopt;
  }
  std::optional<CsvTable> edges_in(const fs::path& path) {
    std::optional<CsvTable> table;
    if (!path.empty()) problems_.collect([&] { table.emplace(arc_table(path, options_)); });
    return table;
  }

  void read_edges() {
    if (matrix_) {
      for (NodeId u = 0; u < matrix_->nodes; ++u) nodes_.number(std::int64_t{u});
      return;
    }
    if (!edges_) return;
    std::vector<const CsvTable*> others;
    for (const std::optional<CsvTable>* table : {&features_, &labels_})
      if (*table) others.push_back(&**table);
    ColumnChoice choice = choice_;
    find_edge_header(*edges_, others, choice, dataset_.notes);
    read_edge_table(*edges_, choice, nodes_, arcs_.sink(), dataset_.notes, problems_);
    edges_.reset();
  }

  void read_features(FeatureTable& table) {
    dataset_.features = table.read(nodes_, dataset_.notes, problems_);
    dataset_.feature_names = table.names();
    dataset_.table = table.schema();
    if (labels_ || !choice_.label.empty()) return;
    for (const TableColumn& column : dataset_.table.columns) {
      if (std::ranges::count(kLabelNames, std::string_view(column.name)) > 0)
        dataset_.notes.push_back(
            fmt::format("{}: column '{}' is read as a feature; --label {} makes it the label",
                        features_->name(), shown(column.name), shown(column.name)));
    }
  }

  // In a table of their own, or in a column of the features that --label names.
  void open_labels(const std::optional<FeatureTable>& features, std::optional<LabelTable>& labels) {
    if (labels_) {
      labels.emplace(*labels_, choice_, dataset_.notes);
      labels->number_nodes(nodes_, dataset_.notes);
    } else if (features) {
      if (const auto column = features->header().find_named(choice_.label))
        labels.emplace(*features_, features->header(),
                       NodeColumns{.node = features->node_column(), .value = *column});
    }
  }

  void read_labels(const LabelTable& table, std::optional<LabelKind> kind) {
    const bool listed = !dataset_.class_names.empty();
    Labels labels = table.read(nodes_, std::move(dataset_.class_names), dataset_.notes, problems_);
    dataset_.labels = std::move(labels.labels);
    dataset_.class_names = std::move(labels.class_names);
    if (!kind && !listed && look_like_values(dataset_.class_names, dataset_.labels))
      fail(
          "{}: {} different numbers as labels; give --values if they are quantities, --classes if they are "
          "names",
          labels_ ? labels_->name() : features_->name(), dataset_.class_names.size());
  }

  void read_targets(LabelKind kind, const ColumnChoice& choice) {
    dataset_.targets = read_target_table(labels_ ? *labels_ : *features_, choice, kind, nodes_,
                                         std::exchange(dataset_.class_names, {}), dataset_.notes,
                                         std::string(kInNoTable), problems_);
  }

  // What was asked for must be in the header of a table.
  void require_chosen_columns() {
    std::vector<std::string> names, headers;
    for (const std::optional<CsvTable>* table : {&edges_, &features_, &labels_, &split_}) {
      if (!*table) continue;
      CsvRows rows = (*table)->rows();
      if (!rows.try_next() || rows.problem() != nullptr) continue;
      std::vector<std::string> cells;
      for (const std::string_view cell : rows.cells()) cells.push_back(shown(cell));
      headers.push_back(fmt::format("{} has {}", (*table)->name(), join(cells, ", ")));
      names.insert(names.end(), cells.begin(), cells.end());
    }
    const auto require = [&](std::string_view flag, const std::string& name) {
      if (name.empty() || std::ranges::find(names, name) != names.end()) return;
      if (std::ranges::any_of(names, [&](const std::string& there) { return same_name(there, name); }))
        return;
      problems_.add(fmt::format("{} {}: no table has such a column{}; {}", flag, shown(name),
                                did_you_mean(name, names), join(headers, "; ")));
    };
    require("--source", choice_.source);
    require("--target", choice_.target);
    require("--weight", choice_.weight);
    require("--node", choice_.node);
    require("--label", choice_.label);
    for (const std::string& name : choice_.ignored) require("--ignore", name);
  }

  ColumnChoice choice_;
  const ReadOptions& options_;
  Threads& threads_;
  Problems problems_;
  ReadArcs arcs_;
  std::optional<MatrixMarketShape> matrix_;
  std::optional<CsvTable> edges_, features_, labels_, split_;
  IdTable nodes_;
  Dataset dataset_;
};

// Standard input can be read once.
void require_one_standard_input(const CsvFiles& files) {
  const auto count =
      std::ranges::count_if(kKinds, [&](const FileKind& kind) { return files.*kind.file == kStandardInput; });
  if (count > 1) fail("-: standard input can be one table only; give files for the others");
}

}  // namespace

std::vector<fs::path> listed_files(std::string_view text) {
  const CsvFiles files = files_listed(text);
  std::vector<fs::path> listed;
  for (const FileKind& kind : kKinds) {
    if (!(files.*kind.file).empty()) listed.push_back(files.*kind.file);
  }
  return listed;
}

bool has_tables_by_header(const fs::path& folder) {
  return std::ranges::any_of(files_of(folder), [](const fs::path& file) {
    return kind_of(file) == nullptr && held_by_file(file, {}).content == TableContent::edges;
  });
}

bool is_csv(const fs::path& path) {
  if (kind_at_start(path.native()) != nullptr || path == kStandardInput) return true;
  if (!is_folder(path))
    return is_edge_list(path) || (!role_at_start(path.native()).empty() && !path_exists(path));
  const std::vector<fs::path> files = files_of(path);
  if (std::ranges::any_of(
          files, [](const fs::path& file) { return kind_of(file) != nullptr || meant_by(file) != nullptr; }))
    return true;
  return std::ranges::any_of(files, is_table_name) && std::ranges::none_of(files, is_npz);
}

Dataset read_csv(const fs::path& path, const ReadOptions& options, Threads& threads) {
  ColumnChoice choice = options.columns;
  CsvFiles by_header;
  const CsvFiles files = files_at(path, choice, by_header);
  require_one_standard_input(files);
  Dataset dataset = CsvReader(files, choice, options, threads).read(path.string());
  const bool listed = kind_at_start(path.native()) != nullptr;
  if (is_folder(path)) {
    if (by_header != CsvFiles{})
      dataset.notes.insert(
          dataset.notes.begin(),
          fmt::format("by {}, {}{}", counted_roles(by_header) == 1 ? "its header" : "their headers",
                      roles_text(by_header),
                      choice.label == options.columns.label
                          ? ""
                          : fmt::format(", and '{}' in it is the label", shown(choice.label))));
    std::ranges::move(notes_on_unread(path, files), std::back_inserter(dataset.notes));
  }
  dataset.name = stem_of(!listed ? path : files.edges.empty() ? files.features : files.edges);
  if (dataset.name == kStandardInput) dataset.name = "standard input";
  check(dataset, path.string());
  return dataset;
}

}  // namespace heatfront
