// SPDX-License-Identifier: MIT
// The data sets that are known by name and where they are, and what fetching one did, as JSON and as text.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_io/fetch/fetch.h"
#include "heatfront_report/figures.h"

namespace heatfront {

struct ListedDataset {
  const KnownDataset& known;
  std::filesystem::path found;  // empty: built in, or not there
};

struct DatasetList {
  std::filesystem::path folder;
  std::vector<ListedDataset> datasets;
};

DatasetList list_datasets();  // of today's data folder
Json json_of(const DatasetList& list);
std::string text_of(const DatasetList& list);

Json json_of(const KnownDataset& known, const FetchReport& report);
std::string text_of(const KnownDataset& known, const FetchReport& report);

}  // namespace heatfront
