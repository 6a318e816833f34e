// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/likely_typos.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

constexpr std::size_t kShortest = 4;
constexpr std::int64_t kFew = 2;

std::string lower_case(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool has_digit(std::string_view name) {
  return std::ranges::any_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

bool means_missing(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords = {"na",      "n/a",     "nan",  "none", "null",
                                                      "unknown", "missing", "<na>", "nil"};
  return std::ranges::find(kWords, lower_case(name)) != kWords.end();
}

// What is left of both after what they begin and end with alike: at most a letter each, or two that are swapped.
bool one_slip(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  if (a.size() <= 1 && b.size() <= 1) return true;
  return a.size() == 2 && b.size() == 2 && a[0] == b[1] && a[1] == b[0];
}

}  // namespace

bool nearly_same(std::string_view a, std::string_view b) {
  const std::string lower_a = lower_case(a), lower_b = lower_case(b);
  if (lower_a == lower_b) return true;
  if (std::min(a.size(), b.size()) < kShortest || has_digit(a) || has_digit(b)) return false;
  return one_slip(lower_a, lower_b);
}

std::vector<std::string> likely_typos(std::span<const std::string> class_names,
                                      std::span<const ClassId> labels) {
  std::vector<std::int64_t> members(class_names.size());
  for (ClassId label : labels) {
    if (label != kUnknown) ++members[at(label)];
  }
  std::vector<std::string> notes;
  for (std::size_t c = 0; c < class_names.size(); ++c) {
    if (means_missing(class_names[c]))
      notes.push_back(
          fmt::format("class {} has {}; if it stands for unknown, leave the cell empty or write ?",
                      in_quotes(class_names[c]), counted(members[c], "label")));
    for (std::size_t other = 0; other < class_names.size() && members[c] <= kFew; ++other) {
      if (members[other] <= members[c] || !nearly_same(class_names[c], class_names[other])) continue;
      notes.push_back(fmt::format("class {} has {}; is {} meant, which has {}?", in_quotes(class_names[c]),
                                  counted(members[c], "label"), in_quotes(class_names[other]),
                                  members[other]));
    }
  }
  return notes;
}

}  // namespace heatfront
