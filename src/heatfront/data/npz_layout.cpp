// SPDX-License-Identifier: MIT
#include "heatfront/data/npz_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace {

std::string joined(std::string_view prefix, std::string_view key) { return std::string(prefix) += key; }

NpyArray take_part(NpzArrays& arrays, std::string_view prefix, std::string_view key) {
  const std::string name = joined(prefix, key);
  if (!arrays.has(name)) {
    fail("{}: there is no array '{}'; a sparse matrix is {}data, {}indices, {}indptr and {}shape",
         arrays.where(), name, prefix, prefix, prefix, prefix);
  }
  return arrays.take(name);
}

void check_length(const NpyArray& array, std::int64_t needed, std::string_view reason) {
  if (array.dimensions() == 1 && array.count() == needed) return;
  fail("{} has shape ({}), but {} entries are needed: {}", array.where(), join(array.shape(), ", "), needed,
       reason);
}

void check_offsets(std::span<const std::int64_t> offsets, const NpyArray& array) {
  if (offsets.front() != 0) fail("{} begins with {}; it must begin with 0", array.where(), offsets.front());
  const auto down = std::ranges::adjacent_find(offsets, std::greater<>());
  if (down == offsets.end()) return;
  fail("{}: entry {} is {}, after {}; entries must not decrease", array.where(), down - offsets.begin() + 1,
       *(down + 1), *down);
}

void check_range(std::span<const std::int32_t> ids, std::int64_t end, const NpyArray& array) {
  const auto bad = std::ranges::find_if(ids, [&](std::int32_t id) { return id < 0 || id >= end; });
  if (bad == ids.end()) return;
  fail("{}: entry {} is {}; it must be from 0 to {}", array.where(), bad - ids.begin(), *bad, end - 1);
}

// A row a node with a single 1, or none where the class is unknown.
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

// Of several masks, one a row, the first.
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

SparseMatrix take_rows(NpzArrays& arrays, std::string_view prefix) {
  const NpyArray shape = take_part(arrays, prefix, "shape");
  check_length(shape, 2, "rows and columns");
  const auto sizes = to_int32(shape);
  check_range(sizes, std::int64_t(std::numeric_limits<std::int32_t>::max()) + 1, shape);
  SparseMatrix matrix{.rows = sizes[0], .cols = sizes[1]};

  const NpyArray indptr = take_part(arrays, prefix, "indptr");
  check_length(indptr, matrix.rows + 1, "one a row, and one");
  matrix.offsets = to_int64(indptr);
  check_offsets(matrix.offsets, indptr);
  {
    const NpyArray indices = take_part(arrays, prefix, "indices");
    check_length(indices, matrix.offsets.back(), joined(prefix, "indptr ends with that"));
    matrix.columns = to_int32(indices);
    check_range(matrix.columns, matrix.cols, indices);
  }
  if (const std::string data = joined(prefix, "data"); arrays.has(data)) {
    const NpyArray values = arrays.take(data);
    check_length(values, matrix.entries(), joined(prefix, "indices has as many"));
    matrix.values = to_reals(values);
  }
  return matrix;
}

NpzLabels take_labels(NpzArrays& arrays) {
  const std::string name = arrays.first_of({"labels", "node_labels", "y"});
  if (name.empty()) return {};
  const NpyArray array = arrays.take(name);
  NpzLabels labels;
  if (array.dimensions() == 2 && array.shape()[1] > 1) {
    labels = one_hot_labels(array);
  } else if (array.dimensions() == 1 || (array.dimensions() == 2 && array.shape()[1] == 1)) {
    labels.of = array.type().kind == NpyType::Kind::real ? whole_or_unknown(array) : to_int32(array);
    if (!labels.of.empty()) labels.classes = std::int64_t(std::ranges::max(labels.of)) + 1;
  } else {
    fail("{} has shape ({}); a label a node is needed", array.where(), join(array.shape(), ", "));
  }
  require_class_count(labels.classes, std::ssize(labels.of), array.where());
  return labels;
}

std::vector<std::string> take_names(NpzArrays& arrays, std::string_view name,
                                    std::vector<std::string>& notes) {
  if (!arrays.has(name)) return {};
  const NpyHeader header = arrays.header(name);
  if (header.type.is_text() && header.shape.size() == 1) return to_strings(arrays.take(name));
  const bool pickled = header.type.kind == NpyType::Kind::objects;
  notes.push_back(
      fmt::format("{} left out: it {}", name,
                  pickled ? "holds pickled Python objects, which are not read" : "is not a list of texts"));
  arrays.leave(name);
  return {};
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
