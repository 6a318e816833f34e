// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/npz_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/arrays/sparse_arrays.h"
#include "heatfront_io/pickle/pickle_matrix.h"

namespace heatfront {
namespace {

std::string joined(std::string_view prefix, std::string_view key) { return std::string(prefix) += key; }

void check_range(std::span<const std::int32_t> ids, std::int64_t end, const NpyArray& array) {
  const auto bad = std::ranges::find_if(ids, [&](std::int32_t id) { return id < 0 || id >= end; });
  if (bad == ids.end()) return;
  fail("{}: entry {} is {}; it must be from 0 to {}", array.where(), bad - ids.begin(), *bad, end - 1);
}

// A row a node with a single 1, or none where the class is unknown.
NpzLabels one_hot_labels(const SparseMatrix& rows, const NpzArrays& arrays, std::string_view name) {
  const SparseMatrix matrix = canonical(rows);
  NpzLabels labels{.classes = matrix.cols};
  for (std::int64_t u = 0; u < matrix.rows; ++u) {
    const auto ones = matrix.row_columns(u);
    if (ones.size() > 1 || (ones.size() == 1 && matrix.row_values(u).front() != 1))
      fail("{}: row {} is not one-hot; a single 1 is needed, or none", arrays.where_is(name), u);
    labels.of.push_back(ones.empty() ? kUnknown : ones.front());
  }
  return labels;
}

NpzLabels one_hot_labels(const NpyArray& array) {
  const Matrix matrix = to_matrix(array);
  NpzLabels labels{.classes = matrix.cols()};
  for (std::int64_t u = 0; u < matrix.rows(); ++u) {
    const auto row = matrix.row(u);
    const auto one = std::ranges::find_if(row, [](Real x) { return x != 0; });
    const bool none = one == row.end();
    if (!none && (*one != 1 || std::any_of(one + 1, row.end(), [](Real x) { return x != 0; }))) {
      fail("{}: row {} is not one-hot; a single 1 is needed, or none", array.where(), u);
    }
    labels.of.push_back(none ? kUnknown : static_cast<ClassId>(one - row.begin()));
  }
  return labels;
}

std::vector<ClassId> whole_or_unknown(const NpyArray& array) {
  std::vector<ClassId> labels;
  for (const double value : to_doubles(array)) {
    if (!std::isnan(value) &&
        (std::trunc(value) != value || std::abs(value) > std::numeric_limits<ClassId>::max())) {
      fail("{}: entry {} is {}; a class is a whole number, -1 or nan where unknown", array.where(),
           labels.size(), value);
    }
    labels.push_back(std::isnan(value) ? kUnknown : static_cast<ClassId>(value));
  }
  return labels;
}

NpzLabels labels_of(const NpyArray& array) {
  if (array.dimensions() == 2 && array.shape()[1] > 1) return one_hot_labels(array);
  if (array.dimensions() == 0 || array.dimensions() > 2 || (array.dimensions() == 2 && array.shape()[1] != 1))
    fail("{} has shape ({}); a label a node is needed", array.where(), join(array.shape(), ", "));
  NpzLabels labels{.of =
                       array.type().kind == NpyType::Kind::real ? whole_or_unknown(array) : to_int32(array)};
  if (!labels.of.empty()) labels.classes = std::int64_t(std::ranges::max(labels.of)) + 1;
  return labels;
}

// Texts of a pickle; empty unless all are, and all differ (so none is named a thousand times).
std::vector<std::string> different_texts(const Pickle& pickle, std::span<const PickleValue> values) {
  std::set<std::string_view> texts;
  for (const PickleValue value : values) {
    if (!value.is_string()) return {};
    const std::string_view text = pickle.store().string(value);
    if (!texts.insert(text).second || !code_points(text)) return {};
  }
  std::vector<std::string> names;
  for (const PickleValue value : values) names.emplace_back(pickle.store().string(value));
  return names;
}

// A list of texts, an array of them, or empty where it is neither.
std::vector<std::string> pickled_list(const NpzArrays& arrays, std::string_view name) try {
  const Pickle pickle = arrays.pickle(name);
  const auto objects = pickle.objects(pickle.root());
  const bool list =
      objects.size() == 1 && (objects[0].is(PickleKind::kList) || objects[0].is(PickleKind::kTuple));
  return different_texts(pickle, list ? pickle.store().items(objects[0]) : objects);
} catch (const Error&) {  // names are nice to have
  return {};
}

// The texts of {0: 'a', 1: 'b', …} in the order of the numbers, or empty where it is anything else.
std::vector<std::string> pickled_dict(const NpzArrays& arrays, std::string_view name) try {
  const Pickle pickle = arrays.pickle(name);
  const auto objects = pickle.objects(pickle.root());
  if (objects.size() != 1 || !objects[0].is(PickleKind::kDict)) return {};
  const std::vector<PickleValue>& pairs = pickle.store().items(objects[0]);
  std::vector<PickleValue> texts(pairs.size() / 2);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const PickleValue key = pairs[i];
    if (!key.is(PickleKind::kInteger) || key.bits < 0 || key.bits >= std::ssize(texts)) return {};
    texts[at(key.bits)] = pairs[i + 1];
  }
  return different_texts(pickle, texts);
} catch (const Error&) {
  return {};
}

// Of several masks, one per row, the first.
std::vector<NodeId> masked_nodes(const NpyArray& mask, std::optional<NodeId> nodes) {
  const auto all = to_int32(mask);
  std::span<const std::int32_t> row(all);
  if (mask.dimensions() == 2 && !all.empty()) row = row.first(static_cast<std::size_t>(mask.shape()[1]));
  if (nodes && std::ssize(row) != *nodes) {
    fail("{} is for {} nodes, but there are {}", mask.where(), row.size(), *nodes);
  }
  std::vector<NodeId> ids;
  for (std::size_t u = 0; u < row.size(); ++u) {
    if (row[u] != 0) ids.push_back(static_cast<NodeId>(u));
  }
  return ids;
}

std::vector<NodeId> listed_nodes(const NpyArray& list) {
  if (list.dimensions() != 1) {
    fail("{} has {} dimensions; a list of nodes has one", list.where(), list.dimensions());
  }
  std::vector<NodeId> ids = to_int32(list);
  check_range(ids, kMostNodes + 1, list);
  std::ranges::sort(ids);
  return ids;
}

}  // namespace

std::string NpzArrays::first_of(std::initializer_list<std::string_view> names) const {
  const auto found = std::ranges::find_if(names, [&](std::string_view name) { return has(name); });
  return found == names.end() ? "" : std::string(*found);
}

NpyArray NpzArrays::take(std::string_view name) {
  used_.emplace(name);
  return npz_.read(name);
}

Pickle NpzArrays::pickle(std::string_view name) const { return {npz_.read_pickle(name), where_is(name)}; }

std::vector<std::string> NpzArrays::unused() const {
  std::vector<std::string> names;
  std::ranges::copy_if(npz_.names(), std::back_inserter(names),
                       [&](auto& name) { return !used_.contains(name); });
  return names;
}

bool has_rows(const NpzArrays& arrays, std::string_view prefix) {
  return arrays.has(joined(prefix, "indptr")) || arrays.has(joined(prefix, "indices")) ||
         arrays.has(joined(prefix, "data"));
}

SparseMatrix take_sparse(NpzArrays& arrays, std::string_view prefix, const std::string& format) {
  const auto take = [&](std::string_view key) -> std::optional<NpyArray> {
    const std::string name = joined(prefix, key);
    if (arrays.has(name)) return arrays.take(name);
    if (key == "data") return std::nullopt;
    const bool listed = format == "coo";
    fail("{}: there is no array '{}'; a sparse matrix is {}data, {}{}, {}{} and {}shape", arrays.where(),
         name, prefix, prefix, listed ? "row" : "indices", prefix, listed ? "col" : "indptr", prefix);
  };
  return read_sparse({.format = format, .prefix = std::string(prefix), .take = take});
}

bool is_pickled(const NpzArrays& arrays, std::string_view name) {
  return arrays.header(name).type.kind == NpyType::Kind::objects;
}

NpzContent take_content(NpzArrays& arrays, std::string_view name) {
  if (!is_pickled(arrays, name)) return arrays.take(name);
  arrays.leave(name);
  const Pickle pickle = arrays.pickle(name);
  const auto objects = pickle.objects(pickle.root());
  if (objects.size() != 1 || objects[0].is_number()) return array_of(pickle, pickle.root(), pickle.file());
  if (objects[0].is(PickleKind::kNone)) return {};
  if (objects[0].is(PickleKind::kMatrix)) return sparse_of(pickle, objects[0]);
  if (objects[0].is(PickleKind::kArray)) return array_of(pickle, objects[0], pickle.file());
  fail("{} holds {}; a scipy matrix, a numpy array or None is needed", pickle.file(),
       name_of(objects[0].kind));
}

NpzLabels take_labels(NpzArrays& arrays) {
  for (const std::string_view name : {"labels", "node_labels", "y", "node_label"}) {
    if (!arrays.has(name)) continue;
    const NpzContent content = take_content(arrays, name);
    NpzLabels labels;
    if (const auto* array = std::get_if<NpyArray>(&content)) labels = labels_of(*array);
    if (const auto* matrix = std::get_if<SparseMatrix>(&content))
      labels = one_hot_labels(*matrix, arrays, name);
    if (content.index() == 0) continue;
    require_class_count(labels.classes, std::ssize(labels.of), arrays.where_is(name));
    return labels;
  }
  return {};
}

std::vector<std::string> take_names(NpzArrays& arrays, std::string_view name, std::int64_t least,
                                    std::int64_t most, std::vector<std::string>& notes) {
  if (!arrays.has(name)) return {};
  const NpyHeader header = arrays.header(name);
  if (header.type.is_text() && header.shape.size() == 1) return to_strings(arrays.take(name));
  arrays.leave(name);
  std::string_view reason = "it is not a list of texts";
  if (is_pickled(arrays, name)) {
    std::vector<std::string> names = pickled_list(arrays, name);
    if (!names.empty() && least <= std::ssize(names) && std::ssize(names) <= most) return names;
    reason = "what is pickled in it is no list of different texts, one each";
  }
  notes.push_back(fmt::format("{} left out: {}", name, reason));
  return {};
}

std::vector<std::string> take_numbered_names(NpzArrays& arrays, std::string_view name, std::int64_t least) {
  if (!arrays.has(name) || !is_pickled(arrays, name)) return {};
  std::vector<std::string> names = pickled_dict(arrays, name);
  if (names.empty() || std::ssize(names) < least) return {};
  arrays.leave(name);
  return names;
}

std::optional<Split> take_split(NpzArrays& arrays, std::optional<NodeId> nodes,
                                std::vector<std::string>& notes) {
  const auto find = [&](std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      for (const std::string_view ending : {"_idx", "_mask", "_masks"}) {
        if (std::string name = joined(part, ending); arrays.has(name)) return name;
      }
    }
    return std::string();
  };
  const std::string train = find({"train"}), test = find({"test"});
  const std::string validation = find({"val", "valid", "validation"});
  if (train.empty() && validation.empty() && test.empty()) return std::nullopt;
  if (train.empty() || test.empty()) {
    const std::string_view missing = train.empty() ? "train" : "test";
    const std::string& given = !train.empty() ? train : !test.empty() ? test : validation;
    fail("{}: there is no array '{}_idx' or '{}_mask' beside '{}'", arrays.where(), missing, missing, given);
  }
  if (const auto shape = arrays.header(train).shape; shape.size() == 2) {
    notes.push_back(fmt::format("{} holds {} splits; the first is used", train, shape[0]));
  }
  const auto take = [&](const std::string& name) -> std::vector<NodeId> {
    if (name.empty()) return {};
    const NpyArray array = arrays.take(name);
    return name.ends_with("_idx") ? listed_nodes(array) : masked_nodes(array, nodes);
  };
  return Split{.name = "file", .train = take(train), .validation = take(validation), .test = take(test)};
}

void add_split(NpzWriter& npz, const Split& split) {
  const auto wide = [](const std::vector<NodeId>& ids) {
    return std::vector<std::int64_t>(ids.begin(), ids.end());
  };
  npz.add("train_idx", wide(split.train));
  npz.add("val_idx", wide(split.validation));
  npz.add("test_idx", wide(split.test));
}

}  // namespace heatfront
