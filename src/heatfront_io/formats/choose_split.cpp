// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/choose_split.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/fingerprint.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/arrays/npz_layout.h"

namespace heatfront {
namespace {

std::optional<int> whole_number(std::string_view text) {
  const auto value = parse_integer(text);
  return value && std::in_range<int>(*value) ? std::optional(static_cast<int>(*value)) : std::nullopt;
}

// "40,40" of "percent 40,40" or "percent:40,40", with word = "percent".
std::optional<std::string_view> after(std::string_view word, std::string_view text) {
  if (!text.starts_with(word)) return std::nullopt;
  text.remove_prefix(word.size());
  if (text.empty() || (text[0] != ' ' && text[0] != ':')) return std::nullopt;
  text.remove_prefix(std::min(text.find_first_not_of(" :"), text.size()));
  return text;
}

struct Pair {
  int first, second;
};

std::optional<Pair> numbers_after(std::string_view word, std::string_view text) {
  const std::vector<std::string> parts = split_at(after(word, text).value_or(""), ',');
  if (parts.size() != 2 || std::ranges::count(text, ',') != 1) return std::nullopt;
  const auto first = whole_number(parts[0]), second = whole_number(parts[1]);
  return first && second ? std::optional(Pair{*first, *second}) : std::nullopt;
}

void check_apart(const Split& split, const std::string& where) {
  std::vector<NodeId> all;
  for (const std::vector<NodeId>* part : {&split.train, &split.validation, &split.test}) {
    all.insert(all.end(), part->begin(), part->end());
  }
  std::ranges::sort(all);
  const auto twice = std::ranges::adjacent_find(all);
  if (twice != all.end())
    fail("{}: node {} appears twice; train, validation and test must not overlap", where, *twice);
}

// By the names of the classes: their order may differ between files of the same data.
std::string labels_print(const Split& split, const Dataset& dataset) {
  Fingerprint print;
  for (const std::vector<NodeId>* part : {&split.train, &split.validation, &split.test}) {
    for (NodeId u : *part) {
      const ClassId label = dataset.labels[at(u)];
      print.add(label == kUnknown ? std::string_view() : std::string_view(class_name(dataset, label)));
    }
  }
  return print.hex();
}

constexpr std::string_view kNodes = "made_for_nodes", kLabels = "made_for_labels";

template <class Value>
Value only_of(const std::vector<Value>& values, const NpzReader& npz, std::string_view name) {
  if (values.size() != 1)
    fail("{}: array '{}' has {} entries; it must have one", npz.where(), name, values.size());
  return values[0];
}

Split take_from(const NpzReader& npz, const std::filesystem::path& path) {
  std::vector<std::string> notes;  // none is of use to whoever asks for a split
  auto split = take_split(npz, std::nullopt, notes);
  if (!split) {
    fail("{}: there is no split in it; one has the arrays train_idx, val_idx and test_idx", npz.where());
  }
  check_apart(*split, npz.where());
  split->name = "file " + path.filename().string();
  return std::move(*split);
}

}  // namespace

Split choose_split(const Dataset& dataset, const std::string& text, std::uint32_t seed) {
  const bool values =
      dataset.targets.present();  // all labelled nodes alike: there are no classes to share out evenly
  const std::vector<ClassId> labels =
      values ? labelled_or_not(dataset.targets, dataset.nodes()) : dataset.labels;
  const ClassId classes = values ? 1 : dataset.classes();
  if (text.empty() && !dataset.split) return choose_split(dataset, "percent 40,40", seed);
  if (text.empty() || text == "file") {
    if (dataset.split) return *dataset.split;
    fail("{}: no split came with the data; say --split \"percent 40,40\" or --split \"per-class 20,500\"",
         dataset.name);
  }
  if (const auto shares = numbers_after("percent", text)) {
    return percent_split(labels, classes, shares->first, shares->second, seed);
  }
  if (const auto counts = numbers_after("per-class", text)) {
    return per_class_split(labels, classes, counts->first, counts->second, seed);
  }
  if (const auto number = after("folds", text)) {
    if (const auto folds = whole_number(*number)) return fold_split(labels, classes, *folds, seed);
  }
  if (std::filesystem::exists(text) || text.ends_with(".npz")) return read_split_npz(text, dataset);
  fail(
      "unknown split '{}'; choose from: file, percent A,B, per-class A,B, folds K, or an npz with train_idx, "
      "val_idx, test_idx",
      text);
}

void write_split_npz(const Split& split, const std::filesystem::path& path) {
  NpzWriter npz(path);
  add_split(npz, split);
  npz.commit();
}

void write_split_npz(const Split& split, const Dataset& made_for, const std::filesystem::path& path) {
  check(made_for, made_for.name);
  check_split(split, made_for.nodes(), "split '" + split.name + "'");
  NpzWriter npz(path);
  add_split(npz, split);
  npz.add(kNodes, std::vector<std::int64_t>{made_for.nodes()});
  npz.add(kLabels, std::vector<std::string>{labels_print(split, made_for)});
  npz.commit();
}

Split read_split_npz(const std::filesystem::path& path) {
  const NpzReader npz(path);
  return take_from(npz, path);
}

Split read_split_npz(const std::filesystem::path& path, const Dataset& dataset) {
  const NpzReader npz(path);
  Split split = take_from(npz, path);
  const std::string advice = fmt::format("`heatfront split` makes one for {}", dataset.name);
  if (npz.has(kNodes)) {
    const std::int64_t nodes = only_of(to_int64(npz.read(kNodes)), npz, kNodes);
    if (nodes != dataset.nodes())
      fail("{} was made for other data, with {} nodes where {} has {}; {}", npz.where(), grouped(nodes),
           dataset.name, grouped(dataset.nodes()), advice);
  }
  check_split(split, dataset.nodes(), npz.where());
  if (npz.has(kLabels) &&
      only_of(to_strings(npz.read(kLabels)), npz, kLabels) != labels_print(split, dataset))
    fail("{} was made for other data: its nodes have other labels in {}; {}", npz.where(), dataset.name,
         advice);
  return split;
}

}  // namespace heatfront
