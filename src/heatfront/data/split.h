// SPDX-License-Identifier: MIT
// Which labels are given, which choose between models, which judge: named, hashed, and made from (labels,
// seed) alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/types.h"

namespace heatfront {

struct Split {
  std::string name;                             // how it was made: "file", "percent 40,40 seed 0", …
  std::vector<NodeId> train, validation, test;  // ascending; no node in two of them

  // Nodes that nothing is scored by, though models look at them as at the others: the test nodes while one chooses. Models
  // may judge the split's nodes alone, and rounding depends on which these are, so without them the same training would
  // come out otherwise in its last bits. In no file and no hash.
  std::vector<NodeId> withheld = {};

  std::string hash() const;  // of the first three lists, not of the name
};

// The paper's splits: percent_split(labels, classes, 40, 40, seed). For each class in turn, its nodes in
// ascending order are permuted by one std::mt19937(seed) that runs on from class to class; of n nodes the
// first ⌊a·n/100⌋ train, the next ⌊b·n/100⌋ validate, the rest test. Nodes without a label have no place.
Split percent_split(std::span<const ClassId> labels, ClassId classes, int train, int validation,
                    std::uint32_t seed);

// The same with counts in place of shares. A class too small for them trains first, then validates, then
// tests.
Split per_class_split(std::span<const ClassId> labels, ClassId classes, std::int64_t train,
                      std::int64_t validation, std::uint32_t seed);

// Folds 0 … folds − 1, each class spread over them as evenly as can be: fold `seed mod folds` of the shuffling
// ⌊seed/folds⌋ tests, the next one validates, the others train. Seeds 0 … folds − 1 so test every node once.
Split fold_split(std::span<const ClassId> labels, ClassId classes, int folds, std::uint32_t seed);

// What is left to judge by when labels are known, and what was given away: an accuracy never counts a node
// whose label is held fixed, and numbers with validation or test labels among the known ones are marked.
struct Judged {
  Split split;  // validation and test without the known nodes; train as it was
  bool validation_included = false;
  bool test_included = false;
  std::int64_t validation_known = 0, test_known = 0;  // so many of them
};

Judged judged_by(const Split& split, std::span<const NodeId> known);

// With the test nodes withheld: no accuracy on them can be computed.
Split without_test(Split split);

}  // namespace heatfront
