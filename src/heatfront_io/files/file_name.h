// SPDX-License-Identifier: MIT
// Names of files and folders, taken apart; a .gz at the end never counts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heatfront {

std::filesystem::path without_gz(const std::filesystem::path& path);

std::string extension_of(const std::filesystem::path& path);  // ".csv" of "a/edges.csv.gz"
std::string stem_of(const std::filesystem::path& path);       // "edges" of it; "cora" of "data/cora/"

bool is_table_name(const std::filesystem::path& path);   // .csv, .tsv or .txt
bool is_spreadsheet(const std::filesystem::path& path);  // .xlsx, .xls or .ods
bool is_folder(const std::filesystem::path& path);

// What a folder holds, by name; nothing if it cannot be read.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder);
std::vector<std::filesystem::path> folders_of(const std::filesystem::path& folder);

}  // namespace heatfront
