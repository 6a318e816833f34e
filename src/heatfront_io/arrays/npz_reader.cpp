// SPDX-License-Identifier: MIT
#include <minizip/unzip.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
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
constexpr std::uint64_t kMostDeflated = 1100;

// What is unpacked first, and at least.
constexpr std::uint64_t kFirstBytes = kLongestNpyHeader;

// Arrays seldom unpack to more than this many times their packed size: so much is taken at once.
constexpr std::uint64_t kUsualRatio = 8;

// minizip counts what it reads in an int.
constexpr std::uint64_t kMostRead = std::uint64_t{1} << 30;

// Of a file that is no zip: what may stand in its place begins with fewer.
constexpr std::size_t kEnoughToTell = 512;

constexpr unsigned long kEncrypted = 1;  // a flag of an entry

constexpr std::string_view kFetchAgain = "fetch or copy the file again";

bool is_zip_start(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

// Where minizip reads an archive from: a file, or bytes in memory. What the system says of a failure is kept.
class ZipInput {
 public:
  explicit ZipInput(const fs::path& path) : file_(std::fopen(path.c_str(), "rb"), &std::fclose) {
    if (!file_) fail("{}: cannot be read: {}", path.string(), std::strerror(errno));
    size_ = fs::file_size(path);
  }
  explicit ZipInput(std::span<const std::byte> bytes) : bytes_(bytes), size_(bytes.size()) {}

  std::uint64_t size() const { return size_; }
  int failure() const { return failure_; }  // errno; 0: none

  // Was more asked for than there is? minizip takes what is missing from a record for zeros.
  bool is_cut_off() const { return is_cut_off_; }

  zlib_filefunc64_def functions() {
    return {
        .zopen64_file = [](voidpf self, const void*, int) { return self; },
        .zread_file = [](voidpf self, voidpf, void* to,
                         uLong size) { return static_cast<ZipInput*>(self)->read(to, size); },
        .zwrite_file = [](voidpf, voidpf, const void*, uLong) { return uLong{0}; },
        .ztell64_file = [](voidpf self, voidpf) { return ZPOS64_T{static_cast<ZipInput*>(self)->place_}; },
        .zseek64_file = [](voidpf self, voidpf, ZPOS64_T offset,
                           int origin) { return static_cast<ZipInput*>(self)->seek(offset, origin); },
        .zclose_file = [](voidpf, voidpf) { return 0; },
        .zerror_file = [](voidpf self, voidpf) { return static_cast<ZipInput*>(self)->failure_; },
        .opaque = this};
  }

 private:
  uLong read(void* to, std::uint64_t size) {
    is_cut_off_ = is_cut_off_ || size > size_ - place_;
    size = std::min(size, size_ - place_);
    if (file_) {
      errno = 0;
      const bool whole = fseeko(file_.get(), static_cast<off_t>(place_), SEEK_SET) == 0 &&
                         std::fread(to, 1, size, file_.get()) == size;
      if (!whole) {
        failure_ = errno != 0 ? errno : EIO;
        return 0;
      }
    } else {
      std::memcpy(to, bytes_.data() + place_, size);
    }
    place_ += size;
    return size;
  }

  long seek(std::uint64_t offset, int origin) {
    const std::uint64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                               : origin == ZLIB_FILEFUNC_SEEK_CUR ? place_
                                                                  : size_;
    if (offset > size_ - from) return -1;
    place_ = from + offset;
    return 0;
  }

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, &std::fclose};
  std::span<const std::byte> bytes_;
  std::uint64_t size_ = 0, place_ = 0;
  int failure_ = 0;
  bool is_cut_off_ = false;
};

struct Archive {
  std::unique_ptr<ZipInput> input;  // stays where it is, for minizip calls it
  std::unique_ptr<void, int (*)(unzFile)> zip{nullptr, &unzClose};
  std::uint64_t most = 0;  // bytes of an array
};

// first() → the first bytes, for the message.
template <class First>
Archive open_archive(std::unique_ptr<ZipInput> input, std::uint64_t most, const std::string& where,
                     const First& first) {
  zlib_filefunc64_def functions = input->functions();
  Archive archive{.input = std::move(input), .most = most};
  archive.zip.reset(unzOpen2_64(where.c_str(), &functions));
  if (archive.zip && !archive.input->is_cut_off()) return archive;
  if (archive.input->failure() != 0)
    fail("{}: cannot be read: {}", where, std::strerror(archive.input->failure()));
  if (const std::string start = first(); !is_zip_start(start)) {
    refuse_stand_in(start, where);
    fail("{}: not an npz file (a zip of arrays, as numpy.savez writes it)", where);
  }
  fail("{}: the zip file is cut off or damaged; {}", where, kFetchAgain);
}

struct Place {
  unz64_file_pos at;
  unz_file_info64 about;
};

void check_entry(const Archive& archive, const unz_file_info64& about, const std::string& where) {
  if ((about.flag & kEncrypted) != 0) fail("{} is encrypted; save it without a password", where);
  if (about.compression_method != 0 && about.compression_method != Z_DEFLATED)
    fail("{} is packed by method {}; stored and deflated arrays are read", where, about.compression_method);
  if (about.compressed_size > archive.input->size()) fail("{} is cut off; {}", where, kFetchAgain);
  if (about.uncompressed_size / kMostDeflated > about.compressed_size)
    fail("{}: {} bytes cannot unpack to {}; {}", where, about.compressed_size, about.uncompressed_size,
         kFetchAgain);
  if (about.uncompressed_size > archive.most)
    fail("{}: unpacks to {} bytes, more than {}, half of the memory there is", where, about.uncompressed_size,
         archive.most);
}

// One entry being unpacked; one at a time of an archive.
class Unpacking {
 public:
  Unpacking(const Archive& archive, const Place& place, std::string where)
      : where_(std::move(where)), archive_(archive), about_(place.about) {
    check_entry(archive, about_, where_);
    unz64_file_pos at = place.at;
    require(unzGoToFilePos64(archive.zip.get(), &at));
    require(unzOpenCurrentFile(archive.zip.get()));
  }
  ~Unpacking() { unzCloseCurrentFile(archive_.zip.get()); }
  Unpacking(const Unpacking&) = delete;
  Unpacking& operator=(const Unpacking&) = delete;

  const std::string& where() const { return where_; }
  std::uint64_t size() const { return about_.uncompressed_size; }

  // The header, checked for nothing but its form.
  NpyHeader header() {
    read_up_to(std::min(size(), kFirstBytes));
    return parse_npy_header(bytes_, where_);
  }

  // The whole array, once its header is known to fit its size.
  std::string rest() && {
    bytes_.reserve(std::min<std::uint64_t>(size(), about_.compressed_size * kUsualRatio));
    while (bytes_.size() < size())
      read_up_to(std::min<std::uint64_t>(size(), std::max(kFirstBytes, bytes_.size() * 2)));
    end();
    return std::move(bytes_);
  }

  // The next so many bytes.
  std::string take(std::size_t bytes) {
    if (bytes_.size() < bytes) read_up_to(bytes);
    std::string taken = bytes_.substr(0, bytes);
    bytes_.erase(0, bytes);
    return taken;
  }

  // Nothing is left to be read.
  void end() const { require(unzCloseCurrentFile(archive_.zip.get())); }  // compares the checksum

 private:
  void read_up_to(std::uint64_t end) {
    std::size_t have = bytes_.size();
    bytes_.resize(end);
    while (have < end) {
      const int got = unzReadCurrentFile(archive_.zip.get(), bytes_.data() + have,
                                         static_cast<unsigned>(std::min(end - have, kMostRead)));
      if (got < 0) require(got);
      if (got == 0) fail("{} ends after {} of {} bytes; {}", where_, have, size(), kFetchAgain);
      have += static_cast<std::size_t>(got);
    }
  }

  void require(int code) const {
    if (code == UNZ_OK) return;
    if (archive_.input->failure() != 0)
      fail("{} cannot be read: {}", where_, std::strerror(archive_.input->failure()));
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    fail("{} is damaged: {}; {}", where_,
         code == UNZ_CRCERROR ? "its checksum is wrong" : "it cannot be unpacked", kFetchAgain);
  }

  std::string where_;
  const Archive& archive_;
  unz_file_info64 about_;
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
  Archive archive;
  std::vector<std::string> names;
  std::map<std::string, Place, std::less<>> places;
  std::set<std::string, std::less<>> used;

  std::string where_is(std::string_view name) const { return fmt::format("{}: array '{}'", where, name); }

  Unpacking unpack(std::string_view name) const {
    const auto place = places.find(name);
    if (place == places.end()) {
      fail("{}: there is no array '{}'; choose from: {}", where, name, join(names, ", "));
    }
    return {archive, place->second, where_is(name)};
  }

  void list_arrays() {
    const unzFile zip = archive.zip.get();
    constexpr std::size_t kLongestName = 1 << 16;
    std::string entry(kLongestName, '\0');
    int code = unzGoToFirstFile(zip);
    for (; code == UNZ_OK; code = unzGoToNextFile(zip)) {
      Place place = {};
      code = unzGetCurrentFileInfo64(zip, &place.about, entry.data(), kLongestName, nullptr, 0, nullptr, 0);
      if (code == UNZ_OK) code = unzGetFilePos64(zip, &place.at);
      if (code != UNZ_OK) break;
      std::string name = printable(entry.c_str());  // notes name it, which are one line
      if (!name.ends_with(".npy")) continue;
      name.erase(name.size() - 4);
      if (!places.emplace(name, place).second) fail("{}: array '{}' is there twice", where, name);
      names.push_back(std::move(name));
    }
    if (code != UNZ_END_OF_LIST_OF_FILE || archive.input->is_cut_off())
      fail("{}: the zip file is cut off or damaged; {}", where, kFetchAgain);
    if (names.empty()) fail("{}: a zip file without arrays; numpy.savez writes NAME.npy entries", where);
  }
};

NpzReader::NpzReader(const fs::path& path, std::optional<std::uint64_t> most)
    : state_(std::make_unique<State>()) {
  state_->where = path.string();
  require_file(path);
  if (!fs::is_regular_file(path)) {  // what comes through a pipe comes in order
    static_cast<void>(first_bytes(path, 1));
    fail("{}: an npz file must be read in any order, which a pipe does not allow; save it first", where());
  }
  state_->archive = open_archive(std::make_unique<ZipInput>(path), most.value_or(most_bytes()), where(),
                                 [&] { return first_bytes(path, kEnoughToTell); });
  state_->list_arrays();
}

NpzReader::NpzReader(std::span<const std::byte> bytes, std::string where, std::optional<std::uint64_t> most)
    : state_(std::make_unique<State>()) {
  state_->where = std::move(where);
  if (bytes.empty()) fail("{}: there are no bytes", state_->where);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  state_->archive = open_archive(std::make_unique<ZipInput>(bytes), most.value_or(most_bytes()),
                                 state_->where, [&] { return std::string(text.substr(0, kEnoughToTell)); });
  state_->list_arrays();
}

struct NpzPieces::State {
  NpzReader npz;
  Unpacking entry;
  NpyHeader header;
  std::int64_t left;

  State(const fs::path& path, std::string_view name)
      : npz(path, std::numeric_limits<std::uint64_t>::max()),
        entry(npz.state_->unpack(name)),
        header(entry.header()),
        left(header.count) {
    check_npy_payload(header, entry.size() - header.length, entry.where());
    entry.take(header.length);
  }
};

NpzPieces::NpzPieces(const fs::path& path, std::string_view name)
    : state_(std::make_unique<State>(path, name)) {}
NpzPieces::~NpzPieces() = default;
NpzPieces::NpzPieces(NpzPieces&&) noexcept = default;

const NpyHeader& NpzPieces::header() const { return state_->header; }
const std::string& NpzPieces::where() const { return state_->entry.where(); }

NpyArray NpzPieces::next(std::int64_t elements) {
  State& state = *state_;
  elements = std::min(elements, state.left);
  NpyHeader piece = state.header;
  piece.shape = {elements};
  piece.count = elements;
  piece.length = 0;
  std::string bytes = state.entry.take(static_cast<std::size_t>(elements * piece.type.size));
  state.left -= elements;
  if (state.left == 0 && elements > 0) state.entry.end();
  return {std::move(piece), std::move(bytes), state.entry.where()};
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
