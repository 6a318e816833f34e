// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace {

constexpr std::string_view kSourceNames[] = {"source", "src",   "from", "u",      "node1",
                                             "id1",    "start", "head", "sender", "numericid1"};
constexpr std::string_view kTargetNames[] = {"target", "dst",  "dest",     "destination",
                                             "to",     "v",    "node2",    "id2",
                                             "end",    "tail", "receiver", "numericid2"};
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

EdgeColumns columns_by_name(const CsvTable& table, const CsvHeader& header, std::vector<std::string>& notes) {
  const std::size_t width = header.names().size();
  const auto source = header.find(kSourceNames), target = header.find(kTargetNames),
             weight = header.find(kWeightNames);
  EdgeColumns columns{.weight = weight, .first = header.first_row()};
  if (source && target) {
    columns.source = *source;
    columns.target = *target;
    header.note_unused({*source, *target, weight.value_or(*target)}, notes);
    return columns;
  }
  // Names we do not know: by position, as long as none of those we know says otherwise.
  const bool in_order = source.value_or(0) == 0 && target.value_or(1) == 1 && weight.value_or(2) == 2;
  if (width < 2 || width > 3 || !in_order || header.names()[0].empty()) {
    fail("{}:{}: the header does not say which columns are source and target", table.name(),
         header.first_row().line);
  }
  if (width == 3 && !weight)
    notes.push_back(
        fmt::format("{}: '{}' is taken as the weight; with the header source,target,{} it is not used",
                    table.name(), shown(header.names()[2]), shown(header.names()[2])));
  if (width == 3) columns.weight = 2;
  return columns;
}

// A first row of words that are never met again may have been meant to name the columns.
void note_likely_header(const CsvTable& table, const ArcList& arcs, const IdTable& nodes,
                        std::vector<std::string>& notes) {
  if (arcs.from.size() < 2) return;
  const NodeId from = arcs.from[0], to = arcs.to[0];
  const auto is_word = [&](NodeId u) { return !parse_real(nodes.name(u)); };
  if (from == to || !is_word(from) || !is_word(to)) return;
  for (std::size_t i = 1; i < arcs.from.size(); ++i) {
    for (NodeId u : {arcs.from[i], arcs.to[i]}) {
      if (u == from || u == to) return;
    }
  }
  notes.push_back(fmt::format(
      "{}: the first row is read as an edge from '{}' to '{}', which no other row has; if it is a "
      "header, it must say source,target",
      table.name(), shown(nodes.name(from)), shown(nodes.name(to))));
}

// Labels given in the place of edges.
void refuse_labels(const CsvTable& table) {
  const CsvHeader header(table, {kNodeNames, kLabelNames});
  if (header.find(kNodeNames) == 0u && header.find(kLabelNames) == 1u)
    fail(
        "{}:{}: the header names nodes and labels; edges have source,target, and labels go beside them, as "
        "in "
        "edges=FILE,labels={}",
        table.name(), header.first_row().line, table.name());
}

Real parse_weight(std::string_view cell, const CsvRows& rows, const EdgeColumns& columns) {
  const auto weight = parse_real(cell);
  if (!weight)
    fail("{}: weight '{}' is not a number like 0.5{}", rows.place(), shown(cell),
         rows.line() == columns.first.line ? "; if this is a header, it must say source,target" : "");
  if (!std::isfinite(*weight) || *weight < 0) {
    fail("{}: weight {} cannot be used; weights must be finite and 0 or more", rows.place(), shown(cell));
  }
  return *weight;
}

}  // namespace

ArcList read_edge_table(const CsvTable& table, IdTable& nodes, std::vector<std::string>& notes) {
  const CsvHeader header(table, {kSourceNames, kTargetNames, kWeightNames});
  if (!header.present()) refuse_labels(table);
  const EdgeColumns columns =
      header.present() ? columns_by_name(table, header, notes) : columns_by_position(table);
  ArcList arcs;
  for (CsvRows rows = header.rows(); rows.next();) {
    const auto cells = rows.cells();
    const auto cell = [&](std::size_t j) { return j < cells.size() ? cells[j] : std::string_view(); };
    const std::string_view source = cell(columns.source), target = cell(columns.target);
    if (source.empty()) fail("{}: no source; source,target or a node alone is expected", rows.place());
    const bool alone = target.empty() && (!columns.weight || cell(*columns.weight).empty());
    if (!alone || cells.size() > columns.first.width) require_width(rows, columns.first);
    const IdTable::Number from = nodes.number(source);
    if (alone) continue;
    if (target.empty()) fail("{}: a weight, but no target", rows.place());
    arcs.from.push_back(from);
    arcs.to.push_back(nodes.number(target));
    if (columns.weight) arcs.weights.push_back(parse_weight(cells[*columns.weight], rows, columns));
  }
  if (!header.present()) note_likely_header(table, arcs, nodes, notes);
  return arcs;
}

}  // namespace heatfront
