// SPDX-License-Identifier: MIT
// One published file from one server: gone on with where the part ends, asked for again where the connection
// breaks off, and right by size and digest in the end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "heatfront_io/fetch/http_client.h"
#include "heatfront_io/fetch/part_file.h"
#include "heatfront_io/fetch/remote_file.h"

namespace heatfront {

struct DownloadOptions {
  int stall_seconds = 30;
  int retries = 2;  // after a connection that broke off, if it brought anything
  bool plain_http = false;
};

struct DownloadReport {
  std::string problem;    // a clause; empty: the part is whole and right
  std::int64_t came = 0;  // bytes over the wire
};

// Called with the length of the part and of the whole (0: not known); may throw to stop.
using DownloadProgress = std::function<void(std::int64_t done, std::int64_t total)>;

// After a problem the part holds what is worth going on with.
DownloadReport download(const HttpClient& client, const std::string& url, const RemoteFile& file,
                        PartFile& part, const DownloadOptions& options, const DownloadProgress& progress);

}  // namespace heatfront
