// SPDX-License-Identifier: MIT
// The machine that a pickle is a program for. For source files only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "heatfront_io/pickle/pickle.h"

namespace heatfront {

// The value that the program leaves; what it builds on the way is in the store, strings as parts of `bytes`. Errors begin with the
// file and the place of the opcode.
PickleValue run_pickle(std::string_view bytes, const std::string& file, PickleStore& store);

// The few classes and functions that a pickle of numpy arrays, scipy matrices and plain containers names, and
// what each of them makes. Nothing else can be named, and nothing is run: a name is a line in a table.
class PickleClasses {
 public:
  explicit PickleClasses(PickleStore& store) : store_(store) {}

  PickleValue named(std::string_view module, std::string_view name) const;
  PickleValue call(PickleValue callee, PickleValue arguments);  // REDUCE, NEWOBJ
  void set_state(PickleValue object, PickleValue state);        // BUILD

 private:
  PickleValue encoded(std::span<const PickleValue> arguments);
  PickleValue new_type(std::span<const PickleValue> arguments);
  PickleValue scalar(std::span<const PickleValue> arguments);
  void set_type_state(NpyType& type, std::span<const PickleValue> state);
  PickleArray array(PickleValue shape, PickleValue type, bool by_columns, PickleValue elements) const;
  std::span<const PickleValue> tuple(PickleValue value) const;

  PickleStore& store_;
  std::unordered_map<std::int64_t, PickleValue> encoded_;  // by text: each is turned into bytes once
};

}  // namespace heatfront
