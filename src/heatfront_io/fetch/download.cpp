// SPDX-License-Identifier: MIT
#include "heatfront_io/fetch/download.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;  // of a file whose size is not known

[[noreturn]] void cannot_write(const fs::path& path, int reason) {
  fail("{}: cannot be written: {}", path.string(), std::strerror(reason));
}

// What came in place of the file; empty: nothing that can be told by its beginning.
std::string_view wrong_answer(const HttpHead& head, std::string_view bytes) {
  return head.content_type.starts_with("text/html") ? "a web page" : stand_in(bytes);
}

class Download {
 public:
  Download(const HttpClient& client, const std::string& url, const RemoteFile& file, PartFile& part,
           const DownloadOptions& options, const DownloadProgress& progress)
      : client_(client),
        url_(url),
        file_(file),
        part_(part),
        options_(options),
        progress_(progress),
        total_(file.bytes) {}

  DownloadReport run() {
    bool started_over = false;
    for (int retries = options_.retries;;) {
      if (file_.bytes > 0 && part_.size() > file_.bytes) part_.restart();
      const Attempt attempt = receive();
      if (!attempt.problem.empty()) {
        if (!attempt.worth_retrying || retries-- == 0) return {attempt.problem, came_};
        continue;
      }
      const std::string wrong = difference(part_.path(), file_);
      if (wrong.empty()) return {"", came_};
      part_.restart();
      if (!attempt.resumed || started_over) return {"what came " + wrong, came_};
      started_over = true;  // the bytes of an earlier time may be to blame
    }
  }

 private:
  struct Attempt {
    std::string problem;
    bool worth_retrying = false;
    bool resumed = false;  // the part begins with bytes of an earlier request
  };

  std::int64_t most() const { return file_.bytes > 0 ? file_.bytes : kMostBytes; }

  // Asks for what the part lacks.
  Attempt receive() {
    Attempt attempt{.resumed = part_.size() > 0};
    if (attempt.resumed && part_.size() == file_.bytes) return attempt;
    const std::int64_t came_before = came_;
    bool first = true;
    const auto take = [&](const HttpHead& head, std::string_view bytes) {
      if (std::exchange(first, false)) begin(head, bytes, attempt);
      if (attempt.problem.empty()) append(bytes, attempt);
      return attempt.problem.empty();
    };
    const HttpRequest request{.url = url_,
                              .from = part_.size(),
                              .stall_seconds = options_.stall_seconds,
                              .plain_http = options_.plain_http};
    const HttpResult result = client_.get(request, take, [&] { progress_(part_.size(), total_); });
    if (!attempt.problem.empty()) return attempt;
    if (result.status == 416 && attempt.resumed)
      return attempt;  // the part is all there is: its digest decides
    if (result.broken_off || (result.problem.empty() && part_.size() < file_.bytes)) {
      attempt.problem = broken_off(result.problem);
      attempt.worth_retrying = came_ > came_before;
    } else {
      attempt.problem = result.problem;
    }
    return attempt;
  }

  void begin(const HttpHead& head, std::string_view bytes, Attempt& attempt) {
    if (const std::string_view wrong = wrong_answer(head, bytes); !wrong.empty()) {
      attempt.problem = fmt::format("the server sent {}, not the file", wrong);
      return;
    }
    if (attempt.resumed && head.status != 206) {
      part_.restart();  // it sends the whole, whatever was asked for
      attempt.resumed = false;
    }
    if (total_ == 0 && head.length > 0) total_ = part_.size() + head.length;
  }

  void append(std::string_view bytes, Attempt& attempt) {
    part_.append(bytes);
    came_ += static_cast<std::int64_t>(bytes.size());
    if (part_.size() <= most()) return;
    part_.restart();
    attempt.problem = fmt::format("the server sent more than {} bytes", most());
  }

  std::string broken_off(const std::string& problem) const {
    return fmt::format("{} after {}{} bytes", problem.empty() ? "the connection ended" : problem,
                       part_.size(), total_ > 0 ? fmt::format(" of {}", total_) : "");
  }

  const HttpClient& client_;
  const std::string& url_;
  const RemoteFile& file_;
  PartFile& part_;
  const DownloadOptions& options_;
  const DownloadProgress& progress_;
  std::int64_t total_;
  std::int64_t came_ = 0;
};

}  // namespace

PartFile::PartFile(fs::path target) : target_(std::move(target)), path_(target_.string() + ".part") {
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (error) cannot_write(target_.parent_path(), error.value());
  file_ = Descriptor(open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (!file_) cannot_write(path_, errno);
  if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0 || !is_at(file_, path_))
    fail("{}: another program is fetching this file; wait for it to end", path_.string());
  size_ = lseek(file_.number(), 0, SEEK_END);
}

PartFile::~PartFile() {
  std::error_code ignored;
  if (file_ && size_ == 0) fs::remove(path_, ignored);
}

void PartFile::append(std::string_view bytes) {
  if (!write_whole(file_, bytes, size_)) cannot_write(path_, errno);
  size_ += static_cast<std::int64_t>(bytes.size());
}

void PartFile::restart() {
  if (ftruncate(file_.number(), 0) != 0) cannot_write(path_, errno);
  size_ = 0;
}

void PartFile::commit() {
  if (fsync(file_.number()) != 0 || std::rename(path_.c_str(), target_.c_str()) != 0)
    cannot_write(target_, errno);
  file_.reset();
}

DownloadReport download(const HttpClient& client, const std::string& url, const RemoteFile& file,
                        PartFile& part, const DownloadOptions& options, const DownloadProgress& progress) {
  return Download(client, url, file, part, options, progress).run();
}

}  // namespace heatfront
