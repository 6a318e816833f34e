// SPDX-License-Identifier: MIT
#include "heatfront_io/files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <new>

#include "heatfront/base/fail.h"
#include "heatfront/base/memory.h"
#include "heatfront_io/files/descriptor.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

struct OpenedFile {
  Descriptor file;
  std::uint64_t size;  // 0 of a pipe
  bool pipe;
};

// Devices may have no end; what comes through a pipe has at most the size that any file may have. O_NONBLOCK, because open() would wait
// for the writer of a pipe, who may never come.
OpenedFile open_to_read(const fs::path& path) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  if (!file || fstat(file.number(), &status) != 0) {
    if (errno == ENOENT) fail("{}: no such file", path.string());
    fail("{}: {}", path.string(), std::strerror(errno));
  }
  if (S_ISDIR(status.st_mode)) fail("{} is a folder; a file is needed here", path.string());
  if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
    fail("{} is a device, which may have no end; a file is needed here", path.string());
  return {std::move(file), static_cast<std::uint64_t>(status.st_size), S_ISFIFO(status.st_mode)};
}

// A pipe that has a writer, who has not written yet. Without a writer it would be at its end.
bool wait_for_writer(const Descriptor& pipe) {
  const int flags = fcntl(pipe.number(), F_GETFL);
  return flags >= 0 && fcntl(pipe.number(), F_SETFL, flags & ~O_NONBLOCK) == 0;
}

// At most so many of its bytes. What it says of its size is a guess: files grow.
std::string read_at_most(const OpenedFile& opened, const fs::path& path, std::uint64_t most) {
  std::string bytes(static_cast<std::size_t>(std::min(opened.size, most)), '\0');
  std::size_t length = 0;
  while (length < most) {
    if (length == bytes.size())
      bytes.resize(static_cast<std::size_t>(std::min<std::uint64_t>(length + 4096, most)));
    const ssize_t got = read(opened.file.number(), bytes.data() + length, bytes.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN && wait_for_writer(opened.file)) continue;
    if (got < 0) fail("{}: {}", path.string(), std::strerror(errno));
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (opened.pipe && length == 0) fail("{}: nothing came through this pipe", path.string());
  bytes.resize(length);
  return bytes;
}

std::string read_raw(const fs::path& path, std::uint64_t most) {
  const OpenedFile opened = open_to_read(path);
  const auto refuse_above_most = [&](std::uint64_t size) {
    if (size > most) fail("{}: more than {} bytes, half of the memory there is", path.string(), most);
  };
  refuse_above_most(opened.size);
  std::string bytes = read_at_most(opened, path, most + 1);
  refuse_above_most(bytes.size());
  return bytes;
}

struct StandIn {
  std::string_view begins, what;
};
constexpr std::array kStandIns = {
    StandIn{"<!doctype", "a web page"}, StandIn{"<html", "a web page"}, StandIn{"<?xml", "an XML page"},
    StandIn{"version https://git-lfs", "a git-lfs pointer, which stands for the file in a repository"}};

bool begins_with(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::ranges::equal(text.substr(0, lower_case.size()), lower_case, {},
                            [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
}

class Inflater {
 public:
  explicit Inflater(std::string_view packed) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends to `out`; returns zlib's code.
  int step(std::string& out) {
    constexpr std::size_t kChunk = 1 << 18;
    const std::size_t before = out.size();
    out.resize(before + kChunk);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream_.avail_out = kChunk;
    const int code = inflate(&stream_, Z_NO_FLUSH);
    out.resize(before + kChunk - stream_.avail_out);
    return code;
  }
  bool at_end() const { return stream_.avail_in == 0; }
  void next_member() { inflateReset(&stream_); }

 private:
  z_stream stream_ = {};
};

}  // namespace

void require_file(const fs::path& path) {
  if (const OpenedFile opened = open_to_read(path); opened.size == 0 && !opened.pipe)
    fail("{}: the file is empty", path.string());
}

std::string first_bytes(const fs::path& path, std::uint64_t most) {
  return read_at_most(open_to_read(path), path, most);
}

std::uint64_t most_bytes() { return static_cast<std::uint64_t>(whole_memory()) / 2; }

std::string read_bytes(const fs::path& path, std::uint64_t most) {
  require_file(path);
  std::string bytes = read_raw(path, most);
  return bytes.starts_with("\x1f\x8b") ? unpack_gzip(bytes, path.string(), most) : bytes;
}

std::string_view stand_in(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
  const auto found =
      std::ranges::find_if(kStandIns, [&](const StandIn& known) { return begins_with(bytes, known.begins); });
  return found == kStandIns.end() ? std::string_view() : found->what;
}

void refuse_stand_in(std::string_view bytes, const std::string& where) {
  if (const std::string_view what = stand_in(bytes); !what.empty())
    fail("{} is {}, not the data; fetch the file itself again", where, what);
}

std::string read_data(const fs::path& path) {
  std::string bytes = read_bytes(path);
  refuse_stand_in(bytes, path.string());
  return bytes;
}

std::string read_standard_input() {
  constexpr const char* kName = "standard input";
  std::string bytes;
  std::array<char, 1 << 16> piece;
  for (;;) {
    const ssize_t count = read(STDIN_FILENO, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("{}: cannot be read: {}", kName, std::strerror(errno));
    if (count == 0) break;
    bytes.append(piece.data(), static_cast<std::size_t>(count));
    if (bytes.size() > most_bytes())
      fail("{} has more than {} bytes, half of the memory there is", kName, most_bytes());
  }
  if (bytes.empty()) fail("{} is empty; pipe a table in, or name a file", kName);
  if (bytes.starts_with("\x1f\x8b")) bytes = unpack_gzip(bytes, kName);
  refuse_stand_in(bytes, kName);
  return bytes;
}

std::string unpack_gzip(std::string_view packed, const std::string& where, std::uint64_t most) {
  if (packed.size() > UINT32_MAX) fail("{}: gzip files over 4 GB cannot be read; unpack it first", where);
  Inflater inflater(packed);
  std::string out;
  for (;;) {
    const int code = inflater.step(out);
    if (out.size() > most)
      fail("{}: unpacks to more than {} bytes, half of the memory there is", where, most);
    if (code == Z_STREAM_END) {
      if (inflater.at_end()) return out;
      inflater.next_member();
    } else if (code == Z_BUF_ERROR || (code == Z_OK && inflater.at_end() && out.empty())) {
      fail("{}: the gzip file ends too early, after {} unpacked bytes; fetch or copy it again", where,
           out.size());
    } else if (code != Z_OK) {
      fail("{}: damaged gzip file after {} unpacked bytes; fetch or copy it again", where, out.size());
    }
  }
}

fs::path plain_or_gz(const fs::path& path) {
  std::error_code unreadable;
  if (fs::exists(path, unreadable)) return path;
  const fs::path packed = path.string() + ".gz";
  return fs::exists(packed, unreadable) ? packed : fs::path();
}

}  // namespace heatfront
