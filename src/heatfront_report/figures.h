// SPDX-License-Identifier: MIT
// How single figures are said, in texts for people and in JSON for machines.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace heatfront {

using Json = nlohmann::ordered_json;

// 0.0000226 → "22.6 µs", 0.35 → "350 ms", 75 → "75 s": three digits in the unit that fits.
std::string time_text(double seconds);

// 0.8312 → "83.12 %"; a dash for NaN.
std::string percent(double share);

// A file's name within a line.
std::string path_text(const std::filesystem::path& path);

// null where it is not finite, which JSON cannot say.
Json json_number(double value);

// null where it is empty: there is no such file.
Json json_path(const std::filesystem::path& path);

// The text in lines that fit a terminal; what is too long goes on in this column.
std::string fitted(const std::string& text, std::size_t column);

// The line broken at blanks into such of at most `width` characters, all but the first indented.
std::string wrapped(std::string line, std::size_t width, std::size_t indent = 0);

inline constexpr std::size_t kTerminalColumns = 100;

}  // namespace heatfront
