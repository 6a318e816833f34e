// SPDX-License-Identifier: MIT
#include "heatfront_report/figures.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront {

std::string time_text(double seconds) {
  if (seconds < 0.9995e-3) return fmt::format("{:.3g} µs", 1e6 * seconds);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return seconds < 999.5 ? fmt::format("{:.3g} s", seconds)
                         : grouped(static_cast<std::int64_t>(std::llround(seconds))) + " s";
}

std::string percent(double share) { return std::isnan(share) ? "–" : fmt::format("{:.2f} %", 100 * share); }

std::string path_text(const std::filesystem::path& path) {
  return path == kStandardOutput ? "standard output" : printable(path.string());
}

Json json_number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json json_path(const std::filesystem::path& path) { return path.empty() ? Json() : Json(path.string()); }

std::string wrapped(std::string line, std::size_t width, std::size_t indent) {
  std::string text;
  while (line.size() > width) {
    const std::size_t blank = line.rfind(' ', width);
    if (blank == line.npos || blank <= indent) break;
    text += line.substr(0, blank) + "\n";
    line = std::string(indent, ' ') + line.substr(blank + 1);
  }
  return text + line;
}

std::string fitted(const std::string& text, std::size_t column) {
  std::string lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines += wrapped(line, kTerminalColumns, column) + "\n";
  return lines;
}

}  // namespace heatfront
