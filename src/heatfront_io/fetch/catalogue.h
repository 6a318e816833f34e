// SPDX-License-Identifier: MIT
// The data sets that heatfront knows by name: what they are, whose they are, where their files come from and
// where they lie once they are here. data/catalogue.json has the table, which is compiled in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront_io/fetch/remote_file.h"

namespace heatfront {

struct KnownDataset {
  std::string name;
  std::string title = {};
  std::int64_t nodes = 0;
  std::int64_t edges = 0;     // 0: points without a graph
  std::int64_t features = 0;  // 0: none, or not known before the file is read
  std::int64_t classes = 0;
  std::string licence = {};
  std::string home = {};                  // "github.com/OWNER/REPOSITORY" where there is a commit
  std::string commit = {};                // of that repository
  std::vector<std::string> mirrors = {};  // more base URLs, to which a file's name is added
  std::vector<RemoteFile> files = {};     // what fetch brings
  std::string folder = {};                // below the data folder, where it puts them
  std::vector<std::string> places = {};   // below the data folder: where to look for the set, best first
  bool embedded = false;                  // compiled in: neither files nor places
  std::string only_as = {};               // a form that heatfront does not read; fetch cannot bring it
};

// In the order of data/catalogue.json.
std::span<const KnownDataset> known_datasets();

// nullptr: no set of that name.
const KnownDataset* find_known(std::string_view name);

// Throws Error that lists the names there are.
const KnownDataset& known_dataset(std::string_view name);

// Where a file can be had, best first: GitHub and jsDelivr at the commit, then the mirrors.
std::vector<std::string> urls(const KnownDataset& dataset, const RemoteFile& file);

// Where a file lies below the data folder: folder/name.
std::string local_path(const KnownDataset& dataset, const RemoteFile& file);

// Of all files together; 0: not known.
std::int64_t download_bytes(const KnownDataset& dataset);

}  // namespace heatfront
