// SPDX-License-Identifier: MIT
// What a search for settings found, as JSON and as text.
#pragma once

#include <string>

#include "heatfront_experiment/search/search.h"
#include "heatfront_report/figures.h"

namespace heatfront {

Json json_of(const Search& search, const SearchOptions& options, const std::string& dataset);
std::string text_of(const Search& search, const SearchOptions& options, const std::string& dataset);

}  // namespace heatfront
