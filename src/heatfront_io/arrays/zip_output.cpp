// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/zip_output.h"

#include <cerrno>
#include <string_view>

namespace heatfront {

ZipArchive ZipOutput::archive() {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* const source = zip_source_function_create(&ZipOutput::answer, this, &error);
  if (source == nullptr) return nullptr;
  ZipArchive archive(zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error));
  if (!archive) zip_source_free(source);
  return archive;
}

zip_int64_t ZipOutput::write(const void* data, zip_uint64_t length) {
  try {
    file_.write_at(offset_, {static_cast<const char*>(data), length});
  } catch (...) {
    failure_ = std::current_exception();
    zip_error_set(&error_, ZIP_ER_WRITE, EIO);
    return -1;
  }
  offset_ += static_cast<std::int64_t>(length);
  if (offset_ > end_) end_ = offset_;
  return static_cast<zip_int64_t>(length);
}

zip_int64_t ZipOutput::seek(void* data, zip_uint64_t length) {
  const zip_int64_t offset = zip_source_seek_compute_offset(
      static_cast<zip_uint64_t>(offset_), static_cast<zip_uint64_t>(end_), data, length, &error_);
  if (offset < 0) return -1;
  offset_ = offset;
  return 0;
}

// There is nothing to read: every archive is new.
zip_int64_t ZipOutput::answer(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command) {
  auto& output = *static_cast<ZipOutput*>(self);
  switch (command) {
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_READ:
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_SEEK:
    case ZIP_SOURCE_TELL:
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
    case ZIP_SOURCE_REMOVE:
    case ZIP_SOURCE_FREE: return 0;
    case ZIP_SOURCE_STAT: zip_stat_init(static_cast<zip_stat_t*>(data)); return sizeof(zip_stat_t);
    case ZIP_SOURCE_ERROR: return zip_error_to_data(&output.error_, data, length);
    case ZIP_SOURCE_WRITE: return output.write(data, length);
    case ZIP_SOURCE_SEEK_WRITE: return output.seek(data, length);
    case ZIP_SOURCE_TELL_WRITE: return output.offset_;
    case ZIP_SOURCE_SUPPORTS: return ZIP_SOURCE_SUPPORTS_WRITABLE;
    default: zip_error_set(&output.error_, ZIP_ER_OPNOTSUPP, 0); return -1;
  }
}

}  // namespace heatfront
