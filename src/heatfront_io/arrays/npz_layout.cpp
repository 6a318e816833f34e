// SPDX-License-Identifier: MIT
#include "heatfront_io/arrays/npz_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront_io/arrays/sparse_arrays.h"
#include "heatfront_io/pickle/pickle.h"

namespace heatfront {
namespace {

std::string joined(std::string_view prefix, std::string_view key) { return std::string(prefix) += key; }

void check_range(std::span<const std::int32_t> ids, std::int64_t end, const NpyArray& array) {
  const auto bad = std::ranges::find_if(ids, [&](std::int32_t id) { return id < 0 || id >= end; });
  if (bad == ids.end()) return;
  fail("{}: entry {} is {}; it must be from 0 to {}", array.where(), bad - ids.begin(), *bad, end - 1);
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
  if (array.dimensions() == 2 && array.shape()[1] > 1)
    return {one_hot_classes(sparse_of(to_matrix(array)), array.where()), array.shape()[1]};
  if (array.dimensions() == 0 || array.dimensions() > 2 || (array.dimensions() == 2 && array.shape()[1] != 1))
    fail("{} has shape ({}); one label per node is needed", array.where(), join(array.shape(), ", "));
  NpzLabels labels{.of =
                       array.type().kind == NpyType::Kind::real ? whole_or_unknown(array) : to_int32(array)};
  if (!labels.of.empty()) labels.classes = std::int64_t(std::ranges::max(labels.of)) + 1;
  return labels;
}

Pickle pickle_in(const NpzReader& npz, std::string_view name) {
  return {npz.read_pickle(name), npz.where_is(name)};
}

// The values of {0: …, 1: …, …} in the order of the numbers; empty where it is anything else.
std::vector<PickleValue> numbered_values(const std::vector<PickleValue>& pairs) {
  std::vector<PickleValue> values(pairs.size() / 2);
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    const PickleValue key = pairs[i];
    if (!key.is(PickleKind::kInteger) || key.bits < 0 || key.bits >= std::ssize(values)) return {};
    values[at(key.bits)] = pairs[i + 1];
  }
  return values;
}

// Of a pickled list, dict or array; empty unless all are texts, and all differ (so none is named a thousand times).
std::vector<std::string> pickled_texts(const NpzReader& npz, std::string_view name) try {
  const Pickle pickle = pickle_in(npz, name);
  const auto objects = pickle.objects(pickle.root());
  std::vector<PickleValue> values(objects.begin(), objects.end());
  if (values.size() == 1 && (values[0].is(PickleKind::kList) || values[0].is(PickleKind::kTuple)))
    values = pickle.store().items(values[0]);
  else if (values.size() == 1 && values[0].is(PickleKind::kDict))
    values = numbered_values(pickle.store().items(values[0]));
  std::set<std::string_view> met;
  std::vector<std::string> texts;
  for (const PickleValue value : values) {
    if (!value.is_string()) return {};
    const std::string_view text = pickle.store().string(value);
    if (!met.insert(text).second || !code_points(text)) return {};
    texts.emplace_back(text);
  }
  return texts;
} catch (const Error&) {  // names are nice to have
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

bool has_rows(const NpzReader& npz, std::string_view prefix) {
  return npz.has(joined(prefix, "indptr")) || npz.has(joined(prefix, "indices")) ||
         npz.has(joined(prefix, "data"));
}

SparseMatrix take_sparse(const NpzReader& npz, std::string_view prefix, const std::string& format) {
  const auto take = [&](std::string_view key) -> std::optional<NpyArray> {
    const std::string name = joined(prefix, key);
    if (npz.has(name)) return npz.read(name);
    if (key == "data") return std::nullopt;
    const bool listed = format == "coo";
    fail("{}: there is no array '{}'; a sparse matrix is {}data, {}{}, {}{} and {}shape", npz.where(), name,
         prefix, prefix, listed ? "row" : "indices", prefix, listed ? "col" : "indptr", prefix);
  };
  return read_sparse({.format = format, .prefix = std::string(prefix), .take = take});
}

bool is_pickled(const NpzReader& npz, std::string_view name) {
  return npz.header(name).type.kind == NpyType::Kind::objects;
}

NpzContent take_content(const NpzReader& npz, std::string_view name) {
  if (!is_pickled(npz, name)) return npz.read(name);
  npz.leave(name);
  const Pickle pickle = pickle_in(npz, name);
  const auto objects = pickle.objects(pickle.root());
  if (objects.size() != 1 || objects[0].is_number()) return array_of(pickle, pickle.root(), pickle.file());
  if (objects[0].is(PickleKind::kNone)) return {};
  if (objects[0].is(PickleKind::kMatrix)) return sparse_of(pickle, objects[0]);
  if (objects[0].is(PickleKind::kArray)) return array_of(pickle, objects[0], pickle.file());
  fail("{} holds {}; a scipy matrix, a numpy array or None is needed", pickle.file(),
       name_of(objects[0].kind));
}

NpzLabels take_labels(const NpzReader& npz) {
  for (const std::string_view name : {"labels", "node_labels", "y", "node_label"}) {
    if (!npz.has(name)) continue;
    NpzContent content = take_content(npz, name);
    NpzLabels labels;
    if (content.index() == 0) continue;
    if (const auto* array = std::get_if<NpyArray>(&content)) labels = labels_of(*array);
    if (auto* matrix = std::get_if<SparseMatrix>(&content)) {
      labels.classes = matrix->cols;
      labels.of = one_hot_classes(std::move(*matrix), npz.where_is(name));
    }
    require_class_count(labels.classes, std::ssize(labels.of), npz.where_is(name));
    return labels;
  }
  return {};
}

std::vector<std::string> take_names(const NpzReader& npz, std::initializer_list<std::string_view> names,
                                    std::int64_t least, std::int64_t most, std::vector<std::string>& notes) {
  for (const std::string_view name : names) {
    if (!npz.has(name)) continue;
    const NpyHeader header = npz.header(name);
    if (header.type.is_text() && header.shape.size() == 1) return to_strings(npz.read(name));
    npz.leave(name);
    std::string_view reason = "it is not a list of texts";
    if (is_pickled(npz, name)) {
      std::vector<std::string> texts = pickled_texts(npz, name);
      if (!texts.empty() && least <= std::ssize(texts) && std::ssize(texts) <= most) return texts;
      reason = "what is pickled in it is not a list of different texts, one for each";
    }
    notes.push_back(fmt::format("{} left out: {}", name, reason));
  }
  return {};
}

std::optional<Split> take_split(const NpzReader& npz, std::optional<NodeId> nodes,
                                std::vector<std::string>& notes) {
  const auto find = [&](std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      for (const std::string_view ending : {"_idx", "_mask", "_masks"}) {
        if (std::string name = joined(part, ending); npz.has(name)) return name;
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
    fail("{}: there is no array '{}_idx' or '{}_mask' beside '{}'", npz.where(), missing, missing, given);
  }
  if (const auto shape = npz.header(train).shape; shape.size() == 2) {
    notes.push_back(fmt::format("{} holds {} splits; the first is used", train, shape[0]));
  }
  const auto take = [&](const std::string& name) -> std::vector<NodeId> {
    if (name.empty()) return {};
    const NpyArray array = npz.read(name);
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
