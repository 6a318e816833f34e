// SPDX-License-Identifier: MIT
// What readers of text files share: arcs go into a list, or, where the options have a place for them, to disk. For source files only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/formats/readers.h"
#include "heatfront_io/tables/arc_sink.h"
#include "heatfront_io/tables/csv_table.h"

namespace heatfront {

// The arcs of a file while it is read: in memory, or where the options have a place for them on disk, there.
class ReadArcs {
 public:
  explicit ReadArcs(const ReadOptions& options) : options_(options) {}

  ArcSink& sink();

  // Once all are read. `renumbered`: the final number of each node; empty: as it is. Where an arc stands for both directions, no edge counts
  // as given in one only.
  void give_to(Dataset& dataset, NodeId nodes, const std::vector<NodeId>& renumbered, bool both_ways,
               const std::string& where, Threads& threads);

 private:
  const ReadOptions& options_;
  ListedArcs listed_;
};

// A table of arcs, which is not held either where they go to disk.
CsvTable arc_table(const std::filesystem::path& path, const ReadOptions& options,
                   std::optional<Delimiter> delimiter = {});

// The arcs of an array of shape (2, arcs) in an npz file, those of a matrix in compressed rows, a piece at a time: to disk without ever being
// held. Error where a node is none of `nodes`; returns how many arcs there are, or of how many nodes the matrix is.
std::int64_t list_ends(const NpzReader& npz, std::string_view name, std::int64_t nodes, ArcSink& arcs);
NodeId list_rows(const NpzReader& npz, std::string_view prefix, ArcSink& arcs);

// The arcs of a Matrix Market file by themselves.
struct MatrixMarketShape {
  NodeId nodes = 0;
  bool symmetric = false;  // each entry stands for both directions
};
MatrixMarketShape read_matrix_market_arcs(const std::filesystem::path& path, const ReadOptions& options,
                                          ArcSink& arcs);

}  // namespace heatfront
