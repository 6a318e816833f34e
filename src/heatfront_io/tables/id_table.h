// SPDX-License-Identifier: MIT
// The ids by which files call nodes, features or classes ↔ numbers 0 … n−1. An id is an integer when it is
// written the one plain way (7, -7; not 07, +7, 7.0), else text; so "07" and "7" are two ids, and both names
// are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heatfront {

class IdTable {
 public:
  using Number = std::int32_t;

  // Integers from 0 to `near` − 1 are looked up in an array of at most that length: take the bytes of the
  // files.
  explicit IdTable(std::size_t near) : near_limit_(near) {}

  Number number(std::string_view id);  // counted by first appearance
  Number number(std::int64_t id);
  std::optional<Number> find(std::string_view id) const;

  Number count() const { return static_cast<Number>(integers_.size()); }
  bool all_integers() const { return texts_.empty(); }
  std::int64_t integer(Number i) const { return integers_[static_cast<std::size_t>(i)]; }
  bool is_numbering() const;  // every id is its own number
  std::string name(Number i) const;
  std::vector<std::string> names() const;

  // Renumbers by ascending value when all ids are integers. Returns the new number of every old one, or
  // nothing when all stay as they are.
  std::vector<Number> settle();

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  std::optional<Number> find(std::int64_t id) const;
  void put(std::int64_t id, Number number);
  Number next() const;

  std::size_t near_limit_;
  std::vector<Number> near_;  // −1: not met
  std::unordered_map<std::int64_t, Number> far_;
  std::unordered_map<std::string, Number, Hash, std::equal_to<>> texts_;
  std::vector<std::int64_t> integers_;  // by number; 0 for texts
};

// Old numbers → new ones, as settle() gives them.
void renumber(std::vector<IdTable::Number>& numbers, const std::vector<IdTable::Number>& renumbered);

}  // namespace heatfront
