// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/feature_lists.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_set>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/tables/csv_table.h"
#include "heatfront_io/tables/feature_entries.h"

namespace heatfront {
namespace {

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
  FeatureEntries entries;
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
  SparseMatrix matrix = sparse_matrix_of(entries, nodes.count(), static_cast<std::int64_t>(largest) + 1);
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

}  // namespace

FeatureLists read_feature_lists(const std::filesystem::path& path) {
  const std::string text = read_data(path);
  FeatureLists lists{.file = path.string()};
  ListsOfNumbers events(lists);
  if (!nlohmann::json::sax_parse(text, &events)) {
    fail("{}: {}; an object with a list of numbers a node is expected", lists.file, events.problem);
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

Features features_of(const FeatureLists& lists, const IdTable& nodes) {
  return lists.whole ? Features(indicators(lists, nodes)) : Features(rows_of(lists, nodes));
}

}  // namespace heatfront
