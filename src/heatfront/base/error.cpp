// SPDX-License-Identifier: MIT
#include "heatfront/base/error.h"

#include "heatfront/base/utf8.h"

namespace heatfront {

Error::Error(const std::string& line) : std::runtime_error(printable(line)) {}

}  // namespace heatfront
