// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <unordered_map>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront/data/table_schema.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace {

constexpr std::string_view kPartNames[] = {"part", "split", "set", "fold"};

constexpr std::int32_t kNothing = -1;

// Finds the two by name, else by position. `flags` and `expected` are how messages call them: "--node and --label",
// "node,label".
NodeColumns find_columns(const CsvTable& table, const CsvHeader& header, const std::string& chosen_node,
                         const std::string& chosen_value, ColumnNames value_names, std::string_view expected,
                         std::string_view flags, const std::vector<std::string>& ignored,
                         std::vector<std::string>& notes) {
  const auto [width, line] = header.first_row();
  if (width < 2) fail("{}:{}: one column; {} is expected, {}", table.name(), line, expected, kSeparated);
  if (width > 2 && !header.present()) {
    fail("{}:{}: {} columns; {} is expected, or a header that says which are", table.name(), line, width,
         expected);
  }
  auto node = header.find(chosen_node, kNodeNames);
  const auto value = header.find(chosen_value, value_names);
  if (!node && width > 2) node = header.find_word(kNodeNames);
  if (width > 2 && (!node || !value || *node == *value)) {
    std::vector<std::string> names;
    for (const std::string& name : header.names()) names.push_back(name.empty() ? "(unnamed)" : shown(name));
    fail("{}:{}: {} columns, and the header does not say which are {}; {} them, choose from: {}",
         table.name(), line, width, expected, flags, join(names, ", "));
  }
  const NodeColumns columns{.node = node.value_or(value == 0u ? 1 : 0),
                            .value = value.value_or(node == 1u ? 0 : 1)};
  if (header.present() &&
      (!header.has_name(columns.node, kNodeNames[0]) || !header.has_name(columns.value, value_names[0])))
    notes.push_back(fmt::format("{}: '{}' says which node, '{}' its {}", table.name(),
                                shown(header.names()[columns.node]), shown(header.names()[columns.value]),
                                value_names[0]));
  header.note_unused({columns.node, columns.value}, notes, ignored);
  return columns;
}

// Of a table of several rows, none of which names a node: what is wrong, in one line.
std::string none_known(const CsvHeader& header, NodeColumns columns, const IdTable& nodes,
                       std::string_view absent) {
  std::string first;
  std::int64_t count = 0;
  Problems found_later;
  for (CsvRows rows = header.rows(); rows.next(found_later); ++count) {
    if (rows.cells().size() <= columns.node) continue;
    const std::string_view id = rows.cells()[columns.node];
    if (nodes.find(id)) return {};
    if (first.empty()) first = fmt::format("{}: {}", rows.place(), in_quotes(id));
  }
  if (count < 2) return {};
  return fmt::format("{} {}, and neither is any other of the {} names in this table", first, absent,
                     grouped(count));
}

// One value per node. value(cell, rows) → a number, kNothing where nothing is said.
template <class Value>
std::vector<std::int32_t> read_values(const CsvHeader& header, NodeColumns columns, const IdTable& nodes,
                                      std::string_view what, std::string_view absent, Problems& problems,
                                      const Value& value) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(nodes.count()), kNothing);
  if (const std::string foreign = none_known(header, columns, nodes, absent); !foreign.empty()) {
    problems.add(foreign);
    return values;
  }
  std::vector<std::string> names;                  // of the nodes, once a message needs them
  std::vector<std::int64_t> lines(values.size());  // where it was said, 0: nowhere
  for (CsvRows rows = header.rows(); rows.next(problems);) {
    if (!has_width(rows, header.first_row(), problems)) continue;
    problems.collect([&] {
      const std::string_view id = rows.cells()[columns.node];
      const auto node = nodes.find(id);
      if (!node) {
        const bool first = !header.present() && rows.line() == header.first_row().line;
        if (names.empty()) names = nodes.names();
        fail("{}: {} without node: {} {}{}", rows.place(), what,
             listed_ids(std::array{std::string(id)}, names), absent,
             first ? fmt::format("; if this is a header, it must say node,{}", what) : "");
      }
      const auto u = static_cast<std::size_t>(*node);
      const std::int32_t said = value(rows.cells()[columns.value], rows);
      if (lines[u] != 0 && said != values[u]) {
        fail("{}: node '{}' again with another {}, line {} has it already; give it once{}", rows.place(),
             shown(id), what, lines[u],
             what == "label" && absent == kInNoTable ? ", or --many-labels where a node can have several"
                                                     : "");
      }
      values[u] = said;
      lines[u] = rows.line();
    });
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

constexpr std::size_t kShortest = 4;
constexpr std::int64_t kFew = 2;

std::string lower_case(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool has_digit(std::string_view name) {
  return std::ranges::any_of(name, [](char c) { return c >= '0' && c <= '9'; });
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
      fail("{}: {} columns; one class per row is expected", rows.place(), rows.cells().size());
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

LabelTable::LabelTable(const CsvTable& table, const ColumnChoice& choice, std::vector<std::string>& notes)
    : table_(&table), header_(table, {kNodeNames, kLabelNames}, std::array{choice.node, choice.label}) {
  columns_ = find_columns(table, header_, choice.node, choice.label, kLabelNames, "node,label",
                          "--node and --label name", choice.ignored, notes);
}

void number_lone_nodes(const CsvTable& table, CsvHeader& header, std::size_t node_column, IdTable& nodes,
                       std::vector<std::string>& notes) {
  std::vector<std::string> lone, first;  // of the first row, where it names no node
  std::int64_t found = 0;
  bool met_again = false;
  Problems ignored;  // read() finds them again
  for (CsvRows rows = header.rows(); rows.next(ignored);) {
    const auto cells = rows.cells();
    if (cells.size() != header.first_row().width) continue;
    const std::string_view id = cells[node_column];
    if (id.empty()) continue;
    for (std::size_t j = 0; j < first.size(); ++j) met_again = met_again || cells[j] == first[j];
    if (nodes.find(id)) {
      ++found;
      continue;
    }
    if (!header.present() && rows.line() == header.first_row().line && !parse_integer(id))
      first.assign(cells.begin(), cells.end());
    lone.emplace_back(id);
  }
  if (!first.empty() && found > 0 && (lone.size() == 1 || (!met_again && found >= std::ssize(lone)))) {
    header.take_first_row();
    notes.push_back(fmt::format("{}: the first row is taken for a header: no node is called '{}'",
                                table.name(), shown(lone[0])));
    lone.erase(lone.begin());
  }
  if (lone.empty()) return;
  const std::vector<std::string> others = nodes.names();
  for (const std::string& id : lone) nodes.number(id);
  const std::vector<std::string> names = nodes.names();
  const std::span added = std::span(names).subspan(others.size());
  notes.push_back(fmt::format("{}: {} in neither edges nor features: {}; {} alone", table.name(),
                              counted(std::ssize(added), "node", added.size() == 1 ? " is" : " are"),
                              listed_ids(added, others), added.size() == 1 ? "it stands" : "they stand"));
}

void LabelTable::number_nodes(IdTable& nodes, std::vector<std::string>& notes) {
  number_lone_nodes(*table_, header_, columns_.node, nodes, notes);
}

Labels LabelTable::read(const IdTable& nodes, std::vector<std::string> class_names,
                        std::vector<std::string>& notes, Problems& problems, std::string_view absent,
                        std::string_view advice) const {
  const bool given = !class_names.empty();
  IdTable classes(table_->text().size());
  for (const std::string& name : class_names) classes.number(name);
  std::int64_t minus_ones = 0;
  Labels result;
  result.labels = read_values(header_, columns_, nodes, "label", absent, problems,
                              [&](std::string_view label, const auto& rows) {
                                if (label == "-1") ++minus_ones;
                                if (is_unknown_label(label)) return kUnknown;
                                if (given && !classes.find(label)) {
                                  fail("{}: '{}' is not a class{}; the classes are {}{}{}", rows.place(),
                                       shown(label), did_you_mean(label, class_names),
                                       listed_classes(class_names), advice.empty() ? "" : "; ", advice);
                                }
                                return classes.number(label);
                              });
  if (minus_ones > 0) {
    notes.push_back(fmt::format("{}: label -1 stands for unknown (rows: {})", table_->name(), minus_ones));
  }
  result.class_names = given ? std::move(class_names) : classes.names();
  if (given) return result;
  const std::vector<std::string> met = result.class_names;
  sort_classes(result.class_names);
  const std::vector<ClassId> places = places_in(result.class_names, met);
  for (ClassId& label : result.labels) {
    if (label != kUnknown) label = places[static_cast<std::size_t>(label)];
  }
  if (const auto several = std::ranges::find_if(
          result.class_names, [](const std::string& name) { return name.find('|') != name.npos; });
      several != result.class_names.end())
    notes.push_back(fmt::format("{}: {} is one class; --many-labels takes a|b as two", table_->name(),
                                in_quotes(*several)));
  for (const std::string& typo : likely_typos(result.class_names, result.labels))
    notes.push_back(fmt::format("{}: {}", table_->name(), typo));
  return result;
}

Split read_split_table(const CsvTable& table, const ColumnChoice& choice, const IdTable& nodes,
                       std::vector<std::string>& notes, Problems& problems) {
  Split split{.name = "file"};
  std::vector<NodeId>* const parts[] = {&split.train, &split.validation, &split.test};
  const CsvHeader header(table, {kNodeNames, kPartNames}, std::array{choice.node});
  const NodeColumns columns = find_columns(table, header, choice.node, "", kPartNames, "node,part",
                                           "--node names the first of", choice.ignored, notes);
  const auto values = read_values(
      header, columns, nodes, "part", kInNoTable, problems, [](std::string_view part, const auto& rows) {
        if (part.empty()) return kNothing;
        if (part == "train") return 0;
        if (part == "validation" || part == "valid" || part == "val") return 1;
        if (part == "test") return 2;
        fail("{}: part '{}'; choose from: train, validation, test", rows.place(), shown(part));
      });
  for (std::size_t u = 0; u < values.size(); ++u) {
    if (values[u] != kNothing) parts[values[u]]->push_back(static_cast<NodeId>(u));
  }
  return split;
}

bool nearly_same(std::string_view a, std::string_view b) {
  const std::string lower_a = lower_case(a), lower_b = lower_case(b);
  if (lower_a == lower_b) return true;
  if (std::min(a.size(), b.size()) < kShortest || has_digit(a) || has_digit(b)) return false;
  return edit_distance(lower_a, lower_b) <= 1;
}

std::string listed_ids(std::span<const std::string> ids, std::span<const std::string> names) {
  constexpr std::size_t kMostListed = 5, kMostSearched = 200'000;
  std::vector<std::string> texts;
  for (const std::string& id : ids.first(std::min(kMostListed, ids.size()))) {
    const auto meant = std::ranges::find_if(names.first(std::min(kMostSearched, names.size())),
                                            [&](const std::string& name) { return nearly_same(id, name); });
    texts.push_back(in_quotes(id) +
                    (meant == names.end() ? "" : fmt::format(" (did you mean {}?)", in_quotes(*meant))));
  }
  return join(texts, ", ") + (ids.size() > kMostListed ? ", …" : "");
}

std::vector<std::string> nodes_alike(std::span<const std::string> names) {
  std::unordered_map<std::string, std::size_t> met;
  std::vector<std::string> pairs;
  for (std::size_t u = 0; u < names.size(); ++u) {
    const auto [first, is_new] = met.emplace(lower_case(names[u]), u);
    if (!is_new) pairs.push_back(in_quotes(names[first->second]) + " and " + in_quotes(names[u]));
  }
  if (pairs.empty()) return {};
  constexpr std::size_t kMostListed = 5;
  const bool many = pairs.size() > kMostListed;
  const std::int64_t count = std::ssize(pairs);
  if (many) pairs.resize(kMostListed);
  return {fmt::format("{} only in upper and lower case: {}{}; if they are the same, write them alike",
                      counted(count, "pair", count == 1 ? " of nodes differs" : " of nodes differ"),
                      join(pairs, "; "), many ? "; …" : "")};
}

std::vector<std::string> likely_typos(std::span<const std::string> class_names,
                                      std::span<const ClassId> labels) {
  std::vector<std::int64_t> members(class_names.size());
  for (ClassId label : labels) {
    if (label != kUnknown) ++members[at(label)];
  }
  std::vector<std::string> notes;
  for (std::size_t c = 0; c < class_names.size(); ++c) {
    if (is_missing(class_names[c]))
      notes.push_back(
          fmt::format("class {} has {}; if it stands for unknown, leave the cell empty or write ?",
                      in_quotes(class_names[c]), counted(members[c], "label")));
    for (std::size_t other = 0; other < class_names.size(); ++other) {
      const bool is_second = members[other] > members[c] || (members[other] == members[c] && other < c);
      const bool differs_in_case = lower_case(class_names[c]) == lower_case(class_names[other]);
      if (!is_second || (!differs_in_case && members[c] > kFew) ||
          !nearly_same(class_names[c], class_names[other]))
        continue;
      notes.push_back(fmt::format("class {} has {}; did you mean {}, which has {}?",
                                  in_quotes(class_names[c]), counted(members[c], "label"),
                                  in_quotes(class_names[other]), members[other]));
    }
  }
  return notes;
}

}  // namespace heatfront
