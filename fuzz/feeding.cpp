// SPDX-License-Identifier: MIT
#include "fuzz/feeding.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <span>

#include "heatfront/base/utf8.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/formats/writers.h"

#include "heatfront_io/formats/table_schema_text.h"

namespace heatfront::fuzz {
namespace fs = std::filesystem;
namespace {

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;  // line and paragraph separators
}

template <class Range>
bool strictly_ascending(const Range& range) {
  return std::ranges::adjacent_find(range, std::greater_equal<>()) == range.end();
}

void require_graph(const Graph& graph, std::span<const Real> weights) {
  require(graph.offsets().front() == 0 && std::ranges::is_sorted(graph.offsets()) &&
              graph.offsets().back() == graph.arcs(),
          "the offsets of the graph are wrong");
  require(weights.empty() || std::ssize(weights) == graph.arcs(), "not one weight per arc");
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const auto row = graph.neighbours(u);
    require(strictly_ascending(row), "the neighbours of a node do not ascend");
    for (std::size_t k = 0; k < row.size(); ++k) {
      const NodeId v = row[k];
      require(v >= 0 && v < graph.nodes() && v != u, "a neighbour that is no other node");
      const auto back = graph.neighbours(v);
      const auto place = std::ranges::lower_bound(back, u);
      require(place != back.end() && *place == u, "an arc without its reverse");
      if (weights.empty()) continue;
      const Real weight = weights[at(graph.begin_of(u)) + k];
      require(weight > 0 && weight == weights[at(graph.begin_of(v) + (place - back.begin()))],
              "an edge of weight 0, or with two weights");
    }
  }
}

void require_sparse(const SparseMatrix& matrix) {
  require(std::ssize(matrix.offsets) == matrix.rows + 1 && matrix.offsets.front() == 0 &&
              std::ranges::is_sorted(matrix.offsets) && matrix.offsets.back() == matrix.entries() &&
              matrix.values.size() == matrix.columns.size(),
          "the offsets of the features are wrong");
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const auto columns = matrix.row_columns(i);
    require(strictly_ascending(columns) &&
                (columns.empty() || (columns.front() >= 0 && columns.back() < matrix.cols)),
            "the columns of a feature row do not ascend, or are out of range");
    require(std::ranges::find(matrix.row_values(i), Real(0)) == matrix.row_values(i).end(), "a stored zero");
  }
}

}  // namespace

void require(bool true_of_a_good_reader, const std::string& otherwise) {
  if (!true_of_a_good_reader) throw Finding(otherwise);
}

void require_lines(std::string_view lines) {
  for (std::size_t end = 0; end != lines.npos; lines.remove_prefix(std::min(end + 1, lines.size()))) {
    end = lines.find('\n');
    require_line(lines.substr(0, end));
  }
}

void require_line(std::string_view line) {
  const auto points = code_points(line);
  require(points.has_value(), "not UTF-8: " + std::string(line));
  require(!points->empty(), "an empty line");
  require(std::ranges::none_of(*points, is_control), "more than one plain line: " + std::string(line));
}

const test::TemporaryFolder& scratch() {
  // Where nobody says otherwise, in memory: no disk to wait for.
  static const bool in_memory = std::getenv("TMPDIR") == nullptr && access("/dev/shm", W_OK) == 0;
  static const test::TemporaryFolder folder(in_memory ? fs::path("/dev/shm") : fs::temp_directory_path());
  return folder;
}

Threads& one_thread() {
  static Threads threads(1);
  return threads;
}

Files FileSets::changed(std::string_view input) const {
  std::size_t places = 0;
  for (const Files& set : sets_) places += set.size();
  std::size_t place = input.empty() ? 0 : static_cast<unsigned char>(input.front()) % places;
  auto set = sets_.begin();
  for (; place >= set->size(); ++set) place -= set->size();
  Files files = *set;
  files[place].second = input.empty() ? input : input.substr(1);
  return files;
}

std::vector<std::string> FileSets::seeds() const {
  std::vector<std::string> seeds;
  for (const Files& set : sets_) {
    for (const auto& [name, content] : set) seeds.push_back(static_cast<char>(seeds.size()) + content);
  }
  return seeds;
}

fs::path put_files(std::string_view name, const Files& files) {
  static std::map<std::string, std::string> there;  // path → content
  const fs::path folder = scratch() / name;
  std::set<std::string> wanted;
  for (const auto& [file, content] : files) {
    std::string path = (folder / file).string();
    auto [entry, is_new] = there.try_emplace(path);
    if (is_new || entry->second != content) {
      scratch().write(path, content);
      entry->second = content;
    }
    wanted.insert(std::move(path));
  }
  std::erase_if(there, [&](const auto& entry) {
    const bool stale = entry.first.starts_with(folder.string() + "/") && !wanted.contains(entry.first);
    if (stale) fs::remove(entry.first);
    return stale;
  });
  return folder;
}

void require_whole(const Dataset& dataset) {
  check(dataset, "checked again");
  require_graph(dataset.graph, dataset.weights);
  if (const SparseMatrix* sparse = dataset.features.sparse()) require_sparse(*sparse);
  for (const auto* names : {&dataset.class_names, &dataset.node_names}) {
    require(
        std::ranges::all_of(*names, [](const std::string& name) { return code_points(name).has_value(); }),
        "a name that is not UTF-8");
  }
  if (dataset.split) {
    for (const auto* part : {&dataset.split->train, &dataset.split->validation, &dataset.split->test})
      require(strictly_ascending(*part), "a part of the split does not ascend");
  }
  for (const std::string& note : dataset.notes) require_line(note);
  const fs::path npz = scratch() / "again.npz";
  write_npz(dataset, npz);
  const Dataset again = read_npz(npz, {}, one_thread());
  require_same(dataset, again, "npz");
  require(schema_text(dataset.table) == schema_text(again.table),
          "another table when written as npz and read again");
}

void require_same(const Dataset& dataset, const Dataset& again, const std::string& how) {
  const auto same = [&](const auto& one, const auto& other, const std::string& what) {
    require(one == other, "other " + what + " when written as " + how + " and read again");
  };
  const DatasetFingerprint print = fingerprint(dataset), other = fingerprint(again);
  same(print.graph, other.graph, "graph");
  if (dataset.features.cols() > 0) same(print.features, other.features, "features");
  same(dataset.labels, again.labels, "labels");
  same(print.split, other.split, "split");
  same(dataset.class_names, again.class_names, "names of classes");
  same(dataset.node_names, again.node_names, "names of nodes");
  same(dataset.targets.names, again.targets.names, "names of values or classes");
  same(dataset.targets.nodes, again.targets.nodes, "nodes with values or classes");
  same(dataset.targets.values, again.targets.values, "values or classes");
}

}  // namespace heatfront::fuzz
