// SPDX-License-Identifier: MIT
#include <zip.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <new>
#include <set>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

// Deflate packs at most 1032 bytes into one.
constexpr zip_uint64_t kMostDeflated = 1100;

// What is unpacked first, and at least.
constexpr zip_uint64_t kFirstBytes = kLongestNpyHeader;

// Arrays seldom unpack to more than this many times their packed size: so much is taken at once.
constexpr zip_uint64_t kUsualRatio = 8;

// Of a file that is no zip: what may stand in its place begins with fewer.
constexpr std::size_t kEnoughToTell = 512;

constexpr std::string_view kFetchAgain = "fetch or copy the file again";

struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;

using InputZip = std::unique_ptr<zip_t, decltype(&zip_discard)>;

bool is_zip_start(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

// Takes the source, which is null where there is no memory for it. first() → the first bytes, for the message.
template <class First>
InputZip open_archive(zip_source_t* source, const std::string& where, const First& first) {
  if (source == nullptr) throw std::bad_alloc();
  zip_error_t error;
  zip_error_init(&error);
  InputZip archive(zip_open_from_source(source, ZIP_RDONLY, &error), &zip_discard);
  if (archive) return archive;
  zip_source_free(source);
  const int code = zip_error_code_zip(&error);
  if (code == ZIP_ER_MEMORY) throw std::bad_alloc();
  if (code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_SEEK)
    fail("{}: cannot be read: {}", where, std::strerror(zip_error_code_system(&error)));
  if (const std::string start = first(); !is_zip_start(start)) {
    refuse_stand_in(start, where);
    fail("{}: not an npz file (a zip of arrays, as numpy.savez writes it)", where);
  }
  fail("{}: the zip file is cut off or damaged; {}", where, kFetchAgain);
}

struct ArchiveFile {
  InputZip archive{nullptr, &zip_discard};
  zip_uint64_t size = 0;
  zip_uint64_t most = 0;  // bytes of an array
};

zip_stat_t checked_status(const ArchiveFile& file, zip_uint64_t index, const std::string& where) {
  zip_t* const archive = file.archive.get();
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(archive, index, 0, &status) != 0) fail("{}: {}", where, zip_strerror(archive));
  if (status.encryption_method != ZIP_EM_NONE) fail("{} is encrypted; save it without a password", where);
  if (status.comp_method != ZIP_CM_STORE && status.comp_method != ZIP_CM_DEFLATE) {
    fail("{} is packed by method {}; stored and deflated arrays are read", where, status.comp_method);
  }
  if (status.comp_size > file.size) fail("{} is cut off; {}", where, kFetchAgain);
  if (status.size / kMostDeflated > status.comp_size) {
    fail("{}: {} bytes cannot unpack to {}; {}", where, status.comp_size, status.size, kFetchAgain);
  }
  if (status.size > file.most) {
    fail("{}: unpacks to {} bytes, more than {}, half of the memory there is", where, status.size, file.most);
  }
  return status;
}

// One entry being unpacked.
class Unpacking {
 public:
  Unpacking(const ArchiveFile& file, zip_uint64_t index, std::string where)
      : where_(std::move(where)), status_(checked_status(file, index, where_)) {
    entry_.reset(zip_fopen_index(file.archive.get(), index, 0));
    if (!entry_) fail("{} is damaged: {}; {}", where_, zip_strerror(file.archive.get()), kFetchAgain);
  }

  const std::string& where() const { return where_; }
  zip_uint64_t size() const { return status_.size; }

  // The header, checked for nothing but its form.
  NpyHeader header() {
    read_up_to(std::min(size(), kFirstBytes));
    return parse_npy_header(bytes_, where_);
  }

  // The whole array, once its header is known to fit its size.
  std::string rest() && {
    bytes_.reserve(std::min(size(), status_.comp_size * kUsualRatio));
    while (bytes_.size() < size()) read_up_to(std::min(size(), std::max(kFirstBytes, bytes_.size() * 2)));
    char more = 0;  // the checksum is compared when the end is reached
    if (read_some(&more, 1) != 0) fail("{} is longer than the file declares; {}", where_, kFetchAgain);
    return std::move(bytes_);
  }

 private:
  void read_up_to(zip_uint64_t end) {
    std::size_t have = bytes_.size();
    bytes_.resize(end);
    while (have < end) {
      const std::size_t got = read_some(bytes_.data() + have, end - have);
      if (got == 0) fail("{} ends after {} of {} bytes; {}", where_, have, size(), kFetchAgain);
      have += got;
    }
  }

  std::size_t read_some(char* to, zip_uint64_t most) {
    const zip_int64_t got = zip_fread(entry_.get(), to, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (zip_error_code_zip(zip_file_get_error(entry_.get())) == ZIP_ER_CRC) {
      fail("{} is damaged: its checksum is wrong; {}", where_, kFetchAgain);
    }
    if (zip_error_system_type(zip_file_get_error(entry_.get())) == ZIP_ET_SYS)
      fail("{} cannot be read: {}", where_, zip_file_strerror(entry_.get()));
    fail("{} is damaged: {}; {}", where_, zip_file_strerror(entry_.get()), kFetchAgain);
  }

  std::string where_;
  zip_stat_t status_;
  Entry entry_;
  std::string bytes_;
};

}  // namespace

bool begins_as_zip(const fs::path& path) {
  try {
    return is_zip_start(first_bytes(path, 4));
  } catch (const Error&) {
    return false;  // what cannot be read
  }
}

struct NpzReader::State {
  std::string where;
  ArchiveFile file;
  std::vector<std::string> names;
  std::map<std::string, zip_uint64_t, std::less<>> places;  // name → entry
  std::set<std::string, std::less<>> used;

  std::string where_is(std::string_view name) const { return fmt::format("{}: array '{}'", where, name); }

  Unpacking unpack(std::string_view name) const {
    const auto place = places.find(name);
    if (place == places.end()) {
      fail("{}: there is no array '{}'; there are: {}", where, name, join(names, ", "));
    }
    return {file, place->second, where_is(name)};
  }

  void list_arrays() {
    zip_t* const archive = file.archive.get();
    const auto entries = static_cast<zip_uint64_t>(zip_get_num_entries(archive, 0));
    for (zip_uint64_t index = 0; index < entries; ++index) {
      const char* const entry = zip_get_name(archive, index, 0);
      std::string name = printable(entry == nullptr ? "" : entry);  // notes name it, which are one line
      if (!name.ends_with(".npy")) continue;
      name.erase(name.size() - 4);
      if (!places.emplace(name, index).second) fail("{}: array '{}' is there twice", where, name);
      names.push_back(std::move(name));
    }
    if (names.empty()) fail("{}: a zip file without arrays; numpy.savez writes NAME.npy entries", where);
  }
};

NpzReader::NpzReader(const fs::path& path, std::optional<std::uint64_t> most)
    : state_(std::make_unique<State>()) {
  state_->where = path.string();
  require_file(path);
  zip_source_t* const source = zip_source_file_create(path.c_str(), 0, -1, nullptr);
  state_->file = {open_archive(source, where(), [&] { return first_bytes(path, kEnoughToTell); }),
                  fs::file_size(path), most.value_or(most_bytes())};
  state_->list_arrays();
}

NpzReader::NpzReader(std::span<const std::byte> bytes, std::string where, std::optional<std::uint64_t> most)
    : state_(std::make_unique<State>()) {
  state_->where = std::move(where);
  if (bytes.empty()) fail("{}: there are no bytes", state_->where);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr);
  state_->file = {
      open_archive(source, state_->where, [&] { return std::string(text.substr(0, kEnoughToTell)); }),
      bytes.size(), most.value_or(most_bytes())};
  state_->list_arrays();
}

NpzReader::~NpzReader() = default;
NpzReader::NpzReader(NpzReader&&) noexcept = default;
NpzReader& NpzReader::operator=(NpzReader&&) noexcept = default;

const std::string& NpzReader::where() const { return state_->where; }
std::string NpzReader::where_is(std::string_view name) const { return state_->where_is(name); }
const std::vector<std::string>& NpzReader::names() const { return state_->names; }
bool NpzReader::has(std::string_view name) const { return state_->places.contains(name); }

std::string NpzReader::first_of(std::initializer_list<std::string_view> names) const {
  const auto found = std::ranges::find_if(names, [&](std::string_view name) { return has(name); });
  return found == names.end() ? "" : std::string(*found);
}

NpyHeader NpzReader::header(std::string_view name) const { return state_->unpack(name).header(); }

NpyArray NpzReader::read(std::string_view name) const {
  leave(name);
  Unpacking entry = state_->unpack(name);
  NpyHeader header = entry.header();
  check_npy_payload(header, entry.size() - header.length, entry.where());
  std::string where = entry.where();
  return {std::move(header), std::move(entry).rest(), std::move(where)};
}

std::string NpzReader::read_pickle(std::string_view name) const {
  Unpacking entry = state_->unpack(name);
  const std::size_t begin = entry.header().length;
  return std::move(entry).rest().substr(begin);
}

void NpzReader::leave(std::string_view name) const { state_->used.emplace(name); }

std::vector<std::string> NpzReader::unused() const {
  std::vector<std::string> left;
  std::ranges::copy_if(names(), std::back_inserter(left),
                       [&](const std::string& name) { return !state_->used.contains(name); });
  return left;
}

}  // namespace heatfront
