// SPDX-License-Identifier: MIT
// A node or a class by what a user calls it: its name, or, where no name is a number, its number.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "heatfront/data/dataset.h"

namespace heatfront {

// Error says what there is.
NodeId find_node(const Dataset& dataset, std::string_view text);
ClassId find_class(const Dataset& dataset, std::string_view text);

void check_node(const Dataset& dataset, NodeId u);  // Error where there is no such node

std::string listed_classes(
    std::span<const std::string> names);  // "a, b, c", the first ones where there are many; "none"

const std::string& class_name(const Dataset& dataset, ClassId label);

}  // namespace heatfront
