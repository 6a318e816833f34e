// SPDX-License-Identifier: MIT
// A name or a path → Dataset. One table of formats, from which come opening, listing and error text.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/formats/readers.h"

namespace heatfront {

struct Format {
  std::string_view name;
  std::string_view what;
  bool (*recognises)(const std::filesystem::path& path);
  Dataset (*read)(const std::filesystem::path& path, const ReadOptions& options, Threads& threads);
};

std::span<const Format> formats();

// In this order: a path of a known format; a data set made on the spot ("grid:rows=30,cols=30"); an embedded
// one; one in the data folder, by its name in the catalogue or as NAME.npz or a folder NAME.
Dataset open_dataset(const std::string& name_or_path, const ReadOptions& options, Threads& threads);

// The files that it would read, and where that is a folder, all in it.
std::vector<std::filesystem::path> files_of_dataset(const std::string& name_or_path);

}  // namespace heatfront
