// SPDX-License-Identifier: MIT
// libzip writes into an OutputFile: one file under way instead of two, and failures as the system tells them. For source
// files only.
#pragma once

#include <cstdint>
#include <exception>

#include "heatfront_io/arrays/zip_archive.h"
#include "heatfront_io/files/output_file.h"

namespace heatfront {

class ZipOutput {
 public:
  explicit ZipOutput(OutputFile& file) : file_(file) {}
  ZipOutput(const ZipOutput&) = delete;
  ZipOutput& operator=(const ZipOutput&) = delete;

  // A new archive, whose zip_close writes here; must go before this. Empty where there is no memory for it.
  ZipArchive archive();

  // What writing threw, if it did: no exception may pass through C code.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static zip_int64_t answer(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command);
  zip_int64_t write(const void* data, zip_uint64_t length);
  zip_int64_t seek(void* data, zip_uint64_t length);

  OutputFile& file_;
  std::int64_t offset_ = 0, end_ = 0;
  zip_error_t error_ = {};
  std::exception_ptr failure_;
};

}  // namespace heatfront
