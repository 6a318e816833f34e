// SPDX-License-Identifier: MIT
#include "heatfront_io/pickle/pickle.h"

#include <limits>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/arrays/sparse_arrays.h"
#include "heatfront_io/files/input_file.h"
#include "heatfront_io/pickle/pickle_machine.h"

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

}  // namespace

std::string_view name_of(PickleKind kind) {
  constexpr std::string_view kNames[] = {
      "None",   "a bool", "a whole number", "a floating number", "a byte string",  "a text", "a tuple",
      "a list", "a dict", "a numpy type",   "a numpy array",     "a scipy matrix", "a class"};
  return kNames[static_cast<std::size_t>(kind)];
}

PickleValue PickleStore::attribute(PickleValue matrix, std::string_view name) const {
  const PickleValue state = matrices_[place(matrix)].state;
  if (!state.is(PickleKind::kDict)) return {};
  const std::vector<PickleValue>& pairs = items(state);
  for (std::size_t i = pairs.size(); i >= 2; i -= 2) {
    if (pairs[i - 2].is_string() && string(pairs[i - 2]) == name) return pairs[i - 1];
  }
  return {};
}

Pickle::Pickle(const std::filesystem::path& path) : Pickle(read_data(path), path.string()) {}

Pickle::Pickle(std::string bytes, std::string file) : file_(std::move(file)), bytes_(std::move(bytes)) {
  root_ = run_pickle(bytes_, file_, store_);
}

std::span<const PickleValue> Pickle::objects(PickleValue array) const {
  if (!array.is(Kind::kArray) || !store_.array(array).holds_objects())
    fail("{} holds {} in place of an array of objects", file_, name_of(array.kind));
  const auto& [header, bytes, list] = store_.array(array);
  const std::vector<PickleValue>& items = store_.items(list);
  if (std::ssize(items) != header.count)
    fail("{}: {} objects in an array of shape ({})", file_, items.size(), join(header.shape, ", "));
  return items;
}

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
  if (!pickle.root().is(Kind::kMatrix)) return sparse_of(dense_matrix(pickle));
  SparseMatrix matrix = sparse_of(pickle, pickle.root());
  if (matrix.rows == 0 || matrix.cols == 0)
    fail("{}: a matrix of {} × {}; rows and columns are needed", pickle.file(), matrix.rows, matrix.cols);
  return canonical(std::move(matrix));
}

}  // namespace heatfront
