// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/fetch.h"

#include <optional>
#include <string_view>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_io/fetch/download.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

std::string_view host_of(std::string_view url) {
  url.remove_prefix(url.find("//") + 2);
  return url.substr(0, url.find('/'));
}

void check(const FetchOptions& options) {
  if (options.folder.empty()) fail("there is no folder for data; set HEATFRONT_DATA to one");
  if (options.stall_seconds < 1) fail("stall limit {} s: must be 1 or more", options.stall_seconds);
  if (options.retries < 0) fail("retries {}: must be 0 or more", options.retries);
  for (const std::string& mirror : options.mirrors) {
    if (mirror.starts_with("https://") || mirror.starts_with("http://")) continue;
    fail("mirror '{}': must begin with https:// or http://", mirror);
  }
}

std::vector<std::string> urls_of(const KnownDataset& dataset, const RemoteFile& file,
                                 const FetchOptions& options) {
  if (options.mirrors.empty()) return urls(dataset, file);
  std::vector<std::string> found;
  for (std::string_view mirror : options.mirrors) {
    while (mirror.ends_with('/')) mirror.remove_suffix(1);
    found.push_back(fmt::format("{}/{}", mirror, local_path(dataset, file)));
  }
  return found;
}

// The files of one set, one after the other.
class Fetch {
 public:
  Fetch(const KnownDataset& dataset, const FetchOptions& options, const ProgressCallback& progress)
      : dataset_(dataset), options_(options), progress_(progress) {
    for (const RemoteFile& file : dataset.files) sizes_.push_back(file.bytes);
  }

  FetchReport run() {
    FetchReport report;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      report.files.push_back(bring(i));
      sizes_[i] = report.files.back().bytes;
    }
    report.opens = find_dataset(dataset_, options_.folder);
    return report;
  }

 private:
  fs::path target_of(const RemoteFile& file) const { return options_.folder / local_path(dataset_, file); }

  FetchedFile bring(std::size_t i) {
    const RemoteFile& file = dataset_.files[i];
    const fs::path target = target_of(file);
    if (is_copy(target, file)) {
      return {.path = target, .bytes = static_cast<std::int64_t>(fs::file_size(target))};
    }
    const DownloadOptions download_options{.stall_seconds = options_.stall_seconds,
                                           .retries = options_.retries,
                                           .plain_http = !options_.mirrors.empty()};
    const std::vector<std::string> servers = urls_of(dataset_, file, options_);
    const DownloadProgress tell = [&](std::int64_t done, std::int64_t total) {
      report_progress(i, done, total);
    };
    if (!client_) client_.emplace();
    PartFile part(target);
    std::vector<std::string> problems;
    std::int64_t downloaded = 0;
    for (std::size_t tried = 0; tried < servers.size(); ++tried, ++server_) {
      const std::string& url = servers[server_ % servers.size()];
      const DownloadReport report = download(*client_, url, file, part, download_options, tell);
      downloaded += report.came;
      if (report.problem.empty()) {
        part.commit();
        return {.path = target, .bytes = part.size(), .downloaded = downloaded, .url = url};
      }
      problems.push_back(fmt::format("{}: {}", host_of(url), report.problem));
    }
    give_up(file, join(problems, "; "));
  }

  void report_progress(std::size_t current, std::int64_t done, std::int64_t length) {
    sizes_[current] = length;
    Progress whole{.stage = fmt::format("fetching {}", dataset_.name), .done = done, .unit = "bytes"};
    bool known = true;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (i < current) whole.done += sizes_[i];
      whole.total += sizes_[i];
      known = known && sizes_[i] > 0;
    }
    if (!known) whole.total = 0;
    report(progress_, whole);
  }

  [[noreturn]] void give_up(const RemoteFile& file, const std::string& problems) const {
    std::vector<std::string> missing;
    for (const RemoteFile& other : dataset_.files) {
      if (!is_copy(target_of(other), other)) missing.push_back(other.path);
    }
    fail("{}: {} cannot be fetched ({}); by hand: put {} of {} into {}", dataset_.name, file.name(), problems,
         join(missing, ", "), dataset_.commit.empty() ? dataset_.mirrors.front() : dataset_.home,
         target_of(file).parent_path().string());
  }

  const KnownDataset& dataset_;
  const FetchOptions& options_;
  const ProgressCallback& progress_;
  std::optional<HttpClient> client_;  // made when there is something to fetch
  std::vector<std::int64_t> sizes_;   // of the files; 0: not known yet
  std::size_t server_ = 0;  // the one to ask first: it gave the last file, so a dead one is waited for once
};

}  // namespace

FetchReport fetch(const KnownDataset& dataset, const FetchOptions& options,
                  const ProgressCallback& progress) {
  if (dataset.embedded) return {};
  check(options);
  if (dataset.only_as.empty()) return Fetch(dataset, options, progress).run();
  if (const fs::path found = find_dataset(dataset, options.folder); !found.empty()) return {.opens = found};
  fail_by_hand(dataset, options.folder);
}

}  // namespace heatfront
