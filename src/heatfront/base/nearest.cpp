// SPDX-License-Identifier: MIT
#include "heatfront/base/nearest.h"

#include <algorithm>
#include <cctype>

#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

constexpr std::size_t kLongestWord =
    200;  // beyond it nobody misspells, and the table of distances would be large

std::string spelt_plainly(std::string_view word) {
  std::string result;
  for (const char c : word)
    result += c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::size_t most_edits(std::size_t letters) { return letters <= 4 ? 1 : letters <= 8 ? 2 : 3; }

}  // namespace

// d(i, j) = the least of d(i−1, j) + 1, d(i, j−1) + 1, d(i−1, j−1) + [a_i ≠ b_j], and d(i−2, j−2) + 1 where two are swapped.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> names) {
  if (word.empty() || word.size() > kLongestWord) return {};
  const std::string plain = spelt_plainly(word);
  std::string_view best;
  std::size_t fewest = most_edits(word.size()) + 1;
  for (const std::string_view name : names) {
    if (name.size() > kLongestWord) continue;
    const std::size_t edits = edit_distance(plain, spelt_plainly(name));
    if (edits >= fewest || edits >= std::min(word.size(), name.size())) continue;
    fewest = edits;
    best = name;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> names) {
  const std::string_view meant = nearest(word, names);
  return meant.empty() ? "" : " (did you mean " + in_quotes(meant) + "?)";
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  return did_you_mean(word, std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace heatfront
