// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/choose_split.h"

#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>

#include "heatfront/base/fail.h"
#include "heatfront_io/arrays/split_file.h"

namespace heatfront {
namespace {

struct Pair {
  int first;
  int second;
};

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "40,40" of "percent 40,40" or "percent:40,40", with word = "percent".
std::optional<std::string_view> after(std::string_view word, std::string_view text) {
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  if (text.empty() || (text[0] != ' ' && text[0] != ':')) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of(" :"), text.size()));
  return text;
}

std::optional<Pair> numbers_after(std::string_view word, std::string_view text) {
  const auto numbers = after(word, text);
  const std::size_t comma = numbers ? numbers->find(',') : text.npos;
  if (comma == text.npos) return std::nullopt;
  const auto first = whole_number(numbers->substr(0, comma)),
             second = whole_number(numbers->substr(comma + 1));
  return first && second ? std::optional(Pair{*first, *second}) : std::nullopt;
}

}  // namespace

Split choose_split(const Dataset& dataset, const std::string& text, std::uint32_t seed) {
  if (text.empty() && !dataset.split) return choose_split(dataset, "percent 40,40", seed);
  if (text.empty() || text == "file") {
    if (dataset.split) return *dataset.split;
    fail("{}: no split came with the data; say --split \"percent 40,40\" or --split \"per-class 20,500\"",
         dataset.name);
  }
  if (const auto shares = numbers_after("percent", text)) {
    return percent_split(dataset.labels, dataset.classes(), shares->first, shares->second, seed);
  }
  if (const auto counts = numbers_after("per-class", text)) {
    return per_class_split(dataset.labels, dataset.classes(), counts->first, counts->second, seed);
  }
  if (const auto number = after("folds", text)) {
    if (const auto folds = whole_number(*number))
      return fold_split(dataset.labels, dataset.classes(), *folds, seed);
  }
  if (std::filesystem::exists(text) || text.ends_with(".npz")) return read_split_npz(text, dataset);
  fail(
      "unknown split '{}'; there are: file, percent A,B, per-class A,B, folds K, or an npz with train_idx, "
      "val_idx, "
      "test_idx",
      text);
}

}  // namespace heatfront
