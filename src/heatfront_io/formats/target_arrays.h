// SPDX-License-Identifier: MIT
// Labels that are values, or several per node, in an npz file: label_kind, label_columns, label_nodes and label_values, as they are written
// here; or an array of numbers, one row per node, under the names that labels have, where nan is unknown.
#pragma once

#include <optional>
#include <string_view>

#include "heatfront/data/targets.h"
#include "heatfront_io/arrays/npz.h"

namespace heatfront {

bool has_targets(const NpzReader& npz);
Targets take_targets(const NpzReader& npz, std::string_view prefix = "label_");
void add_targets(NpzWriter& npz, const Targets& targets,
                 std::string_view prefix = "label_");  // which are lent

// labels, node_labels, y or node_label, where a user says what they are; nothing where there is none.
std::optional<Targets> take_number_labels(const NpzReader& npz, LabelKind kind);

}  // namespace heatfront
