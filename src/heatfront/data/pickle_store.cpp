// SPDX-License-Identifier: MIT
#include "heatfront/data/pickle_store.h"

#include <utility>

namespace heatfront {
namespace {

template <class Container, class Item>
PickleValue add(PickleKind kind, Container& container, Item item) {
  container.push_back(std::move(item));
  return {kind, static_cast<std::int64_t>(container.size()) - 1};
}

}  // namespace

std::string_view name_of(PickleKind kind) {
  switch (kind) {
    case PickleKind::kNone: return "None";
    case PickleKind::kBool: return "a bool";
    case PickleKind::kInteger: return "a whole number";
    case PickleKind::kReal: return "a floating number";
    case PickleKind::kBytes: return "a byte string";
    case PickleKind::kText: return "a text";
    case PickleKind::kTuple: return "a tuple";
    case PickleKind::kList: return "a list";
    case PickleKind::kDict: return "a dict";
    case PickleKind::kNumberType: return "a numpy type";
    case PickleKind::kArray: return "a numpy array";
    case PickleKind::kMatrix: return "a CSR matrix";
    case PickleKind::kClass: return "a class";
  }
  return "";
}

PickleValue PickleStore::add_lent(PickleKind kind, std::string_view string) {
  return add(kind, strings_, string);
}

PickleValue PickleStore::add_owned(PickleKind kind, std::string string) {
  owned_.push_back(std::move(string));
  return add_lent(kind, owned_.back());
}

PickleValue PickleStore::add_items(PickleKind kind, std::vector<PickleValue> items) {
  return add(kind, items_, std::move(items));
}

PickleValue PickleStore::add_type(NumberType type) { return add(PickleKind::kNumberType, types_, type); }

PickleValue PickleStore::add_array() { return add(PickleKind::kArray, arrays_, PickleArray{}); }

PickleValue PickleStore::add_matrix() { return add(PickleKind::kMatrix, states_, PickleValue{}); }

PickleValue PickleStore::attribute(PickleValue matrix, std::string_view name) const {
  const PickleValue state = states_[place(matrix)];
  if (!state.is(PickleKind::kDict)) return {};
  const std::vector<PickleValue>& pairs = items(state);
  for (std::size_t i = pairs.size(); i >= 2; i -= 2) {
    if (pairs[i - 2].is_string() && string(pairs[i - 2]) == name) return pairs[i - 1];
  }
  return {};
}

}  // namespace heatfront
