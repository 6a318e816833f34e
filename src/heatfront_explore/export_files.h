// SPDX-License-Identifier: MIT
// What can be taken away from the page: the very files that the command line writes, and a film as a page of its own.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "heatfront_explore/workbench.h"

namespace heatfront::explore {

struct ExportKind {
  std::string_view name, ending, type;
  std::string (*make)(Workbench& bench, const Matrix& places);
};

std::span<const ExportKind> export_kinds();            // labels, predictions, model, film
const ExportKind& find_export(std::string_view name);  // an unknown one is an Error that lists them

std::string file_stem(
    const std::string& name);  // letters, digits, - and _ of a name, that it can be a file's

inline constexpr NodeId kMostFilmNodes = 20000;  // of a film as a page

}  // namespace heatfront::explore
