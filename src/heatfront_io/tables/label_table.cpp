// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/label_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/data/names.h"
#include "heatfront_io/tables/csv_header.h"
#include "heatfront_io/tables/likely_typos.h"

namespace heatfront {
namespace {

constexpr std::string_view kPartNames[] = {"part", "split", "set", "fold"};

constexpr std::int32_t kNothing = -1;

// Finds the two by name, else by position. `expected` is how messages call them: "node,label".
NodeColumns find_columns(const CsvTable& table, const CsvHeader& header, ColumnNames value_names,
                         std::string_view expected, std::vector<std::string>& notes) {
  const auto [width, line] = header.first_row();
  if (width < 2) fail("{}:{}: one column; {} is expected", table.name(), line, expected);
  if (width > 2 && !header.present()) {
    fail("{}:{}: {} columns; {} is expected, or a header that says which are", table.name(), line, width,
         expected);
  }
  const auto node = header.find(kNodeNames), value = header.find(value_names);
  if (width > 2 && (!node || !value)) {
    fail("{}:{}: {} columns, and the header does not say which are {}", table.name(), line, width, expected);
  }
  const NodeColumns columns{.node = node.value_or(value == 0u ? 1 : 0),
                            .value = value.value_or(node == 1u ? 0 : 1)};
  const std::size_t used[] = {columns.node, columns.value};
  if (auto note = header.unused(used); !note.empty()) notes.push_back(std::move(note));
  return columns;
}

// One value a node. value(cell, rows) → a number, kNothing where nothing is said.
template <class Value>
std::vector<std::int32_t> read_values(const CsvHeader& header, NodeColumns columns, const IdTable& nodes,
                                      std::string_view what, std::string_view absent, const Value& value) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(nodes.count()), kNothing);
  std::vector<std::int64_t> lines(values.size());  // where it was said, 0: nowhere
  for (CsvRows rows = header.rows(); rows.next();) {
    require_width(rows, header.first_row());
    const std::string_view id = rows.cells()[columns.node];
    const auto node = nodes.find(id);
    if (!node) {
      const bool first = !header.present() && rows.line() == header.first_row().line;
      fail("{}: {} without node: '{}' {}{}", rows.place(), what, shown(id), absent,
           first ? fmt::format("; if this is a header, it must say node,{}", what) : "");
    }
    const auto u = static_cast<std::size_t>(*node);
    const std::int32_t said = value(rows.cells()[columns.value], rows);
    if (lines[u] != 0 && said != values[u]) {
      fail("{}: node '{}' again with another {}, line {} has it already; give it once", rows.place(),
           shown(id), what, lines[u]);
    }
    values[u] = said;
    lines[u] = rows.line();
  }
  return values;
}

bool all_integers(const std::vector<std::string>& names) {
  return std::ranges::all_of(names, [](const std::string& name) { return parse_integer(name).has_value(); });
}

// Where each name of `names` stands in `order`.
std::vector<ClassId> places_in(const std::vector<std::string>& order, const std::vector<std::string>& names) {
  std::map<std::string_view, ClassId> places;
  for (const std::string& name : order) places.emplace(name, static_cast<ClassId>(places.size()));
  std::vector<ClassId> result;
  for (const std::string& name : names) result.push_back(places.at(name));
  return result;
}

}  // namespace

void sort_classes(std::vector<std::string>& names) {
  std::ranges::sort(names);
  if (!all_integers(names)) return;
  std::ranges::stable_sort(names, {}, [](const std::string& name) { return *parse_integer(name); });
}

bool is_unknown_label(std::string_view label) { return label.empty() || label == "?" || label == "-1"; }

std::vector<std::string> read_class_table(const std::filesystem::path& path) {
  const CsvTable table(path, Delimiter::comma);  // one column: blanks belong to the names
  std::vector<std::string> names;
  std::map<std::string, std::int64_t> lines;
  for (CsvRows rows = CsvHeader(table, {kLabelNames}).rows(); rows.next();) {
    if (rows.cells().size() != 1) {
      fail("{}: {} columns; one class a row is expected", rows.place(), rows.cells().size());
    }
    const std::string name(rows.cells()[0]);
    if (is_unknown_label(name)) {
      fail("{}: '{}' cannot name a class: it says that none is known", rows.place(), name);
    }
    const auto [known, added] = lines.emplace(name, rows.line());
    if (!added)
      fail("{}: class '{}' again, line {} has it already", rows.place(), shown(name), known->second);
    names.push_back(name);
  }
  return names;
}

Labels read_label_table(const CsvTable& table, const IdTable& nodes, std::vector<std::string> class_names,
                        std::vector<std::string>& notes, std::string_view absent) {
  const CsvHeader header(table, {kNodeNames, kLabelNames});
  const NodeColumns columns = find_columns(table, header, kLabelNames, "node,label", notes);
  return read_label_table(table, header, columns, nodes, std::move(class_names), notes, absent);
}

Labels read_label_table(const CsvTable& table, const CsvHeader& header, NodeColumns columns,
                        const IdTable& nodes, std::vector<std::string> class_names,
                        std::vector<std::string>& notes, std::string_view absent) {
  const bool given = !class_names.empty();
  IdTable classes(table.text().size());
  for (const std::string& name : class_names) classes.number(name);
  std::int64_t minus_ones = 0;
  Labels result;
  result.labels =
      read_values(header, columns, nodes, "label", absent, [&](std::string_view label, const auto& rows) {
        if (label == "-1") ++minus_ones;
        if (is_unknown_label(label)) return kUnknown;
        if (given && !classes.find(label)) {
          fail("{}: '{}' is not a class; there are: {}", rows.place(), shown(label),
               listed_classes(class_names));
        }
        return classes.number(label);
      });
  if (minus_ones > 0) {
    notes.push_back(fmt::format("{}: label -1 stands for unknown (rows: {})", table.name(), minus_ones));
  }
  result.class_names = given ? std::move(class_names) : classes.names();
  if (given) return result;
  const std::vector<std::string> met = result.class_names;
  sort_classes(result.class_names);
  const std::vector<ClassId> places = places_in(result.class_names, met);
  for (ClassId& label : result.labels) {
    if (label != kUnknown) label = places[static_cast<std::size_t>(label)];
  }
  for (const std::string& typo : likely_typos(result.class_names, result.labels))
    notes.push_back(fmt::format("{}: {}", table.name(), typo));
  return result;
}

Split read_split_table(const CsvTable& table, const IdTable& nodes, std::vector<std::string>& notes) {
  Split split{.name = "file"};
  std::vector<NodeId>* const parts[] = {&split.train, &split.validation, &split.test};
  const CsvHeader header(table, {kNodeNames, kPartNames});
  const NodeColumns columns = find_columns(table, header, kPartNames, "node,part", notes);
  const auto values =
      read_values(header, columns, nodes, "part", kInNoTable, [](std::string_view part, const auto& rows) {
        if (part.empty()) return kNothing;
        if (part == "train") return 0;
        if (part == "validation" || part == "valid" || part == "val") return 1;
        if (part == "test") return 2;
        fail("{}: part '{}'; there are: train, validation, test", rows.place(), shown(part));
      });
  for (std::size_t u = 0; u < values.size(); ++u) {
    if (values[u] != kNothing) parts[values[u]]->push_back(static_cast<NodeId>(u));
  }
  return split;
}

}  // namespace heatfront
