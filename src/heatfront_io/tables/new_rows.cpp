// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/new_rows.h"

#include "heatfront/base/fail.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {

NewRows read_new_rows(const std::filesystem::path& path, const Dataset& like, const ColumnChoice& choice) {
  if (like.features.cols() == 0)
    fail("{}: {} has no features, so there is nothing to read these by", path.string(), like.name);
  const CsvTable table(path);
  NewRows rows;
  Problems problems;
  IdTable nodes(table.text().size());
  FeatureTable features(table, choice, nodes, rows.notes, problems);
  problems.collect([&] { rows.features = features.read_like(like, nodes, rows.notes, problems); });
  problems.throw_if_any();
  rows.nodes = nodes.names();
  return rows;
}

// Without a table that says how to fill in, zeros.
Features features_without_rows(const Dataset& like, NodeId nodes) {
  if (like.features.cols() == 0) return {};
  if (like.features.sparse() != nullptr)
    return Features(SparseMatrix{.rows = nodes,
                                 .cols = like.features.cols(),
                                 .offsets = std::vector<std::int64_t>(static_cast<std::size_t>(nodes) + 1)});
  Matrix matrix(nodes, like.features.cols());
  for (NodeId u = 0; u < nodes && like.table.present(); ++u) encode_no_row(like.table, matrix.row(u));
  return Features(std::move(matrix));
}

}  // namespace heatfront
