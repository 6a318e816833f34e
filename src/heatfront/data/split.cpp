// SPDX-License-Identifier: MIT
#include "heatfront/data/split.h"

#include <algorithm>
#include <random>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/fingerprint.h"

namespace heatfront {
namespace {

// for i in 0 … n−2: z = rng() mod (n − i); swap(p[i], p[i+z])
void permute(std::vector<NodeId>& ids, std::mt19937& generator) {
  const std::size_t n = ids.size();
  for (std::size_t i = 0; i + 1 < n; ++i) std::swap(ids[i], ids[i + generator() % (n - i)]);
}

// The nodes of each class, in an order that follows from the seed.
std::vector<std::vector<NodeId>> shuffled_classes(std::span<const ClassId> labels, ClassId classes,
                                                  std::uint32_t seed) {
  if (classes < 0) fail("split: {} classes; there must be 0 or more", classes);
  require_ids("split: labels", labels, kUnknown, classes);
  std::vector<std::vector<NodeId>> members(at(classes));
  for (std::size_t u = 0; u < labels.size(); ++u) {
    if (labels[u] != kUnknown) members[at(labels[u])].push_back(static_cast<NodeId>(u));
  }
  std::mt19937 generator(seed);
  for (std::vector<NodeId>& ids : members) permute(ids, generator);
  return members;
}

void sort_parts(Split& split) {
  for (std::vector<NodeId>* part : {&split.train, &split.validation, &split.test}) std::ranges::sort(*part);
}

// sizes(n) → how many of a class of n nodes train and validate.
template <class Sizes>
Split split_by_class(std::span<const ClassId> labels, ClassId classes, std::uint32_t seed,
                     const Sizes& sizes) {
  Split split;
  for (const std::vector<NodeId>& ids : shuffled_classes(labels, classes, seed)) {
    const auto [train, validation] = sizes(std::ssize(ids));
    const auto first = ids.begin() + train, second = first + validation;
    split.train.insert(split.train.end(), ids.begin(), first);
    split.validation.insert(split.validation.end(), first, second);
    split.test.insert(split.test.end(), second, ids.end());
  }
  sort_parts(split);
  return split;
}

}  // namespace

std::string Split::hash() const { return Fingerprint().add(train).add(validation).add(test).hex(); }

Split percent_split(std::span<const ClassId> labels, ClassId classes, int train, int validation,
                    std::uint32_t seed) {
  if (train < 0 || validation < 0 || train + validation > 100) {
    fail("split 'percent {},{}': the shares must be 0 or more and together at most 100", train, validation);
  }
  Split split = split_by_class(labels, classes, seed, [&](std::int64_t n) {
    return std::pair(train * n / 100, validation * n / 100);
  });
  split.name = fmt::format("percent {},{} seed {}", train, validation, seed);
  return split;
}

Split per_class_split(std::span<const ClassId> labels, ClassId classes, std::int64_t train,
                      std::int64_t validation, std::uint32_t seed) {
  if (train < 0 || validation < 0) {
    fail("split 'per-class {},{}': the counts must be 0 or more", train, validation);
  }
  Split split = split_by_class(labels, classes, seed, [&](std::int64_t n) {
    const std::int64_t first = std::min(train, n);
    return std::pair(first, std::min(validation, n - first));
  });
  split.name = fmt::format("per-class {},{} seed {}", train, validation, seed);
  return split;
}

Split fold_split(std::span<const ClassId> labels, ClassId classes, int folds, std::uint32_t seed) {
  if (folds < 3)
    fail("split 'folds {}': one fold tests and one validates, so there must be 3 or more", folds);
  const auto count = static_cast<std::uint32_t>(folds);
  const std::uint32_t test = seed % count, validation = (test + 1) % count;
  Split split{.name = fmt::format("folds {} seed {}", folds, seed)};
  std::uint32_t fold =
      0;  // goes on from class to class, so that small classes do not all end in the first folds
  for (const std::vector<NodeId>& ids : shuffled_classes(labels, classes, seed / count)) {
    for (NodeId u : ids) {
      std::vector<NodeId>& part = fold == test         ? split.test
                                  : fold == validation ? split.validation
                                                       : split.train;
      part.push_back(u);
      fold = (fold + 1) % count;
    }
  }
  sort_parts(split);
  return split;
}

Judged judged_by(const Split& split, std::span<const NodeId> known) {
  std::vector<NodeId> given(known.begin(), known.end());
  std::ranges::sort(given);
  const auto remove_given = [&](std::vector<NodeId>& judges) {
    return static_cast<std::int64_t>(
        std::erase_if(judges, [&](NodeId u) { return std::ranges::binary_search(given, u); }));
  };
  Judged judged{.split = split};
  judged.validation_known = remove_given(judged.split.validation);
  judged.test_known = remove_given(judged.split.test);
  judged.validation_included = judged.validation_known > 0;
  judged.test_included = judged.test_known > 0;
  return judged;
}

Split without_test(Split split) {
  split.withheld = std::move(split.test);
  split.test.clear();
  return split;
}

}  // namespace heatfront
