// SPDX-License-Identifier: MIT
#include <minizip/zip.h>

#include <algorithm>
#include <cassert>
#include <exception>
#include <functional>
#include <new>
#include <type_traits>

#include "heatfront/base/fail.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront {
namespace fs = std::filesystem;
namespace {

// On sorted indices about six times faster than zlib's default; Pubmed's file comes out 6 % larger.
constexpr int kLevel = 1;

constexpr unsigned long kUtf8Name = 1 << 11;                // a flag of an entry
constexpr unsigned long kFirstOf1980 = (1 << 5 | 1) << 16;  // at midnight, where zip's calendar begins

// From here on an entry says its size in 64 bits; packed it may be a little larger than it is.
constexpr std::size_t kLargeEntry = std::size_t{0xF0000000};
constexpr std::size_t kMostWritten = std::size_t{1} << 30;  // minizip counts in 32 bits

// Where minizip writes an archive to: one file under way instead of two, and failures as the system tells them.
class ZipOutput {
 public:
  using WriteAt = std::function<void(std::int64_t offset, std::string_view bytes)>;

  explicit ZipOutput(WriteAt write_at) : write_at_(std::move(write_at)) {
    zlib_filefunc64_def functions = {
        .zopen64_file = [](voidpf self, const void*, int) { return self; },
        .zread_file = [](voidpf, voidpf, void*, uLong) { return uLong{0}; },  // every archive is new
        .zwrite_file = [](voidpf self, voidpf, const void* data,
                          uLong size) { return static_cast<ZipOutput*>(self)->write(data, size); },
        .ztell64_file = [](voidpf self,
                           voidpf) { return static_cast<ZPOS64_T>(static_cast<ZipOutput*>(self)->offset_); },
        .zseek64_file = [](voidpf self, voidpf, ZPOS64_T offset,
                           int origin) { return static_cast<ZipOutput*>(self)->seek(offset, origin); },
        .zclose_file = [](voidpf, voidpf) { return 0; },
        .zerror_file = [](voidpf, voidpf) { return 0; },
        .opaque = this};
    archive_.reset(zipOpen2_64("npz", APPEND_STATUS_CREATE, nullptr, &functions));
    if (!archive_) throw std::bad_alloc();
  }
  ZipOutput(const ZipOutput&) = delete;
  ZipOutput& operator=(const ZipOutput&) = delete;

  void begin_entry(const std::string& name, bool packed, std::size_t size, const std::string& where) {
    const zip_fileinfo about = {.tmz_date = {}, .dosDate = kFirstOf1980, .internal_fa = 0, .external_fa = 0};
    require(zipOpenNewFileInZip4_64(archive_.get(), name.c_str(), &about, nullptr, 0, nullptr, 0, nullptr,
                                    packed ? Z_DEFLATED : 0, kLevel, 0, -MAX_WBITS, DEF_MEM_LEVEL,
                                    Z_DEFAULT_STRATEGY, nullptr, 0, 0, kUtf8Name, size >= kLargeEntry),
            where);
  }

  void add(std::span<const std::byte> bytes, const std::string& where) {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kMostWritten)))
      require(zipWriteInFileInZip(archive_.get(), bytes.data(),
                                  static_cast<unsigned>(std::min(bytes.size(), kMostWritten))),
              where);
  }

  void end_entry(const std::string& where) { require(zipCloseFileInZip(archive_.get()), where); }
  void close(const std::string& where) { require(zipClose(archive_.release(), nullptr), where); }

 private:
  // What writing threw comes first: no exception may pass through C code.
  void require(int code, const std::string& where) const {
    if (failure_) std::rethrow_exception(failure_);
    if (code != ZIP_OK) fail("{}: cannot be written: the archive cannot be made ({})", where, code);
  }

  // minizip is never told of a failure, for it would lose memory; what was thrown is thrown again by require().
  uLong write(const void* data, uLong length) {
    try {
      if (!failure_) write_at_(offset_, {static_cast<const char*>(data), length});
    } catch (...) {
      failure_ = std::current_exception();
    }
    offset_ += static_cast<std::int64_t>(length);
    end_ = std::max(end_, offset_);
    return length;
  }

  long seek(ZPOS64_T offset, int origin) {
    const std::int64_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                              : origin == ZLIB_FILEFUNC_SEEK_CUR ? offset_
                                                                 : end_;
    offset_ = from + static_cast<std::int64_t>(offset);
    return 0;
  }

  static int discard(zipFile archive) { return zipClose(archive, nullptr); }

  WriteAt write_at_;
  std::int64_t offset_ = 0, end_ = 0;
  std::exception_ptr failure_;
  std::unique_ptr<void, int (*)(zipFile)> archive_{nullptr, &discard};  // goes first: it calls the others
};

void write_into(std::vector<std::byte>& bytes, std::int64_t offset, std::string_view more) {
  if (bytes.size() < at(offset) + more.size()) bytes.resize(at(offset) + more.size());
  std::ranges::copy(std::as_bytes(std::span(more)), bytes.begin() + offset);
}

}  // namespace

struct NpzWriter::State {
  State(const fs::path& path, Packing how)
      : where(path.string()),
        packing(how),
        file(std::in_place, path),
        output([this](auto offset, auto bytes) { file->write_at(offset, bytes); }) {}
  State(std::vector<std::byte>& bytes, Packing how)
      : where("memory"),
        packing(how),
        output([&bytes](auto offset, auto more) { write_into(bytes, offset, more); }) {
    bytes.clear();
  }

  std::string where;
  Packing packing;
  std::optional<OutputFile> file;
  ZipOutput output;
};

NpzWriter::NpzWriter(const fs::path& path, Packing packing)
    : state_(std::make_unique<State>(path, packing)) {}
NpzWriter::NpzWriter(std::vector<std::byte>& bytes, Packing packing)
    : state_(std::make_unique<State>(bytes, packing)) {}
NpzWriter::~NpzWriter() = default;
NpzWriter::NpzWriter(NpzWriter&&) noexcept = default;
NpzWriter& NpzWriter::operator=(NpzWriter&&) noexcept = default;

void NpzWriter::put(std::string_view name, std::string_view descr, std::span<const std::byte> elements,
                    const Shape& shape) {
  const std::string header = npy_header(descr, shape);
  ZipOutput& output = state_->output;
  output.begin_entry(fmt::format("{}.npy", name), state_->packing == Packing::deflated,
                     header.size() + elements.size(), state_->where);
  output.add(std::as_bytes(std::span(header)), state_->where);
  output.add(elements, state_->where);
  output.end_entry(state_->where);
}

void NpzWriter::add(std::string_view name, const std::vector<std::string>& texts) {
  std::vector<std::u32string> decoded;
  std::size_t longest = 1;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto text = code_points(texts[i]);
    if (!text) fail("{}: cannot be written: entry {} of '{}' is not UTF-8 text", state_->where, i, name);
    longest = std::max(longest, text->size());
    decoded.push_back(std::move(*text));
  }
  std::u32string all;
  all.reserve(longest * texts.size());
  for (const std::u32string& text : decoded) all.append(text).append(longest - text.size(), U'\0');
  put(name, fmt::format("<U{}", longest), std::as_bytes(std::span(all)), {std::ssize(texts)});
}

void NpzWriter::add_reals(std::string_view name, std::span<const Real> values) {
  if constexpr (std::is_same_v<Real, float>) {
    add(name, values);
  } else {
    add(name, std::vector<float>(values.begin(), values.end()));
  }
}

void NpzWriter::add_reals(std::string_view name, ConstMatrixView values) {
  const Shape shape = {values.rows, values.cols};
  if constexpr (std::is_same_v<Real, float>) {
    if (values.stride == values.cols) {
      return add(name, std::span(values.data, static_cast<std::size_t>(values.rows * values.cols)), shape);
    }
  }
  std::vector<float> copy;
  copy.reserve(static_cast<std::size_t>(values.rows * values.cols));
  for (std::int64_t i = 0; i < values.rows; ++i) {
    for (Real value : values.row(i)) copy.push_back(static_cast<float>(value));
  }
  add(name, copy, shape);
}

void NpzWriter::commit() {
  state_->output.close(state_->where);
  if (state_->file) state_->file->commit();
}

}  // namespace heatfront
