// SPDX-License-Identifier: MIT
#include "heatfront/data/pickle_matrix.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

using Kind = PickleKind;

constexpr std::int64_t kMostRows = std::numeric_limits<std::int32_t>::max();

void check_shape(const Pickle& pickle, std::int64_t rows, std::int64_t cols) {
  if (rows >= 1 && cols >= 1 && rows <= kMostRows && cols <= kMostRows) return;
  fail("{}: a matrix of {} × {}; both must be 1 to {}", pickle.file(), rows, cols, kMostRows);
}

SparseMatrix sparse_of(const Matrix& dense) {
  SparseMatrix sparse{.rows = dense.rows(), .cols = dense.cols()};
  for (std::int64_t i = 0; i < dense.rows(); ++i) {
    const auto row = dense.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0) continue;
      sparse.columns.push_back(static_cast<std::int32_t>(j));
      sparse.values.push_back(row[j]);
    }
    sparse.offsets.push_back(sparse.entries());
  }
  return sparse;
}

// One part of the CSR matrix.
const PickleArray& part(const Pickle& pickle, const char* name) {
  const PickleValue value = pickle.store().attribute(pickle.root(), name);
  if (!value.is(Kind::kArray) || pickle.store().array(value).dimensions != 1) {
    fail("{}: {} of the CSR matrix is {}; a numpy array of one dimension is needed", pickle.file(), name,
         name_of(value.kind));
  }
  return pickle.store().array(value);
}

std::vector<std::int64_t> whole_part(const Pickle& pickle, const char* name) {
  const PickleArray& array = part(pickle, name);
  if (!array.type.whole()) {
    fail("{}: {} of the CSR matrix holds floating numbers; whole numbers are needed", pickle.file(), name);
  }
  return whole_numbers(array);
}

std::pair<std::int64_t, std::int64_t> shape_of(const Pickle& pickle) {
  const PickleStore& store = pickle.store();
  PickleValue shape = store.attribute(pickle.root(), "_shape");
  if (shape.is(Kind::kNone)) shape = store.attribute(pickle.root(), "shape");
  const bool two = shape.is(Kind::kTuple) && store.items(shape).size() == 2;
  if (!two || !std::ranges::all_of(store.items(shape), &PickleValue::is_whole)) {
    fail("{}: _shape of the CSR matrix is not a tuple of two whole numbers", pickle.file());
  }
  return {store.items(shape)[0].bits, store.items(shape)[1].bits};
}

void check_offsets(const Pickle& pickle, const std::vector<std::int64_t>& offsets, std::int64_t rows,
                   std::int64_t entries) {
  if (offsets.size() != at(rows) + 1) {
    fail("{}: indptr has {} numbers, but {} rows need {}", pickle.file(), offsets.size(), rows, rows + 1);
  }
  if (offsets.front() != 0) fail("{}: indptr begins with {}; 0 is needed", pickle.file(), offsets.front());
  const auto fall = std::ranges::adjacent_find(offsets, std::greater<>());
  if (fall != offsets.end()) {
    fail("{}: indptr falls from {} to {} at row {}; it must never fall", pickle.file(), fall[0], fall[1],
         fall - offsets.begin());
  }
  if (offsets.back() > entries) {
    fail("{}: indptr ends with {}, but there are {} entries", pickle.file(), offsets.back(), entries);
  }
}

SparseMatrix csr_matrix(const Pickle& pickle) {
  const auto [rows, cols] = shape_of(pickle);
  check_shape(pickle, rows, cols);
  const std::vector<std::int64_t> columns = whole_part(pickle, "indices");
  const PickleArray& values = part(pickle, "data");
  if (at(values.shape[0]) != columns.size()) {
    fail("{}: data has {} numbers, but indices has {}", pickle.file(), values.shape[0], columns.size());
  }
  SparseMatrix matrix{.rows = rows, .cols = cols, .offsets = whole_part(pickle, "indptr")};
  check_offsets(pickle, matrix.offsets, rows, static_cast<std::int64_t>(columns.size()));
  const std::size_t entries = at(matrix.offsets.back());  // scipy allows arrays that are longer
  matrix.columns.reserve(entries);
  for (std::size_t k = 0; k < entries; ++k) {
    if (columns[k] < 0 || columns[k] >= cols) {
      fail("{}: indices[{}] is column {}; columns are 0 to {}", pickle.file(), k, columns[k], cols - 1);
    }
    matrix.columns.push_back(static_cast<std::int32_t>(columns[k]));
  }
  matrix.values.resize(entries);
  read_numbers(values.bytes.substr(0, entries * values.type.size), values.type, std::span(matrix.values));
  return canonical(std::move(matrix));
}

}  // namespace

std::vector<std::int64_t> whole_numbers(const PickleArray& array) {
  assert(array.holds_whole_list());
  std::vector<std::int64_t> numbers(at(array.shape[0]));
  read_numbers(array.bytes, array.type, std::span(numbers));
  return numbers;
}

Matrix dense_matrix(const Pickle& pickle) {
  const PickleValue root = pickle.root();
  if (!root.is(Kind::kArray)) {
    fail("{}: the file holds {}; a numpy array is needed", pickle.file(), name_of(root.kind));
  }
  const PickleArray& array = pickle.store().array(root);
  if (array.dimensions != 2) {
    fail("{}: the array has one dimension; two are needed, a row a node", pickle.file());
  }
  const auto [rows, cols] = array.shape;
  check_shape(pickle, rows, cols);
  Matrix matrix(rows, cols);
  const std::size_t size = array.type.size;
  if (!array.by_columns) {
    const std::size_t stride = at(cols) * size;
    for (std::int64_t i = 0; i < rows; ++i) {
      read_numbers(array.bytes.substr(at(i) * stride, stride), array.type, matrix.row(i));
    }
    return matrix;
  }
  const std::size_t stride = at(rows) * size;
  std::vector<Real> column(at(rows));
  for (std::int64_t j = 0; j < cols; ++j) {
    read_numbers(array.bytes.substr(at(j) * stride, stride), array.type, std::span(column));
    for (std::int64_t i = 0; i < rows; ++i) matrix(i, j) = column[at(i)];
  }
  return matrix;
}

SparseMatrix sparse_matrix(const Pickle& pickle) {
  if (pickle.root().is(Kind::kMatrix)) return csr_matrix(pickle);
  if (!pickle.root().is(Kind::kArray)) {
    fail("{}: the file holds {}; a CSR matrix or a numpy array is needed", pickle.file(),
         name_of(pickle.root().kind));
  }
  return sparse_of(dense_matrix(pickle));
}

}  // namespace heatfront
