// SPDX-License-Identifier: MIT
// Names of classes that look like a slip of the pen, or like no class at all.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/types.h"

namespace heatfront {

// Are they the same but for upper and lower case, or for one letter left out, put in, changed or swapped with the next?
// Names with digits in them, and such of three letters or fewer, only in the first way.
bool nearly_same(std::string_view a, std::string_view b);

// A sentence for each class of one or two labels whose name is nearly that of one with more, and for each whose name is a word
// for what is missing, as NA.
std::vector<std::string> likely_typos(std::span<const std::string> class_names,
                                      std::span<const ClassId> labels);

}  // namespace heatfront
