// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/data/table_schema.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace {

constexpr std::string_view kSourceNames[] = {"source", "src",    "from",   "u",       "node1",
                                             "id1",    "start",  "head",   "sender",  "numericid1",
                                             "payer",  "citing", "caller", "follower"};
constexpr std::string_view kTargetNames[] = {
    "target", "dst",      "dest",       "destination", "to",    "v",      "node2",    "id2",     "end",
    "tail",   "receiver", "numericid2", "payee",       "cited", "callee", "followed", "followee"};
constexpr std::string_view kWeightNames[] = {"weight", "w", "edgeweight", "strength", "similarity"};

struct EdgeColumns {
  std::size_t source = 0;
  std::size_t target = 1;
  std::optional<std::size_t> weight;
  FirstRow first;
};

// Nodes alone may stand before the first edge, in rows of one cell.
EdgeColumns columns_by_position(const CsvTable& table) {
  CsvRows rows = table.rows();
  while (rows.next() && rows.cells().size() < 2) continue;
  const std::size_t width = std::max<std::size_t>(2, rows.cells().size());
  if (width > 3) {
    fail("{}: {} columns; source,target[,weight] is expected, or a header that says which are", rows.place(),
         width);
  }
  EdgeColumns columns{.first = {.width = width, .line = rows.line()}};
  if (width == 3) columns.weight = 2;
  return columns;
}

// "a, b, c", for messages.
std::string listed(const CsvHeader& header) {
  std::vector<std::string> names;
  for (const std::string& name : header.names()) names.push_back(name.empty() ? "(unnamed)" : shown(name));
  return join(names, ", ");
}

// By its first row.
bool holds_numbers(const CsvTable& table, const CsvHeader& header, std::size_t column) {
  CsvRows rows = header.rows();
  if (!rows.try_next() || rows.problem() != nullptr || rows.cells().size() <= column) return true;
  const std::string_view cell = rows.cells()[column];
  return is_missing(cell) || parse_cell(cell, table.delimiter() == Delimiter::semicolon);
}

// Names we do not know: by position, as long as none of those we know says otherwise.
EdgeColumns columns_in_order(const CsvTable& table, const CsvHeader& header,
                             std::vector<std::string>& notes) {
  const auto source = header.find(kSourceNames), target = header.find(kTargetNames),
             weight = header.find(kWeightNames);
  const std::size_t width = header.names().size();
  const bool in_order = source.value_or(0) == 0 && target.value_or(1) == 1 && weight.value_or(2) == 2;
  if (width < 2 || width > 3 || !in_order || header.names()[0].empty()) {
    fail(
        "{}:{}: the header does not say which columns are source and target; --source and --target name "
        "them, choose "
        "from: {}",
        table.name(), header.first_row().line, listed(header));
  }
  if (width == 3 && !weight && !holds_numbers(table, header, 2)) {
    header.note_unused({0, 1}, notes);
    return {.first = header.first_row()};
  }
  if (width == 3 && !weight)
    notes.push_back(
        fmt::format("{}: '{}' is taken as the weight; with the header source,target,{} it is not used",
                    table.name(), shown(header.names()[2]), shown(header.names()[2])));
  return {.weight = width == 3 ? std::optional<std::size_t>(2) : std::nullopt, .first = header.first_row()};
}

// By the names that were asked for, the usual ones, or, where there are many columns, by a usual word in the name.
EdgeColumns columns_by_name(const CsvTable& table, const CsvHeader& header, const ColumnChoice& choice,
                            std::vector<std::string>& notes) {
  const bool many = header.names().size() > 3;
  auto source = header.find(choice.source, kSourceNames), target = header.find(choice.target, kTargetNames);
  if (!source && many) source = header.find_word(kSourceNames);
  if (!target && many) target = header.find_word(kTargetNames);
  const auto weight = header.find(choice.weight, kWeightNames);
  if (!source || !target) return columns_in_order(table, header, notes);
  if (*source == *target)
    fail("{}:{}: source and target are both '{}'; --source and --target name two columns", table.name(),
         header.first_row().line, shown(header.names()[*source]));
  const auto name = [&](std::size_t column) { return shown(header.names()[column]); };
  if (!header.has_name(*source, kSourceNames[0]) || !header.has_name(*target, kTargetNames[0]) ||
      (weight && !header.has_name(*weight, kWeightNames[0])))
    notes.push_back(fmt::format("{}: edges go from '{}' to '{}'{}", table.name(), name(*source),
                                name(*target),
                                weight ? fmt::format(", their weight is '{}'", name(*weight)) : ""));
  header.note_unused({*source, *target, weight.value_or(*target)}, notes, choice.ignored);
  return {.source = *source, .target = *target, .weight = weight, .first = header.first_row()};
}

// A first row of words that are never met again may have been meant to name the columns.
class LikelyHeader {
 public:
  void meet(NodeId from, NodeId to) {
    if (++arcs_ == 1) {
      first_ = {from, to};
    } else if (from == first_[0] || from == first_[1] || to == first_[0] || to == first_[1]) {
      met_again_ = true;
    }
  }
  void note(const CsvTable& table, const IdTable& nodes, std::vector<std::string>& notes) const {
    const auto is_word = [&](NodeId u) { return !parse_real(nodes.name(u)); };
    const auto [from, to] = first_;
    if (arcs_ < 2 || met_again_ || from == to || !is_word(from) || !is_word(to)) return;
    notes.push_back(fmt::format(
        "{}: the first row is read as an edge from '{}' to '{}', which no other row has; if it is a "
        "header, it must say source,target",
        table.name(), shown(nodes.name(from)), shown(nodes.name(to))));
  }

 private:
  std::int64_t arcs_ = 0;
  std::array<NodeId, 2> first_ = {};
  bool met_again_ = false;
};

// Those of the first row, where it is one of two words and no other row has either of them.
std::vector<std::string> words_met_once(const CsvTable& table) {
  CsvRows rows = table.rows();
  if (!rows.try_next() || rows.problem() != nullptr || rows.cells().size() < 2) return {};
  const std::vector<std::string> words(rows.cells().begin(), rows.cells().begin() + 2);
  if (words[0].empty() || words[1].empty() || words[0] == words[1] || parse_real(words[0]) ||
      parse_real(words[1]))
    return {};
  std::int64_t others = 0;
  for (; rows.try_next(); ++others) {
    for (const std::string_view cell : rows.cells().first(std::min<std::size_t>(2, rows.cells().size()))) {
      if (cell == words[0] || cell == words[1]) return {};
    }
  }
  return others > 1 ? words : std::vector<std::string>();
}

// Labels or features given in the place of edges: the first column is called as that of nodes is, and others follow that are no
// ends of edges.
void refuse_tables_of_nodes(const CsvTable& table) {
  const CsvHeader header(table, {kNodeNames, kLabelNames});
  if (header.find(kNodeNames) != 0u || header.find(kTargetNames)) return;
  const std::span names = header.names();
  const bool may_be_weighted = names.size() == 3 && header.find(kWeightNames) == 2u;
  if (header.find(kLabelNames) != 1u &&
      ((names.size() > 2 && !may_be_weighted) ||
       (names.size() == 2 && holds_numbers(table, header, 1) && !holds_numbers(table, header, 0))))
    fail("{}:{}: this is a table of features (its first column is {}); write features={}", table.name(),
         header.first_row().line, in_quotes(names[0]), table.name());
  if (header.find(kLabelNames) == 1u)
    fail(
        "{}:{}: the header names nodes and labels; edges have source,target, and labels go beside them, as "
        "in "
        "edges=FILE,labels={}",
        table.name(), header.first_row().line, table.name());
}

// Nothing where it cannot be used, which is a problem then.
std::optional<Real> parse_weight(std::string_view cell, bool decimal_comma, const CsvRows& rows,
                                 const EdgeColumns& columns, Problems& problems) {
  const auto weight = parse_cell(cell, decimal_comma && cell.find(',') != cell.npos);
  if (cell.empty()) {
    problems.add(
        fmt::format("{}: no weight, but other edges have one; write 1 for an ordinary edge", rows.place()));
  } else if (!weight) {
    problems.add(fmt::format(
        "{}: weight '{}' is not a number like 0.5{}", rows.place(), shown(cell),
        rows.line() == columns.first.line ? "; if this is a header, it must say source,target" : ""));
  } else if (!std::isfinite(*weight) || *weight < 0) {
    problems.add(fmt::format("{}: weight {} cannot be used; weights must be finite and 0 or more",
                             rows.place(), shown(cell)));
    return std::nullopt;
  }
  return weight;
}

}  // namespace

HeldByTable held_by(const CsvTable& table, const ColumnChoice& choice) {
  constexpr std::string_view kOfPredictions[] = {"confidence"};
  const CsvHeader header(table, {kSourceNames, kTargetNames, kNodeNames, kLabelNames},
                         std::array{choice.source, choice.target, choice.node, choice.label});
  if (!header.present()) return {};
  const auto find = [&](const std::string& chosen, ColumnNames names) {
    const auto column = header.find(chosen, names);
    return column ? column : header.find_word(names);
  };
  const auto source = find(choice.source, kSourceNames), target = find(choice.target, kTargetNames),
             node = find(choice.node, kNodeNames);
  if (source && target && *source != *target) return {.content = TableContent::edges};
  if (!node || header.names().size() < 2 || header.find(kOfPredictions)) return {};
  const auto label = header.find(choice.label, kLabelNames);
  if (!label || *label == *node) return {.content = TableContent::features};
  bool lists_others = false;
  for (CsvRows rows = header.rows(); header.names().size() > 2 && rows.try_next();)
    lists_others = lists_others || (rows.cells().size() > *label && is_unknown_label(rows.cells()[*label]));
  return {.content = TableContent::labels, .label = header.names()[*label], .lists_others = lists_others};
}

void find_edge_header(const CsvTable& edges, std::span<const CsvTable* const> others, ColumnChoice& choice,
                      std::vector<std::string>& notes) {
  if (others.empty() || CsvHeader(edges, {kSourceNames, kTargetNames, kWeightNames},
                                  std::array{choice.source, choice.target, choice.weight})
                            .present())
    return;
  const std::vector<std::string> words = words_met_once(edges);
  if (words.empty()) return;
  for (const CsvTable* other : others) {
    for (CsvRows rows = other->rows(); rows.try_next();) {
      for (const std::string_view cell : rows.cells())
        if (cell == words[0] || cell == words[1]) return;
    }
  }
  notes.push_back(fmt::format("{}: the first row is taken for a header: no other table knows '{}' or '{}'",
                              edges.name(), shown(words[0]), shown(words[1])));
  choice.source = words[0];
  choice.target = words[1];
}

void read_edge_table(const CsvTable& table, const ColumnChoice& choice, IdTable& nodes, ArcSink& arcs,
                     std::vector<std::string>& notes, Problems& problems) {
  const CsvHeader header(table, {kSourceNames, kTargetNames, kWeightNames},
                         std::array{choice.source, choice.target, choice.weight});
  if (!header.find(choice.source, kSourceNames) && !header.find(choice.target, kTargetNames))
    refuse_tables_of_nodes(table);
  const EdgeColumns columns =
      header.present() ? columns_by_name(table, header, choice, notes) : columns_by_position(table);
  const bool decimal_commas = table.delimiter() == Delimiter::semicolon;
  arcs.begin(columns.weight.has_value());
  LikelyHeader likely;
  std::vector<std::string> alone_in_row;  // and the rest of the row is missing
  for (CsvRows rows = header.rows(); rows.next(problems);) {
    const auto cells = rows.cells();
    const auto cell = [&](std::size_t j) { return j < cells.size() ? cells[j] : std::string_view(); };
    const std::string_view source = cell(columns.source), target = cell(columns.target);
    if (source.empty()) {
      problems.add(fmt::format("{}: no source; source,target or a node alone is expected", rows.place()));
      continue;
    }
    const bool alone = target.empty() && (!columns.weight || cell(*columns.weight).empty());
    if ((!alone || cells.size() > columns.first.width) && !has_width(rows, columns.first, problems)) continue;
    const IdTable::Number from = nodes.number(source);
    if (alone) {
      if (cells.size() < columns.first.width) alone_in_row.emplace_back(source);  // `x,` was meant so
      continue;
    }
    if (target.empty()) {
      problems.add(fmt::format("{}: a weight, but no target", rows.place()));
      continue;
    }
    const auto weight = columns.weight
                            ? parse_weight(cells[*columns.weight], decimal_commas, rows, columns, problems)
                            : std::optional<Real>(Real(1));
    if (!weight) continue;
    const IdTable::Number to = nodes.number(target);
    arcs.add(from, to, *weight);
    likely.meet(from, to);
  }
  if (!header.present()) likely.note(table, nodes, notes);
  if (const auto count = std::ssize(alone_in_row); count > 0)
    notes.push_back(fmt::format("{}: {} a node and no edge, the first of '{}'", table.name(),
                                counted(count, "row", count == 1 ? " has" : " have"),
                                shown(alone_in_row[0])));
}

}  // namespace heatfront
