// SPDX-License-Identifier: MIT
// What a pickle has built: small values in place, everything else by its number in a store. So values may
// refer to each other in any way, in circles too, and a value that is named twice is kept once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/data/number_bytes.h"

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
  bool is_whole() const { return is(PickleKind::kInteger) || is(PickleKind::kBool); }
  double as_real() const { return std::bit_cast<double>(bits); }
};

// A numpy array of one or two dimensions; its size and its bytes agree.
struct PickleArray {
  NumberType type;
  int dimensions = 1;
  std::array<std::int64_t, 2> shape = {0, 1};  // of one dimension: its length and 1
  bool by_columns = false;                     // Fortran's order
  std::string_view bytes;

  bool holds_whole_list() const { return dimensions == 1 && type.whole(); }
};

class PickleStore {
 public:
  PickleStore() = default;
  PickleStore(const PickleStore&) = delete;  // strings may lie inside it
  PickleStore& operator=(const PickleStore&) = delete;

  // Bytes or text; lent ones must live as long as the store.
  PickleValue add_lent(PickleKind kind, std::string_view string);
  PickleValue add_owned(PickleKind kind, std::string string);
  // A tuple, a list or a dict, which is key, value, key, value, …
  PickleValue add_items(PickleKind kind, std::vector<PickleValue> items);
  PickleValue add_type(NumberType type);
  PickleValue add_array();
  PickleValue add_matrix();

  std::string_view string(PickleValue value) const { return strings_[place(value)]; }
  std::vector<PickleValue>& items(PickleValue value) { return items_[place(value)]; }
  const std::vector<PickleValue>& items(PickleValue value) const { return items_[place(value)]; }
  NumberType& type(PickleValue value) { return types_[place(value)]; }
  PickleArray& array(PickleValue value) { return arrays_[place(value)]; }
  const PickleArray& array(PickleValue value) const { return arrays_[place(value)]; }
  PickleValue& state(PickleValue matrix) { return states_[place(matrix)]; }

  // What a CSR matrix has under this name; None if nothing.
  PickleValue attribute(PickleValue matrix, std::string_view name) const;

 private:
  static std::size_t place(PickleValue value) { return static_cast<std::size_t>(value.bits); }

  std::vector<std::string_view> strings_;
  std::deque<std::string> owned_;
  std::vector<std::vector<PickleValue>> items_;
  std::vector<NumberType> types_;
  std::vector<PickleArray> arrays_;
  std::vector<PickleValue> states_;  // of CSR matrices: a dict of attributes
};

}  // namespace heatfront
