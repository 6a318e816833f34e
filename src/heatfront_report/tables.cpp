// SPDX-License-Identifier: MIT
#include "heatfront_report/tables.h"

#include <fmt/core.h>

#include <algorithm>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_report/drawing/axis.h"

namespace heatfront {
namespace {

constexpr std::string_view kStyle =
    "body{font:16px/1.5 sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;font-size:14px;display:block;overflow-x:auto}"
    "th,td{padding:.2rem .6rem;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}"
    "th.name,td.name{text-align:left}svg{max-width:100%;height:auto}details{margin:.5rem 0}";

// Characters as a terminal shows them: UTF-8 continuation bytes take no place.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

bool looks_numeric(std::string_view cell) {
  return cell.empty() || cell.find_first_not_of("0123456789,.%–-+ ") == std::string_view::npos;
}

}  // namespace

std::string text_table(TextRows rows) {
  for (std::vector<std::string>& row : rows) std::ranges::transform(row, row.begin(), printable);
  std::vector<std::size_t> widths;
  std::vector<bool> numeric;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (c == widths.size()) {
        widths.push_back(0);
        numeric.push_back(true);
      }
      widths[c] = std::max(widths[c], width(rows[r][c]));
      if (r > 0 && !looks_numeric(rows[r][c])) numeric[c] = false;
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - width(row[c]), ' ');
      line += (c > 0 ? "  " : "") + (numeric[c] ? padding + row[c] : row[c] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += (text.empty() ? "" : "\n") + line;
  }
  return text;
}

std::string markdown_table(const TextRows& rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += "| " + join(rows[i], " | ") + " |\n";
    if (i > 0) continue;
    for (std::size_t c = 0; c < rows[i].size(); ++c) text += "|---";
    text += "|\n";
  }
  return text;
}

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>{0}</title>\n"
      "<style>{1}</style></head>\n<body><h1>{0}</h1>\n{2}</body></html>\n",
      escaped(title), kStyle, body);
}

std::string html_table(const TextRows& rows, std::size_t names) {
  std::string html = "<table>\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    html += "<tr>";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      html += fmt::format("<{0}{1}>{2}</{0}>", r == 0 ? "th" : "td", c < names ? " class='name'" : "",
                          escaped(rows[r][c]));
    }
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

}  // namespace heatfront
