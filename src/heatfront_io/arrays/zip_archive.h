// SPDX-License-Identifier: MIT
// libzip's archive with an owner. For source files only.
#pragma once

#include <zip.h>

#include <memory>

namespace heatfront {

// Forgets what was not written by zip_close.
struct DiscardArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using ZipArchive = std::unique_ptr<zip_t, DiscardArchive>;

}  // namespace heatfront
