// SPDX-License-Identifier: MIT
// Brings the files of a known data set into the data folder: each from the first server that has it right,
// beside its place as NAME.part, checked by size and digest, then renamed into place. What a broken download
// left is gone on with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "heatfront/base/progress.h"
#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_io/fetch/data_folder.h"

namespace heatfront {

struct FetchOptions {
  std::filesystem::path folder = data_folder();
  // Asked instead of the public homes, in this order: copies of a data folder, as
  // MIRROR/planetoid/ind.cora.x. Only these may be plain http://.
  std::vector<std::string> mirrors;
  int stall_seconds = 30;  // without a byte, after which a server is given up
  int retries = 2;         // how many times more to ask a server that breaks off, each time for the rest only
};

struct FetchedFile {
  std::filesystem::path path;
  std::int64_t bytes = 0;       // of the whole file
  std::int64_t downloaded = 0;  // this time; less than `bytes` where an earlier start was gone on with
  std::string url;              // where it came from; empty: it was there already, and right
};

struct FetchReport {
  std::vector<FetchedFile> files;  // none for an embedded set
  std::filesystem::path opens;  // what the name of the set stands for from now on; empty for an embedded one
};

// Progress is in bytes of the whole set. Throws Error with one line that says what each server did and where
// to put which files by hand; Interrupted when `progress` says so. A file in place is always whole and right.
FetchReport fetch(const KnownDataset& dataset, const FetchOptions& options = {},
                  const ProgressCallback& progress = {});

}  // namespace heatfront
