// SPDX-License-Identifier: MIT
#include "heatfront/base/agree.h"

#include <algorithm>
#include <vector>

namespace heatfront {

void agree(const Ranks& ranks, const std::string& problem) {
  const double longest = ranks.largest(static_cast<double>(problem.size()));
  if (longest == 0) return;
  const double first = -ranks.largest(problem.empty() ? -static_cast<double>(ranks.count())
                                                      : -static_cast<double>(ranks.rank()));
  // Letters as numbers: only the first one that failed adds any.
  std::vector<double> letters(static_cast<std::size_t>(longest));
  if (ranks.rank() == static_cast<int>(first))
    std::ranges::transform(problem, letters.begin(), [](char c) { return static_cast<unsigned char>(c); });
  ranks.sum(letters);
  std::string text;
  for (double letter : letters) text += static_cast<char>(static_cast<unsigned char>(letter));
  while (!text.empty() && text.back() == '\0') text.pop_back();
  throw AgreedError(text);
}

}  // namespace heatfront
