// SPDX-License-Identifier: MIT
#include "heatfront/base/error.h"

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

std::string printable_each(std::vector<std::string> lines) {
  for (std::string& line : lines) line = printable(line);
  return join(lines, "\n");
}

}  // namespace

Error::Error(const std::string& line) : std::runtime_error(printable(line)) {}

Error::Error(const std::vector<std::string>& lines) : std::runtime_error(printable_each(lines)) {}

}  // namespace heatfront
