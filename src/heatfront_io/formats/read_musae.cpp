// SPDX-License-Identifier: MIT
// A MUSAE folder: *edges.csv, *features.json (one list per node) and *target.csv (id, …, target).
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/arrays/sparse_arrays.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/formats/read_arcs.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

// The table of targets tells much of a node; these columns are what others call it by and what they predict.
constexpr std::string_view kNewIdNames[] = {"newid"};
constexpr std::string_view kIdNames[] = {"id"};
constexpr std::string_view kMusaeTargets[] = {"target", "mltarget", "pagetype", "mature"};

// Features in JSON, one list per node: {"0": [3, 17, 2048], …} names the features that are 1, the others are 0;
// lists with a fraction anywhere are the values of features themselves, all of the same length.
struct FeatureLists {
  std::string file;
  std::vector<std::string> nodes;  // as called there
  std::vector<std::size_t> ends;   // of the list of each
  std::vector<double> numbers;     // of all lists
  bool whole = true;               // all numbers are integers
};

// Takes the events of the parser, which does not recurse. False stops it; `problem` says why.
class ListsOfNumbers final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ListsOfNumbers(FeatureLists& lists) : lists_(lists) {}

  std::string problem;

  bool start_object(std::size_t) override { return ++depth_ == 1 || unexpected("an object"); }
  bool end_object() override { return --depth_ == 0; }
  bool key(string_t& name) override {
    lists_.nodes.push_back(name);
    return true;
  }
  bool start_array(std::size_t) override { return ++depth_ == 2 || unexpected("a list"); }
  bool end_array() override {
    lists_.ends.push_back(lists_.numbers.size());
    return --depth_ == 1;
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override {
    lists_.whole = false;
    return number(value);
  }
  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("true or false"); }
  bool string(string_t&) override { return unexpected("a string"); }
  bool binary(binary_t&) override { return unexpected("binary data"); }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
    problem = fmt::format("not JSON at byte {}", byte);
    return false;
  }

 private:
  bool number(double value) {
    if (depth_ != 2) return unexpected("a number");
    lists_.numbers.push_back(value);
    return true;
  }
  bool unexpected(std::string_view what) {
    problem = lists_.nodes.empty() ? fmt::format("{} at the start", what)
                                   : fmt::format("{} at node '{}'", what, shown(lists_.nodes.back()));
    return false;
  }

  FeatureLists& lists_;
  int depth_ = 0;
};

std::span<const double> list_of(const FeatureLists& lists, std::size_t i) {
  const std::size_t begin = i == 0 ? 0 : lists.ends[i - 1];
  return std::span(lists.numbers).subspan(begin, lists.ends[i] - begin);
}

SparseMatrix indicators(const FeatureLists& lists, const IdTable& nodes) {
  MatrixEntries entries;
  double largest = -1;
  for (std::size_t i = 0; i < lists.nodes.size(); ++i) {
    for (const double feature : list_of(lists, i)) {
      if (feature < 0 || feature > kLargestFeature) {
        fail("{}: node '{}' has feature {}; indices are 0 to {}", lists.file, shown(lists.nodes[i]), feature,
             kLargestFeature);
      }
      largest = std::max(largest, feature);
      entries.rows.push_back(*nodes.find(lists.nodes[i]));
      entries.columns.push_back(static_cast<std::int32_t>(feature));
    }
  }
  entries.values.assign(entries.rows.size(), 1);
  SparseMatrix matrix = canonical(matrix_of(entries, nodes.count(), static_cast<std::int64_t>(largest) + 1));
  std::ranges::fill(matrix.values, Real(1));  // a feature listed twice is still 1
  return matrix;
}

Matrix rows_of(const FeatureLists& lists, const IdTable& nodes) {
  const std::size_t width = list_of(lists, 0).size();
  for (std::size_t i = 0; i < lists.nodes.size(); ++i) {
    if (list_of(lists, i).size() == width) continue;
    fail("{}: node '{}' has {} values, but node '{}' has {}", lists.file, shown(lists.nodes[i]),
         list_of(lists, i).size(), shown(lists.nodes[0]), width);
  }
  if (lists.nodes.size() != static_cast<std::size_t>(nodes.count())) {
    fail("{}: values of {} nodes, but there are {}; give every node a list", lists.file, lists.nodes.size(),
         nodes.count());
  }
  Matrix matrix(nodes.count(), static_cast<std::int64_t>(width));
  for (std::size_t i = 0; i < lists.nodes.size(); ++i) {
    std::ranges::transform(list_of(lists, i), matrix.row(*nodes.find(lists.nodes[i])).begin(),
                           [](double value) { return static_cast<Real>(value); });
  }
  return matrix;
}

FeatureLists read_feature_lists(const std::filesystem::path& path) {
  const std::string text = read_data(path);
  FeatureLists lists{.file = path.string()};
  ListsOfNumbers events(lists);
  if (!nlohmann::json::sax_parse(text, &events)) {
    fail("{}: {}; an object with a list of numbers per node is expected", lists.file, events.problem);
  }
  std::unordered_set<std::string_view> met;
  for (const std::string& node : lists.nodes) {
    if (node.empty()) fail("{}: a list belongs to no node; its name is empty", lists.file);
    if (!is_plain_text(node))
      fail("{}: node '{}' has a control character in its name; leave it out", lists.file, shown(node));
    if (!met.insert(node).second) fail("{}: node '{}' has two lists; give it one", lists.file, shown(node));
  }
  return lists;
}

// Where lists name features, a node without one has zeros; where they are values, every node needs one.
Features features_of(const FeatureLists& lists, const IdTable& nodes) {
  return lists.whole ? Features(indicators(lists, nodes)) : Features(rows_of(lists, nodes));
}

std::vector<fs::path> files_ending(const fs::path& folder, std::string_view end) {
  std::vector<fs::path> files;
  for (const fs::path& file : files_of(folder)) {
    if (without_gz(file).filename().string().ends_with(end)) files.push_back(file);
  }
  return files;
}

// Empty when there is none.
fs::path only_file(const fs::path& folder, std::string_view end) {
  const auto files = files_ending(folder, end);
  if (files.size() > 1) {
    fail("{}: {} and {} are two files of the same kind; put each data set into a folder of its own",
         folder.string(), files[0].filename().string(), files[1].filename().string());
  }
  return files.empty() ? fs::path() : files[0];
}

// id,…,target: walked first for its nodes, then for their classes.
class TargetTable {
 public:
  TargetTable(const fs::path& path, IdTable& nodes, std::vector<std::string>& notes)
      : table_(path), header_(table_, {kIdNames, kNewIdNames, kMusaeTargets}) {
    const std::size_t width = header_.names().size();
    if (width < 2) fail("{}: no header of two columns or more; id,target is expected", table_.name());
    columns_.node = header_.find(kNewIdNames).value_or(header_.find(kIdNames).value_or(0));
    columns_.value = header_.find(kMusaeTargets).value_or(columns_.node == width - 1 ? width - 2 : width - 1);
    header_.note_unused({columns_.node, columns_.value}, notes);
    for (CsvRows rows = header_.rows(); rows.next();) {
      require_width(rows, header_.first_row());
      const std::string_view id = rows.cells()[columns_.node];
      if (id.empty()) fail("{}: no node; every row needs its id", rows.place());
      nodes.number(id);
    }
  }
  TargetTable(const TargetTable&) = delete;
  TargetTable& operator=(const TargetTable&) = delete;

  void read(const IdTable& nodes, Dataset& dataset) const {
    Problems problems;
    Labels labels = LabelTable(table_, header_, columns_).read(nodes, {}, dataset.notes, problems);
    problems.throw_if_any();
    dataset.labels = std::move(labels.labels);
    dataset.class_names = std::move(labels.class_names);
  }

 private:
  CsvTable table_;
  CsvHeader header_;
  NodeColumns columns_;
};

}  // namespace

bool is_musae(const fs::path& path) {
  return !files_ending(path, "edges.csv").empty() &&
         !(files_ending(path, "target.csv").empty() && files_ending(path, "features.json").empty());
}

Dataset read_musae(const fs::path& path, const ReadOptions& options, Threads& threads) {
  const fs::path edges = only_file(path, "edges.csv"), lists = only_file(path, "features.json"),
                 target_file = only_file(path, "target.csv");
  if (edges.empty()) fail("{}: no file *edges.csv", path.string());
  Dataset dataset{.name = stem_of(path)};
  const CsvTable edge_table = arc_table(edges, options);
  IdTable nodes(edge_table.text().size());
  Problems problems;
  ReadArcs arcs(options);
  read_edge_table(edge_table, options.columns, nodes, arcs.sink(), dataset.notes, problems);
  problems.throw_if_any();

  std::optional<FeatureLists> features;
  if (!lists.empty()) features = read_feature_lists(lists);
  if (features) {
    for (const std::string& node : features->nodes) nodes.number(node);
  }
  std::optional<TargetTable> targets;
  if (!target_file.empty()) targets.emplace(target_file, nodes, dataset.notes);

  const std::vector<NodeId> renumbered = nodes.settle();
  arcs.give_to(dataset, nodes.count(), renumbered, false, path.string(), threads);
  if (!nodes.is_numbering()) dataset.node_names = nodes.names();
  if (features) dataset.features = features_of(*features, nodes);
  dataset.labels.assign(static_cast<std::size_t>(nodes.count()), kUnknown);
  if (targets) targets->read(nodes, dataset);
  check(dataset, path.string());
  return dataset;
}

}  // namespace heatfront
