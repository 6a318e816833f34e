// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/problems.h"

#include <utility>

#include "heatfront/base/text.h"

namespace heatfront {

void Problems::add(std::string line) {
  ++count_;
  if (lines_.size() < kMostListed) lines_.push_back(std::move(line));
}

void Problems::throw_if_any() const {
  if (count_ == 0) return;
  if (count_ == 1) throw Error(lines_.front());
  std::vector<std::string> lines = {counted(count_, "problem", " in the tables:")};
  for (const std::string& line : lines_) lines.push_back("  " + line);
  if (const std::int64_t more = count_ - std::ssize(lines_); more > 0)
    lines.push_back(fmt::format("  and {} more", grouped(more)));
  throw Error(lines);
}

}  // namespace heatfront
