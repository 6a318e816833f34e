// SPDX-License-Identifier: MIT
// A data set, shared by all who hold it and never changed; and how features come in.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/tables/column_table.h"

namespace heatfront::python {

struct PythonData {
  std::shared_ptr<const Dataset> data;
};

// Columns, offsets, columns of the entries and values of a sparse matrix.
using SparseIn = std::tuple<std::int64_t, ArrayIn<std::int64_t>, ArrayIn<std::int32_t>, ArrayIn<float>>;

// Names and cells of the columns of a table.
using ColumnsIn = std::vector<std::pair<std::string, std::vector<std::string>>>;

Features features_of(const std::optional<MatrixIn>& dense, const std::optional<SparseIn>& sparse);
std::vector<TextColumn> columns_of(ColumnsIn columns);

}  // namespace heatfront::python
