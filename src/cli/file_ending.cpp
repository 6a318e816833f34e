// SPDX-License-Identifier: MIT
#include "cli/file_ending.h"

#include <algorithm>
#include <array>
#include <string>

#include "heatfront/base/fail.h"

namespace heatfront::cli {

void check_ending(const std::filesystem::path& path, std::initializer_list<std::string_view> right) {
  constexpr std::array<std::string_view, 17> kKnown = {
      ".csv", ".tsv", ".txt", ".xlsx", ".parquet", ".json", ".jsonl", ".npy",   ".hf",
      ".svg", ".png", ".jpg", ".jpeg", ".pdf",     ".html", ".htm",   ".preset"};
  const std::string ending = path.extension().string();
  const auto is_among = [&](const auto& endings) {
    return std::ranges::find(endings, ending) != endings.end();
  };
  if (!is_among(kKnown) || is_among(right)) return;
  fail("{}: {} is written, not {}; call it {}", path.string(), *right.begin(), ending,
       std::filesystem::path(path).replace_extension(*right.begin()).string());
}

}  // namespace heatfront::cli
