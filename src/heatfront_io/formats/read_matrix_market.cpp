// SPDX-License-Identifier: MIT
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront_io/files/file_name.h"
#include "heatfront_io/formats/read_arcs.h"
#include "heatfront_io/tables/csv_table.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kReadable =
    "%%MatrixMarket matrix coordinate real|integer|pattern general|symmetric";

struct Banner {
  bool pattern = false;
  bool symmetric = false;
};

Banner read_banner(const CsvTable& table) {
  const std::string_view line = table.text().substr(0, table.text().find_first_of("\r\n"));
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (c == ' ' || c == '\t') {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  words.resize(5);
  const bool known_values = words[3] == "real" || words[3] == "integer" || words[3] == "pattern";
  const bool known_shape = words[4] == "general" || words[4] == "symmetric";
  if (words[0] != "%%matrixmarket" || words[1] != "matrix" || words[2] != "coordinate" || !known_values ||
      !known_shape) {
    fail("{}:1: '{}' cannot be read; '{}' can", table.name(), shown(line), kReadable);
  }
  return {.pattern = words[3] == "pattern", .symmetric = words[4] == "symmetric"};
}

struct Size {
  NodeId nodes = 0;
  std::int64_t entries = 0;
};

Size read_size(CsvRows& rows) {
  std::array<std::int64_t, 3> numbers = {};
  bool good = rows.next() && rows.cells().size() == 3;
  for (std::size_t j = 0; good && j < 3; ++j) {
    const auto number = parse_integer(rows.cells()[j]);
    good = number && *number >= 0;
    if (good) numbers[j] = *number;
  }
  if (!good) fail("{}: rows, columns and number of entries are expected", rows.place());
  const auto [height, width, entries] = numbers;
  if (height != width)
    fail("{}: {} rows but {} columns; a graph needs a square matrix", rows.place(), height, width);
  return {.nodes = checked_node_count(height, entries, rows.place()), .entries = entries};
}

NodeId read_index(std::string_view cell, NodeId nodes, const CsvRows& rows) {
  const auto index = parse_integer(cell);
  if (!index || *index < 1 || *index > nodes) {
    fail("{}: index '{}'; indices are 1 to {}", rows.place(), shown(cell), nodes);
  }
  return static_cast<NodeId>(*index - 1);
}

Real read_weight(std::string_view cell, const CsvRows& rows) {
  const auto weight = parse_real(cell);
  if (!weight || !std::isfinite(*weight) || *weight < 0) {
    fail("{}: value '{}' cannot be a weight; weights must be finite and 0 or more", rows.place(),
         shown(cell));
  }
  return *weight;
}

}  // namespace

MatrixMarketShape read_matrix_market_arcs(const fs::path& path, const ReadOptions& options, ArcSink& arcs) {
  const CsvTable table = arc_table(path, options, Delimiter::blanks);
  const Banner banner = read_banner(table);
  CsvRows rows = table.rows();
  const Size size = read_size(rows);
  const std::size_t width = banner.pattern ? 2 : 3;
  arcs.begin(!banner.pattern);
  std::int64_t entries = 0;
  for (; rows.next(); ++entries) {
    const auto cells = rows.cells();
    if (entries == size.entries) fail("{}: one entry more than the {} declared", rows.place(), size.entries);
    if (cells.size() != width) fail("{}: {} numbers; an entry has {}", rows.place(), cells.size(), width);
    const NodeId from = read_index(cells[0], size.nodes, rows), to = read_index(cells[1], size.nodes, rows);
    arcs.add(from, to, banner.pattern ? Real(1) : read_weight(cells[2], rows));
  }
  if (entries < size.entries) {
    fail("{}: the file ends after {} of {} entries; fetch or copy it again", table.name(), entries,
         size.entries);
  }
  return {.nodes = size.nodes, .symmetric = banner.symmetric};
}

bool is_matrix_market(const fs::path& path) { return extension_of(path) == ".mtx" && !is_folder(path); }

Dataset read_matrix_market(const fs::path& path, const ReadOptions& options, Threads& threads) {
  Dataset dataset{.name = stem_of(path)};
  ReadArcs arcs(options);
  const MatrixMarketShape shape = read_matrix_market_arcs(path, options, arcs.sink());
  arcs.give_to(dataset, shape.nodes, {}, shape.symmetric, path.string(), threads);
  dataset.labels.assign(static_cast<std::size_t>(dataset.nodes()), kUnknown);
  check(dataset, path.string());
  return dataset;
}

}  // namespace heatfront
