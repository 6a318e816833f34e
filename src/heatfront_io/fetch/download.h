// SPDX-License-Identifier: MIT
// One published file from one server: gone on with where the part ends, asked for again where the connection
// breaks off, and right by size and digest in the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "heatfront_io/fetch/http_client.h"
#include "heatfront_io/fetch/remote_file.h"
#include "heatfront_io/files/descriptor.h"

namespace heatfront {

// NAME.part, a download on its way to NAME: it outlives the program, so that the next one can go on from its end.
class PartFile {
 public:
  // Opens TARGET.part or makes it, and the folders above; throws Error where another program is at work on it.
  explicit PartFile(std::filesystem::path target);
  ~PartFile();  // an empty one does not stay
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }
  void append(std::string_view bytes);
  void restart();  // empty again
  void commit();   // to disk, then into place

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  Descriptor file_;
  std::int64_t size_ = 0;
};

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
