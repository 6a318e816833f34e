// SPDX-License-Identifier: MIT
#include "heatfront_io/pickle/pickle_matrix.h"

#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/arrays/sparse_arrays.h"

namespace heatfront {
namespace {

using Kind = PickleKind;

template <class Number>
NpyArray packed(const std::vector<Number>& numbers, std::vector<std::int64_t> shape, std::string where) {
  const std::string_view bytes(reinterpret_cast<const char*>(numbers.data()),
                               numbers.size() * sizeof(Number));
  NpyHeader header{
      .type = npy_type(kNpyDescr<Number>), .shape = std::move(shape), .count = std::ssize(numbers)};
  return {std::move(header), std::string(bytes), std::move(where)};
}

// Python's numbers as an array of that shape: whole ones if all are, else floating ones, nan for None.
NpyArray array_of_numbers(std::span<const PickleValue> items, const std::vector<std::int64_t>& shape,
                          const std::string& where) {
  std::vector<std::int64_t> whole;
  std::vector<double> reals;
  for (const PickleValue item : items) {
    if (!item.is_number() && !item.is(Kind::kNone))
      fail("{} holds {} in place of a number", where, name_of(item.kind));
    if (item.is_whole()) whole.push_back(item.bits);
    reals.push_back(item.is_whole()        ? static_cast<double>(item.bits)
                    : item.is(Kind::kReal) ? item.as_real()
                                           : std::numeric_limits<double>::quiet_NaN());
  }
  return whole.size() == reals.size() ? packed(whole, shape, where) : packed(reals, shape, where);
}

// The first `count` entries of a longer list.
NpyArray cut_to(std::int64_t count, NpyArray array) {
  if (array.dimensions() != 1 || count < 0 || array.count() <= count) return array;
  const std::size_t bytes = at(count * array.type().size);
  return {NpyHeader{.type = array.type(), .shape = {count}, .count = count},
          std::string(array.elements().substr(0, bytes)), array.where()};
}

SparseMatrix sparse_of_dense(const Matrix& dense) {
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

}  // namespace

NpyArray array_of(const Pickle& pickle, PickleValue value, const std::string& where) {
  if (!value.is(Kind::kArray)) fail("{} holds {}; a numpy array is needed", where, name_of(value.kind));
  const PickleArray& array = pickle.store().array(value);
  if (array.holds_objects()) return array_of_numbers(pickle.objects(value), array.header.shape, where);
  return {array.header, std::string(array.bytes), where};
}

SparseMatrix sparse_of(const Pickle& pickle, PickleValue matrix) {
  const PickleStore& store = pickle.store();
  const auto attribute = [&](std::string_view name) { return store.attribute(matrix, name); };
  const auto where = [&](std::string_view name) { return fmt::format("{}: {}", pickle.file(), name); };
  const auto array = [&](std::string_view name) { return array_of(pickle, attribute(name), where(name)); };
  const auto take = [&](std::string_view name) -> NpyArray {
    if (name == "shape") {
      const PickleValue shape = attribute(attribute("_shape").is(Kind::kNone) ? "shape" : "_shape");
      if (!shape.is(Kind::kTuple))
        fail("{} holds {}; a tuple is needed", where("_shape"), name_of(shape.kind));
      const std::vector<PickleValue>& lengths = store.items(shape);
      return array_of_numbers(lengths, {std::ssize(lengths)}, where("_shape"));
    }
    // Newer ones of format coo have both in a tuple.
    const PickleValue coords = attribute("coords");
    if ((name == "row" || name == "col") && coords.is(Kind::kTuple) && store.items(coords).size() == 2)
      return array_of(pickle, store.items(coords)[name == "col"], where(name));
    // scipy allows arrays that are longer than indptr says.
    if (store.matrix(matrix).format != "coo" && (name == "indices" || name == "data")) {
      const std::vector<std::int64_t> offsets = to_int64(array("indptr"));
      return cut_to(offsets.empty() ? 0 : offsets.back(), array(name));
    }
    return array(name);
  };
  return read_sparse({.format = std::string(store.matrix(matrix).format), .take = take});
}

Matrix dense_matrix(const Pickle& pickle) {
  const NpyArray array = array_of(pickle, pickle.root(), pickle.file());
  if (array.count() == 0) fail("{}: the array is empty; rows and columns are needed", pickle.file());
  return to_matrix(array);
}

SparseMatrix sparse_matrix(const Pickle& pickle) {
  if (!pickle.root().is(Kind::kMatrix)) return sparse_of_dense(dense_matrix(pickle));
  SparseMatrix matrix = sparse_of(pickle, pickle.root());
  if (matrix.rows == 0 || matrix.cols == 0)
    fail("{}: a matrix of {} × {}; rows and columns are needed", pickle.file(), matrix.rows, matrix.cols);
  return canonical(std::move(matrix));
}

}  // namespace heatfront
