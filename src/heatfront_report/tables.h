// SPDX-License-Identifier: MIT
// What reports share: tables for a terminal, for Markdown and for a page, and a page that needs nothing else.
#pragma once

#include <string>
#include <vector>

namespace heatfront {

using TextRows = std::vector<std::vector<std::string>>;  // the first is the heading

// Cells, made printable, under each other; columns that hold numbers align right.
std::string text_table(TextRows rows);

std::string markdown_table(const TextRows& rows);

// `body`: HTML; the title is its heading, too.
std::string html_page(const std::string& title, const std::string& body);

// The first columns are names and stand left, figures right.
std::string html_table(const TextRows& rows, std::size_t names = 1);

}  // namespace heatfront
