// SPDX-License-Identifier: MIT
// The eight files ind.NAME.* as everyone reads them:
//
//   nodes 0, 1, …        the rows of allx and ally; the first, as many as x has rows, train, the next 500 validate
//   node test.index[i]   row i of tx and ty; these test
//   nodes left over      (15 in Citeseer, known from the graph alone) no features, class 0, no place in the split
//
// graph is a dict from node to list of neighbours, with repeats and loops. A row of y, ty or ally has a 1 in
// the column of the class; a row of zeros is a node whose class nobody told, and has no place in the split.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/arrays/sparse_arrays.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/pickle/pickle.h"
#include "heatfront_io/tables/csv_table.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

using Kind = PickleKind;

constexpr NodeId kValidation = 500;
constexpr NodeId kLeftOver = -1;

constexpr std::array<std::string_view, 8> kParts = {"x",    "y",    "tx",    "ty",
                                                    "allx", "ally", "graph", "test.index"};

bool is_there(const fs::path& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

// "ind.NAME.{x,y,…}", for error lines.
std::string all_files(std::string_view name) { return fmt::format("ind.{}.{{{}}}", name, join(kParts, ",")); }

// NAME of "ind.NAME.PART".
std::optional<std::string> name_in(std::string_view file) {
  if (!file.starts_with("ind.")) return {};
  file.remove_prefix(4);
  for (const std::string_view part : kParts) {
    if (!file.ends_with(part)) continue;
    const std::string_view name = file.substr(0, file.size() - part.size());
    if (name.size() >= 2 && name.ends_with('.')) return std::string(name.substr(0, name.size() - 1));
  }
  return {};
}

std::set<std::string> names_in_folder(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::path& file : files_of(folder)) {
    if (auto name = name_in(file.filename().string())) names.insert(std::move(*name));
  }
  return names;
}

// The eight files of a data set: FOLDER/ind.NAME.PART.
struct PlanetoidFiles {
  fs::path folder;
  std::string name;

  fs::path operator/(std::string_view part) const { return folder / fmt::format("ind.{}.{}", name, part); }

  bool any() const {
    return std::ranges::any_of(kParts, [&](std::string_view part) { return is_there(*this / part); });
  }

  void require_all() const {
    for (const std::string_view part : kParts) {
      if (is_there(*this / part)) continue;
      fail("{}: no such file; a Planetoid data set is all of {}", (*this / part).string(), all_files(name));
    }
  }
};

// What a path means that is no folder of data sets.
std::optional<PlanetoidFiles> files_named(const fs::path& path) {
  const std::string last = path.filename().string();
  if (is_there(path)) {
    const auto name = name_in(last);
    return name ? std::optional(PlanetoidFiles{path.parent_path(), *name}) : std::nullopt;
  }
  const std::string_view name = std::string_view(last).substr(last.starts_with("ind.") ? 4 : 0);
  const PlanetoidFiles files{path.parent_path(), std::string(name)};
  return files.any() ? std::optional(files) : std::nullopt;
}

// A path may be one of the files, FOLDER/ind.NAME, FOLDER/NAME, or a folder that has one data set.
PlanetoidFiles find_planetoid_files(const fs::path& path) {
  if (auto files = files_named(path)) return *files;
  const std::set<std::string> names = names_in_folder(path);
  if (names.empty())
    fail("{}: no Planetoid files here; they are called {}", path.string(), all_files("NAME"));
  if (names.size() > 1) {
    fail("{}: the folder has the data sets {}; say which, as in {}", path.string(), join(names, ", "),
         (path / *names.begin()).string());
  }
  return {path, *names.begin()};
}

// Features and classes of the same nodes: allx and ally, x and y, or tx and ty.
struct Rows {
  SparseMatrix features;
  std::vector<ClassId> labels;
  std::int64_t classes = 0;

  NodeId count() const { return static_cast<NodeId>(features.rows); }
};

void check_count(const fs::path& file, std::int64_t count, const char* what, const fs::path& other,
                 std::int64_t needed) {
  if (count == needed) return;
  fail("{}: {} {}, but {} has {}", file.string(), count, what, other.filename().string(), needed);
}

Rows read_rows(const PlanetoidFiles& files, std::string_view features, std::string_view labels) {
  Rows rows{.features = sparse_matrix(Pickle(files / features))};
  SparseMatrix one_hot = sparse_of(dense_matrix(Pickle(files / labels)));
  check_count(files / labels, one_hot.rows, "rows", files / features, rows.features.rows);
  rows.classes = one_hot.cols;
  rows.labels = one_hot_classes(std::move(one_hot), (files / labels).string());
  require_class_count(rows.classes, rows.count(), (files / labels).string());
  return rows;
}

// Rows as wide as those of `all`.
Rows read_rows_like(const Rows& all, const PlanetoidFiles& files, std::string_view features,
                    std::string_view labels) {
  Rows rows = read_rows(files, features, labels);
  check_count(files / features, rows.features.cols, "columns", files / "allx", all.features.cols);
  check_count(files / labels, rows.classes, "columns", files / "ally", all.classes);
  return rows;
}

// A dict from node to list of neighbours.
class GraphFile {
 public:
  explicit GraphFile(const fs::path& path) : pickle_(path) {
    if (pickle_.root().is(Kind::kDict)) return;
    fail("{}: the file holds {}; a dict from node to list of neighbours is needed", pickle_.file(),
         name_of(pickle_.root().kind));
  }

  std::int64_t rows() const { return static_cast<std::int64_t>(pairs().size() / 2); }

  ArcList arcs(NodeId nodes) const {
    ArcList arcs{.nodes = nodes};
    for (std::size_t i = 0; i < pairs().size(); i += 2) {
      const NodeId from = node(pairs()[i], nodes);
      add_row(arcs, from, pairs()[i + 1]);
    }
    return arcs;
  }

 private:
  const std::vector<PickleValue>& pairs() const { return pickle_.store().items(pickle_.root()); }

  void add_row(ArcList& arcs, NodeId from, PickleValue neighbours) const {
    const PickleStore& store = pickle_.store();
    if (neighbours.is(Kind::kList) || neighbours.is(Kind::kTuple)) {
      add_sources(arcs, from, store.items(neighbours).size());
      for (const PickleValue to : store.items(neighbours)) arcs.to.push_back(node(to, arcs.nodes));
    } else if (neighbours.is(Kind::kArray) && store.array(neighbours).header.shape.size() == 1) {
      add_sources(arcs, from, at(store.array(neighbours).header.count));
      for (const std::int64_t to : to_int64(array_of(pickle_, neighbours, pickle_.file()))) {
        arcs.to.push_back(node(PickleValue::integer(to), arcs.nodes));
      }
    } else {
      fail("{}: node {} has {} in place of its neighbours; a list of nodes is needed", pickle_.file(), from,
           name_of(neighbours.kind));
    }
  }

  // A list that thousands of nodes share by reference would make a huge graph of a small file.
  void add_sources(ArcList& arcs, NodeId from, std::size_t more) const {
    if (more > pickle_.size() - arcs.from.size()) {
      fail("{}: more neighbours than the file has bytes; every node needs a list of its own", pickle_.file());
    }
    arcs.from.insert(arcs.from.end(), more, from);
  }

  NodeId node(PickleValue id, NodeId nodes) const {
    if (!id.is(Kind::kInteger)) {
      fail("{}: {} stands in place of a node; nodes are whole numbers", pickle_.file(), name_of(id.kind));
    }
    if (id.bits < 0 || id.bits >= nodes) {
      fail("{}: node {} in the graph; allx, tx and the keys of the graph make nodes 0 to {}", pickle_.file(),
           id.bits, nodes - 1);
    }
    return static_cast<NodeId>(id.bits);
  }

  Pickle pickle_;
};

// The row of tx for each node, kLeftOver where it has none. Test nodes come after the `first` rows of allx.
std::vector<NodeId> read_test_index(const fs::path& file, const Rows& test, NodeId first, NodeId nodes) {
  const CsvTable table(file, Delimiter::comma);
  std::vector<NodeId> row_of(at(nodes), kLeftOver);
  NodeId count = 0;
  for (CsvRows rows = table.rows(); rows.next();) {
    const auto node = parse_integer(rows.cells()[0]);
    if (!node || rows.cells().size() != 1)
      fail("{}: {} is not a node; one whole number per line is needed", rows.place(),
           in_quotes(join(rows.cells(), ",")));
    if (*node < first || *node >= nodes) {
      fail("{}: node {}; test nodes come after the rows of allx and are {} to {}", rows.place(), *node, first,
           nodes - 1);
    }
    if (row_of[at(*node)] != kLeftOver) fail("{}: node {} is listed a second time", rows.place(), *node);
    row_of[at(*node)] = count++;
  }
  check_count(file, count, "nodes", "tx", test.count());
  return row_of;
}

SparseMatrix place_features(const Rows& all, const Rows& test, const std::vector<NodeId>& test_row) {
  SparseMatrix result{.rows = static_cast<std::int64_t>(test_row.size()), .cols = all.features.cols};
  result.offsets.reserve(test_row.size() + 1);
  result.columns.reserve(all.features.columns.size() + test.features.columns.size());
  result.values.reserve(result.columns.capacity());
  const auto append_row = [&](const SparseMatrix& from, NodeId i) {
    const auto columns = from.row_columns(i);
    const auto values = from.row_values(i);
    result.columns.insert(result.columns.end(), columns.begin(), columns.end());
    result.values.insert(result.values.end(), values.begin(), values.end());
  };
  for (NodeId u = 0; u < result.rows; ++u) {
    if (u < all.count()) append_row(all.features, u);
    if (test_row[at(u)] != kLeftOver) append_row(test.features, test_row[at(u)]);
    result.offsets.push_back(result.entries());
  }
  return result;
}

std::vector<ClassId> place_labels(const Rows& all, const Rows& test, const std::vector<NodeId>& test_row) {
  std::vector<ClassId> labels = all.labels;
  for (std::size_t u = labels.size(); u < test_row.size(); ++u) {
    labels.push_back(test_row[u] == kLeftOver ? 0 : test.labels[at(test_row[u])]);
  }
  return labels;
}

Split make_split(NodeId train, NodeId known, const std::vector<NodeId>& test_row,
                 const std::vector<ClassId>& labels) {
  Split split{.name = "file"};
  const NodeId validation_end = train + std::min(kValidation, known - train);
  for (NodeId u = 0; u < static_cast<NodeId>(labels.size()); ++u) {
    if (labels[at(u)] == kUnknown) continue;
    if (u < train) {
      split.train.push_back(u);
    } else if (u < validation_end) {
      split.validation.push_back(u);
    } else if (test_row[at(u)] != kLeftOver) {
      split.test.push_back(u);
    }
  }
  return split;
}

}  // namespace

bool is_planetoid(const fs::path& path) { return files_named(path) || !names_in_folder(path).empty(); }

Dataset read_planetoid(const fs::path& path, const ReadOptions& options, Threads& threads) {
  const PlanetoidFiles files = find_planetoid_files(path);
  files.require_all();
  const Rows all = read_rows(files, "allx", "ally");
  const Rows train = read_rows_like(all, files, "x", "y");
  const Rows test = read_rows_like(all, files, "tx", "ty");
  if (train.count() > all.count()) {
    fail("{}: {} rows, but they must be the first of the {} of allx", (files / "x").string(), train.count(),
         all.count());
  }
  const GraphFile graph(files / "graph");
  const std::int64_t count = std::max(all.features.rows + test.features.rows, graph.rows());
  if (count > kMostNodes) fail("{}: {} nodes are too many", path.string(), count);
  const auto nodes = static_cast<NodeId>(count);
  const std::vector<NodeId> test_row = read_test_index(files / "test.index", test, all.count(), nodes);

  Dataset dataset{.name = files.name};
  take_graph(dataset, build_graph(graph.arcs(nodes), threads), options, (files / "graph").string());
  dataset.features = Features(place_features(all, test, test_row));
  dataset.labels = place_labels(all, test, test_row);
  dataset.class_names = numbered_names(all.classes);
  dataset.split = make_split(train.count(), all.count(), test_row, dataset.labels);
  if (const NodeId left_over = nodes - all.count() - test.count(); left_over > 0) {
    dataset.notes.push_back(fmt::format(
        "{} of the nodes are known from the graph alone: no features, class 0, no place in the split",
        left_over));
  }
  check(dataset, path.string());
  return dataset;
}

}  // namespace heatfront
