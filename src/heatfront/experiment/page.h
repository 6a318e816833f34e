// SPDX-License-Identifier: MIT
// What HTML reports share: a page that needs nothing else, and tables.
#pragma once

#include <string>
#include <vector>

namespace heatfront {

// `body`: HTML; the title is its heading, too.
std::string html_page(const std::string& title, const std::string& body);

// The first row is the heading. The first columns are names and stand left, figures right.
std::string html_table(const std::vector<std::vector<std::string>>& rows, std::size_t names = 1);

}  // namespace heatfront
