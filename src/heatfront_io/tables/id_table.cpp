// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/id_table.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"

namespace heatfront {
namespace {

std::optional<std::int64_t> plain_integer(std::string_view id) {
  const std::string_view digits = id.starts_with('-') ? id.substr(1) : id;
  if (digits.starts_with('0') && id != "0") return std::nullopt;
  return parse_integer(id);
}

}  // namespace

IdTable::Number IdTable::number(std::string_view id) {
  if (const auto integer = plain_integer(id)) return number(*integer);
  const auto known = texts_.find(id);
  if (known != texts_.end()) return known->second;
  const Number added = next();
  texts_.emplace(id, added);
  integers_.push_back(0);
  return added;
}

IdTable::Number IdTable::number(std::int64_t id) {
  if (const auto known = find(id)) return *known;
  const Number added = next();
  put(id, added);
  integers_.push_back(id);
  return added;
}

std::optional<IdTable::Number> IdTable::find(std::string_view id) const {
  if (const auto integer = plain_integer(id)) return find(*integer);
  const auto known = texts_.find(id);
  return known == texts_.end() ? std::nullopt : std::optional(known->second);
}

std::optional<IdTable::Number> IdTable::find(std::int64_t id) const {
  const auto place = static_cast<std::size_t>(id);  // negative ones turn into huge ones
  if (place < near_limit_) {
    return place < near_.size() && near_[place] >= 0 ? std::optional(near_[place]) : std::nullopt;
  }
  const auto known = far_.find(id);
  return known == far_.end() ? std::nullopt : std::optional(known->second);
}

void IdTable::put(std::int64_t id, Number number) {
  const auto place = static_cast<std::size_t>(id);
  if (place >= near_limit_) {
    far_[id] = number;
    return;
  }
  if (place >= near_.size()) near_.resize(std::min(near_limit_, std::max(place + 1, 2 * near_.size())), -1);
  near_[place] = number;
}

IdTable::Number IdTable::next() const {
  if (integers_.size() >= static_cast<std::size_t>(std::numeric_limits<Number>::max())) {
    fail("more than {} different ids; that many cannot be numbered", std::numeric_limits<Number>::max());
  }
  return count();
}

bool IdTable::is_numbering() const {
  for (std::size_t i = 0; i < integers_.size(); ++i) {
    if (integers_[i] != static_cast<std::int64_t>(i)) return false;
  }
  return all_integers();
}

std::string IdTable::name(Number i) const {
  const auto text = std::ranges::find(texts_, i, [](const auto& known) { return known.second; });
  return text == texts_.end() ? std::to_string(integer(i)) : text->first;
}

std::vector<std::string> IdTable::names() const {
  std::vector<std::string> names;
  names.reserve(integers_.size());
  for (const std::int64_t id : integers_) names.push_back(std::to_string(id));
  for (const auto& [text, number] : texts_) names[static_cast<std::size_t>(number)] = text;
  return names;
}

std::vector<IdTable::Number> IdTable::settle() {
  if (!all_integers() || std::ranges::is_sorted(integers_)) return {};
  std::vector<Number> order(integers_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](Number i) { return integer(i); });
  std::vector<Number> renumbered(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    renumbered[static_cast<std::size_t>(order[k])] = static_cast<Number>(k);
    put(integer(order[k]), static_cast<Number>(k));
  }
  std::ranges::sort(integers_);
  return renumbered;
}

void renumber(std::vector<IdTable::Number>& numbers, const std::vector<IdTable::Number>& renumbered) {
  if (renumbered.empty()) return;
  for (IdTable::Number& number : numbers) number = renumbered[static_cast<std::size_t>(number)];
}

}  // namespace heatfront
