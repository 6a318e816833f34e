// SPDX-License-Identifier: MIT
// What was learned of a table of features as one JSON text, which data and model files keep.
#pragma once

#include <string>
#include <string_view>

#include "heatfront/data/table_schema.h"

namespace heatfront {

std::string schema_text(const TableSchema& schema);

// Error (beginning with `where`) unless it is such a text. Whether it makes sense is for check().
TableSchema schema_of_text(std::string_view text, const std::string& where);

}  // namespace heatfront
