// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/target_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/table_schema.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace {

constexpr std::string_view kQuantityNames[] = {"value", "values", "label", "target", "y", "amount", "score"};
constexpr std::size_t kMostColumns = 4096;
constexpr std::string_view kNamesAreNoValues = "where labels are names, leave out --values";

std::optional<double> whole_number_text(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

// Where semicolons separate cells, 1.234,5 is a number, as it is among features.
std::optional<double> number_in_cell(std::string_view cell, bool decimal_comma) {
  if (!decimal_comma || cell.find(',') == cell.npos || !parse_cell(cell, true))
    return whole_number_text(cell);
  std::string plain(cell);
  std::erase(plain, '.');
  std::ranges::replace(plain, ',', '.');
  return whole_number_text(plain);
}

double target_number(std::string_view cell, const std::string& where, bool decimal_comma,
                     std::string_view advice) {
  const auto value = number_in_cell(cell, decimal_comma);
  if (!value) fail("{}: '{}' is not a number; {}", where, shown(cell), advice);
  if (!(std::abs(*value) <= kLargestTarget))
    fail("{}: '{}' must be a finite number of at most {:.0e} in size", where, shown(cell), kLargestTarget);
  return *value;
}

IdTable::Number node_at(const CsvRows& rows, const CsvHeader& header, std::size_t column,
                        const IdTable& nodes, const std::string& absent, std::string_view what) {
  const std::string_view id = rows.cells()[column];
  if (const auto node = nodes.find(id)) return *node;
  const bool first = !header.present() && rows.line() == header.first_row().line;
  fail("{}: {} without node: '{}' {}{}", rows.place(), what, shown(id), absent,
       first ? fmt::format("; if this is a header, it must say node,{}", what) : "");
}

// By name, and where there are more than two columns by a word of it.
std::optional<std::size_t> node_column_of(const CsvHeader& header, const ColumnChoice& choice) {
  const auto column = header.find(choice.node, kNodeNames);
  return column || header.first_row().width < 3 ? column : header.find_word(kNodeNames);
}

class ValueTable {
 public:
  ValueTable(const CsvTable& table, const ColumnChoice& choice, const IdTable& nodes,
             const std::string& absent)
      : table_(table),
        nodes_(nodes),
        absent_(absent),
        header_(table, {kNodeNames, kQuantityNames}, std::array{choice.node, choice.label}) {
    const auto [width, line] = header_.first_row();
    if (width < 2) fail("{}:{}: one column; node,value is expected, {}", table.name(), line, kSeparated);
    node_column_ = node_column_of(header_, choice).value_or(0);
    const auto chosen = choice.label.empty() ? std::nullopt : header_.find_named(choice.label);
    for (std::size_t c = 0; c < width; ++c)
      if (c != node_column_ && (chosen ? c == *chosen : !is_ignored(c, choice))) columns_.push_back(c);
    if (columns_.empty())
      fail("{}:{}: no column of values is left; node,value is expected", table.name(), line);
    if (columns_.size() > kMostColumns)
      fail("{}:{}: {} columns of values; there can be at most {}", table.name(), line, columns_.size(),
           kMostColumns);
  }

  // Those of the header, in their order.
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (std::size_t c : columns_)
      result.push_back(header_.present() && !header_.names()[c].empty() ? header_.names()[c]
                       : columns_.size() == 1                           ? "value"
                                              : fmt::format("value {}", result.size() + 1));
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (std::ranges::count(result, result[i]) > 1)
        fail("{}: two columns are called '{}'; give each a name of its own", table_.name(), shown(result[i]));
    }
    return result;
  }

  void require_columns(const std::vector<std::string>& wanted) {
    if (wanted.size() == 1 && columns_.size() == 1) return;  // whatever it is called
    std::vector<std::size_t> found;
    const std::vector<std::string> there = names();
    for (const std::string& name : wanted) {
      const auto place = std::ranges::find(there, name);
      if (place == there.end())
        fail("{}: there is no column '{}'; the values are: {}", table_.name(), shown(name),
             join(wanted, ", "));
      found.push_back(columns_[at(place - there.begin())]);
    }
    columns_ = std::move(found);
  }

  Targets read(std::vector<std::string> names, Problems& problems) {
    Targets result{.kind = LabelKind::values, .names = std::move(names)};
    std::map<NodeId, std::pair<std::vector<double>, std::int64_t>> rows_of;  // and where it was said
    for (CsvRows rows = header_.rows(); rows.next(problems);) {
      if (!has_width(rows, header_.first_row(), problems)) continue;
      problems.collect([&] {
        const NodeId node = node_at(rows, header_, node_column_, nodes_, absent_, "value");
        const auto row = row_of(rows);
        if (row.empty()) return;
        const auto [place, added] = rows_of.try_emplace(node, row, rows.line());
        if (!added && place->second.first != row)
          fail("{}: node '{}' again with another value, line {} has it already; give it once", rows.place(),
               shown(rows.cells()[node_column_]), place->second.second);
      });
    }
    for (const auto& [node, row] : rows_of) {
      result.nodes.push_back(node);
      result.values.insert(result.values.end(), row.first.begin(), row.first.end());
    }
    return result;
  }

 private:
  // What `label --export` writes beside the values is none.
  bool is_of_export(std::size_t column) const {
    constexpr std::array<std::string_view, 3> kOfExport = {"from", "batch", "time"};
    const std::span<const std::string> names = header_.names();
    return names.size() > kOfExport.size() && std::ranges::equal(names.last(kOfExport.size()), kOfExport) &&
           column + kOfExport.size() >= names.size();
  }

  bool is_ignored(std::size_t column, const ColumnChoice& choice) const {
    if (is_of_export(column)) return true;
    return header_.present() && std::ranges::any_of(choice.ignored, [&](const std::string& name) {
             return header_.has_name(column, name);
           });
  }

  // Empty: it says nothing.
  std::vector<double> row_of(const CsvRows& rows) const {
    std::vector<double> row;
    std::size_t missing = 0;
    for (std::size_t c : columns_) {
      const std::string_view cell = rows.cells()[c];
      if (is_missing(cell)) {
        ++missing;
      } else {
        row.push_back(target_number(cell, rows.place(), table_.delimiter() == Delimiter::semicolon,
                                    columns_.size() > 1
                                        ? "--label names the column of values, --ignore leaves one out"
                                        : kNamesAreNoValues));
      }
    }
    if (missing > 0 && !row.empty())
      fail("{}: node '{}' has {} of {} values; give all of them, or none", rows.place(),
           shown(rows.cells()[node_column_]), row.size(), columns_.size());
    return row;
  }

  const CsvTable& table_;
  const IdTable& nodes_;
  const std::string& absent_;
  CsvHeader header_;
  std::size_t node_column_ = 0;
  std::vector<std::size_t> columns_;
};

// The classes of a cell; none: it says that there are none.
std::vector<std::string> classes_in(std::string_view cell, const std::string& where, char separator = '|') {
  std::vector<std::string> names;
  if (cell == kNoClass) return names;
  for (std::size_t end = 0; end != cell.npos; cell.remove_prefix(std::min(end + 1, cell.size()))) {
    end = cell.find(separator);
    const std::string_view name = trimmed(cell.substr(0, end));
    if (name.empty()) fail("{}: a class without a name; write a|b, or none for no class", where);
    if (std::ranges::find(names, name) != names.end())
      fail("{}: class '{}' twice in one cell; give it once", where, shown(name));
    names.emplace_back(name);
    if (end == cell.npos) break;
  }
  return names;
}

// What separates classes in a column: |, or where no cell has it ; or , if classes in several cells are fewer when taken apart by it.
char separator_of(const CsvHeader& header, std::size_t column) {
  std::map<std::string, bool> whole;
  for (CsvRows rows = header.rows(); rows.try_next();) {
    if (rows.problem() != nullptr || rows.cells().size() <= column) continue;
    if (rows.cells()[column].find('|') != std::string_view::npos) return '|';
    whole.emplace(rows.cells()[column], true);
  }
  for (const char separator : {';', ','}) {
    std::map<std::string, bool> parts;
    bool apart = false;
    for (const auto& [cell, met] : whole) {
      apart = apart || cell.find(separator) != std::string::npos;
      for (const std::string& part : split_at(cell, separator)) parts.emplace(trimmed(part), true);
    }
    if (apart && parts.size() < whole.size()) return separator;
  }
  return '|';
}

Targets read_many_labels(const CsvTable& table, const ColumnChoice& choice, const IdTable& nodes,
                         std::vector<std::string> names, const std::string& absent,
                         std::vector<std::string>& notes, Problems& problems) {
  const CsvHeader header(table, {kNodeNames, kLabelNames}, std::array{choice.node, choice.label});
  const auto [width, line] = header.first_row();
  const auto node = node_column_of(header, choice), label = header.find(choice.label, kLabelNames);
  if (width != 2 && !(node && label))
    fail("{}:{}: {}; node,label is expected, or a header that says which are", table.name(), line,
         counted(static_cast<std::int64_t>(width), "column"));
  const std::size_t node_column = node.value_or(label == 0u ? 1 : 0);
  const std::size_t label_column = label.value_or(node == 1u ? 0 : 1);
  const bool given = !names.empty();
  const char separator = given ? '|' : separator_of(header, label_column);
  if (separator != '|')
    notes.push_back(fmt::format("{}: '{}' separates the classes of a node; | would do so in any case",
                                table.name(), separator));
  std::map<NodeId, std::vector<std::string>> classes_of;
  for (CsvRows rows = header.rows(); rows.next(problems);) {
    if (!has_width(rows, header.first_row(), problems)) continue;
    problems.collect([&] {
      const NodeId u = node_at(rows, header, node_column, nodes, absent, "label");
      const std::string_view cell = rows.cells()[label_column];
      if (is_unknown_label(cell)) return;
      std::vector<std::string>& own = classes_of[u];
      for (std::string& name : classes_in(cell, rows.place(), separator)) {
        if (given && std::ranges::find(names, name) == names.end())
          fail("{}: '{}' is not a class{}; the classes are {}", rows.place(), shown(name),
               did_you_mean(name, names), listed_classes(names));
        if (std::ranges::find(own, name) == own.end()) own.push_back(std::move(name));
      }
    });
  }
  if (!given) {
    std::map<std::string, bool> met;
    for (const auto& [u, own] : classes_of)
      for (const std::string& name : own) met[name] = true;
    for (const auto& [name, seen] : met) names.push_back(name);
    sort_classes(names);
  }
  if (names.size() > kMostColumns)
    fail("{}: {} classes; there can be at most {}", table.name(), names.size(), kMostColumns);
  Targets result{.kind = LabelKind::many, .names = std::move(names)};
  for (const auto& [u, own] : classes_of) {
    result.nodes.push_back(u);
    for (const std::string& name : result.names)
      result.values.push_back(std::ranges::find(own, name) == own.end() ? 0 : 1);
  }
  return result;
}

IdTable ids_of(const Dataset& dataset) {
  IdTable nodes(static_cast<std::size_t>(dataset.nodes()));
  for (NodeId u = 0; u < dataset.nodes(); ++u) nodes.number(dataset.node_name(u));
  return nodes;
}

}  // namespace

void number_target_nodes(const CsvTable& table, LabelKind kind, ColumnChoice& choice, IdTable& nodes,
                         std::vector<std::string>& notes) {
  CsvHeader header(table, {kNodeNames, kind == LabelKind::many ? ColumnNames(kLabelNames) : kQuantityNames},
                   std::array{choice.node, choice.label});
  const bool had_names = header.present();
  const std::size_t column = node_column_of(header, choice).value_or(0);
  number_lone_nodes(table, header, column, nodes, notes);
  if (!had_names && header.present()) choice.node = header.names()[column];
}

Targets read_target_table(const CsvTable& table, const ColumnChoice& choice, LabelKind kind,
                          const IdTable& nodes, std::vector<std::string> names,
                          std::vector<std::string>& notes, const std::string& absent, Problems& problems) {
  Targets result;
  if (kind == LabelKind::many) {
    result = read_many_labels(table, choice, nodes, std::move(names), absent, notes, problems);
  } else {
    ValueTable values(table, choice, nodes, absent);
    if (!names.empty()) values.require_columns(names);
    if (names.empty()) names = values.names();
    result = values.read(std::move(names), problems);
    if (result.columns() > 1)
      notes.push_back(fmt::format("{}: values of {} columns: {}", table.name(), result.columns(),
                                  listed_classes(result.names)));
  }
  if (result.names.empty() && !problems.any())
    fail("{}: no label names a class; there must be one or more", table.name());
  return result;
}

Targets read_target_file(const std::filesystem::path& path, const Dataset& dataset) {
  std::vector<std::string> notes;
  Problems problems;
  Targets result =
      read_target_table(CsvTable(path), {}, dataset.targets.kind, ids_of(dataset), dataset.targets.names,
                        notes, fmt::format("is not a node of {}", dataset.name), problems);
  problems.throw_if_any();
  return result;
}

std::vector<double> parse_target(std::string_view text, const Targets& like, const std::string& where) {
  std::vector<double> row;
  if (like.kind == LabelKind::many) {
    const std::vector<std::string> classes = classes_in(text, where);
    for (const std::string& name : classes) {
      if (std::ranges::find(like.names, name) == like.names.end())
        fail("{}: there is no class {}{}; the classes are {}", where, in_quotes(name),
             did_you_mean(name, like.names), listed_classes(like.names));
    }
    for (const std::string& name : like.names)
      row.push_back(std::ranges::find(classes, name) == classes.end() ? 0 : 1);
    return row;
  }
  for (const std::string& part : split_at(text, ','))
    row.push_back(target_number(part, where, false, "as in NODE=12.5"));
  if (row.size() != like.columns())
    fail("{}: {}; it must have {}, as {}", where, counted(std::ssize(row), "value"), like.columns(),
         like.columns() == 1 ? "NODE=12.5" : "NODE=12.5,3");
  return row;
}

std::string classes_text(const Targets& targets, std::span<const double> row) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < row.size(); ++c)
    if (row[c] > 0) names.push_back(targets.names[c]);
  return names.empty() ? std::string(kNoClass) : join(names, "|");
}

std::string said_classes(const Targets& targets, const TargetAnswer& answer,
                         std::span<const double> thresholds, NodeId u) {
  const auto row = answer.row(u);
  std::vector<double> has(row.size());
  for (std::size_t c = 0; c < row.size(); ++c)
    has[c] = answer.status[at(u)] == TargetStatus::known ? row[c] : row[c] >= thresholds[c] ? 1 : 0;
  return classes_text(targets, has);
}

bool look_like_values(std::span<const std::string> class_names, std::span<const ClassId> labels) {
  constexpr std::size_t kMany = 20;
  if (class_names.size() < kMany) return false;
  if (!std::ranges::all_of(class_names,
                           [](const std::string& name) { return number_in_cell(name, true).has_value(); }))
    return false;
  const auto fractions =
      std::ranges::count_if(class_names, [](const std::string& name) { return !parse_integer(name); });
  if (2 * fractions > std::ssize(class_names)) return true;
  std::vector<std::int64_t> members(class_names.size());
  for (ClassId label : labels)
    if (label != kUnknown) ++members[at(label)];
  return 2 * std::ranges::count(members, 1) > std::ssize(members);
}

void write_target_predictions(const Dataset& dataset, const TargetAnswer& answer,
                              std::span<const double> radius, std::span<const double> thresholds,
                              const std::filesystem::path& path, NodeId first,
                              std::span<const std::string> reasons) {
  if (!reasons.empty())
    require_count("write_target_predictions: reasons", std::ssize(reasons), dataset.nodes() - first,
                  "one per node");
  const Targets& targets = dataset.targets;
  const bool many = targets.kind == LabelKind::many;
  std::string header = many ? "node,classes,status" : "node,status";
  for (const std::string& name : targets.names) {
    header += fmt::format(",{}", csv_cell(name));
    if (!many && !radius.empty())
      header += fmt::format(",{},{}", csv_cell(name + " low"), csv_cell(name + " high"));
  }
  if (!reasons.empty()) header.append(",reasons");
  CsvFile file(path, header);
  for (NodeId u = first; u < dataset.nodes(); ++u) {
    const auto row = answer.row(u);
    const TargetStatus status = answer.status[at(u)];
    file.add("{}", csv_cell(dataset.node_name(u)));
    if (many) file.add(",{}", csv_cell(said_classes(targets, answer, thresholds, u)));
    file.add(",{}", name_of(status));
    for (std::size_t c = 0; c < row.size(); ++c) {
      file.add(",{:.9g}", row[c]);
      if (many || radius.empty()) continue;
      const double reach = status == TargetStatus::known ? 0 : radius[c];
      file.add(",{},{}", std::isfinite(reach) ? fmt::format("{:.9g}", row[c] - reach) : "-inf",
               std::isfinite(reach) ? fmt::format("{:.9g}", row[c] + reach) : "inf");
    }
    if (!reasons.empty()) file.add(",{}", csv_cell(reasons[at(u - first)]));
    file.add("\n");
  }
  file.commit();
}

}  // namespace heatfront
