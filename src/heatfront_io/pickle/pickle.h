// SPDX-License-Identifier: MIT
// Python pickles of data, protocols 0 to 5: None, bools, numbers, strings, tuples, lists, dicts, numpy arrays
// and sparse matrices of scipy. A pickle is a program for a small machine; this one can build these things and
// do nothing else.
//
// What it has built are small values in place, and everything else by its number in a store. So values may refer
// to each other in any way, in circles too, and a value that is named twice is kept once.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heatfront/base/matrix.h"
#include "heatfront/base/sparse_matrix.h"
#include "heatfront_io/arrays/npy.h"

namespace heatfront {

enum class PickleKind : std::uint8_t {
  // in place
  kNone,
  kBool,
  kInteger,
  kReal,
  // in the store
  kBytes,
  kText,
  kTuple,
  kList,
  kDict,
  kNumberType,
  kArray,
  kMatrix,
  // a class or function that data may name; never run
  kClass,
};

std::string_view name_of(PickleKind kind);  // as an error line says it: "a list"

struct PickleValue {
  PickleKind kind = PickleKind::kNone;
  std::int64_t bits = 0;  // the number itself, or where the store has it

  static PickleValue integer(std::int64_t number) { return {PickleKind::kInteger, number}; }
  static PickleValue boolean(bool truth) { return {PickleKind::kBool, truth}; }
  static PickleValue real(double number) { return {PickleKind::kReal, std::bit_cast<std::int64_t>(number)}; }

  bool is(PickleKind other) const { return kind == other; }
  bool is_string() const { return is(PickleKind::kBytes) || is(PickleKind::kText); }
  bool is_number() const { return is_whole() || is(PickleKind::kReal); }
  bool is_whole() const { return is(PickleKind::kInteger) || is(PickleKind::kBool); }
  double as_real() const { return std::bit_cast<double>(bits); }
};

// A numpy array: numbers and text as bytes, whose size is what the header says; objects as a list.
struct PickleArray {
  NpyHeader header;
  std::string_view bytes;
  PickleValue objects;

  bool holds_objects() const { return header.type.kind == NpyType::Kind::objects; }
};

// A sparse matrix of scipy.
struct PickleMatrix {
  std::string_view format;  // "csr", "csc" or "coo"
  PickleValue state;        // a dict of attributes
};

class PickleStore {
 public:
  PickleStore() = default;
  PickleStore(const PickleStore&) = delete;  // strings may lie inside it
  PickleStore& operator=(const PickleStore&) = delete;

  // Bytes or text; lent ones must live as long as the store.
  PickleValue add_lent(PickleKind kind, std::string_view string) { return add(kind, strings_, string); }
  PickleValue add_owned(PickleKind kind, std::string string) {
    return add_lent(kind, owned_.emplace_back(std::move(string)));
  }
  // A tuple, a list or a dict, which is key, value, key, value, …
  PickleValue add_items(PickleKind kind, std::vector<PickleValue> items) {
    return add(kind, items_, std::move(items));
  }
  PickleValue add_type(NpyType type) { return add(PickleKind::kNumberType, types_, std::move(type)); }
  PickleValue add_array(PickleArray array) { return add(PickleKind::kArray, arrays_, std::move(array)); }
  PickleValue add_matrix(std::string_view format) {
    return add(PickleKind::kMatrix, matrices_, PickleMatrix{.format = format});
  }

  std::string_view string(PickleValue value) const { return strings_[place(value)]; }
  std::vector<PickleValue>& items(PickleValue value) { return items_[place(value)]; }
  const std::vector<PickleValue>& items(PickleValue value) const { return items_[place(value)]; }
  NpyType& type(PickleValue value) { return types_[place(value)]; }
  PickleArray& array(PickleValue value) { return arrays_[place(value)]; }
  const PickleArray& array(PickleValue value) const { return arrays_[place(value)]; }
  PickleMatrix& matrix(PickleValue value) { return matrices_[place(value)]; }
  const PickleMatrix& matrix(PickleValue value) const { return matrices_[place(value)]; }

  // What a matrix has under this name; None if nothing.
  PickleValue attribute(PickleValue matrix, std::string_view name) const;

 private:
  static std::size_t place(PickleValue value) { return static_cast<std::size_t>(value.bits); }

  template <class Item>
  static PickleValue add(PickleKind kind, std::vector<Item>& items, Item item) {
    items.push_back(std::move(item));
    return {kind, static_cast<std::int64_t>(items.size()) - 1};
  }

  std::vector<std::string_view> strings_;
  std::deque<std::string> owned_;
  std::vector<std::vector<PickleValue>> items_;
  std::vector<NpyType> types_;
  std::vector<PickleArray> arrays_;
  std::vector<PickleMatrix> matrices_;
};

class Pickle {
 public:
  explicit Pickle(const std::filesystem::path& path);
  Pickle(std::string bytes, std::string file);

  const std::string& file() const { return file_; }
  std::size_t size() const { return bytes_.size(); }
  const PickleStore& store() const { return store_; }
  PickleValue root() const { return root_; }

  // What is in an array of objects, as many as its shape says. Error where the value is another.
  std::span<const PickleValue> objects(PickleValue array) const;

 private:
  std::string file_;
  std::string bytes_;  // strings of the store lie in here
  PickleStore store_;
  PickleValue root_;
};

// The arrays and matrices that a pickle holds, checked as those of npy and npz files are.

// A numpy array of numbers or text, or of Python's numbers (nan for None); `where` names it in messages. Error where the value is another.
NpyArray array_of(const Pickle& pickle, PickleValue value, const std::string& where);

// A matrix of scipy. Rows may be out of order.
SparseMatrix sparse_of(const Pickle& pickle, PickleValue matrix);

// A pickle that is one numpy array of two dimensions, neither of them 0.
Matrix dense_matrix(const Pickle& pickle);

// A pickle that is one matrix of scipy, or such an array. Canonical.
SparseMatrix sparse_matrix(const Pickle& pickle);

}  // namespace heatfront
