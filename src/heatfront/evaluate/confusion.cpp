// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/confusion.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "heatfront/base/checks.h"

namespace heatfront {
namespace {

double ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? std::numeric_limits<double>::quiet_NaN()
                    : static_cast<double>(part) / static_cast<double>(whole);
}

std::vector<std::int64_t> counts_of(std::span<const ClassId> labels, ClassId classes) {
  require_ids("labels by class", labels, 0, classes);
  std::vector<std::int64_t> counts(at(classes));
  for (ClassId label : labels) ++counts[at(label)];
  return counts;
}

void check(const Confusion& confusion) {
  if (confusion.classes < 0) fail("confusion: {} classes; there must be 0 or more", confusion.classes);
  require_count("confusion: counts", std::ssize(confusion.counts),
                std::int64_t{confusion.classes} * confusion.classes, "one for each label and class given");
}

}  // namespace

Confusion confusion(std::span<const ClassId> given, std::span<const ClassId> labels, ClassId classes) {
  if (classes < 0 || classes > kMostConfused)
    fail("{} classes to set against each other; there can be 0 to {}", classes, kMostConfused);
  require_count("confusion: given", std::ssize(given), std::ssize(labels), "one for each label");
  require_ids("confusion: labels", labels, 0, classes);
  require_ids("confusion: given", given, 0, classes);
  Confusion result{.classes = classes, .counts = std::vector<std::int64_t>(at(classes) * at(classes))};
  for (std::size_t i = 0; i < labels.size(); ++i) ++result.counts[at(labels[i]) * at(classes) + at(given[i])];
  return result;
}

ClassScore class_score(std::int64_t nodes, std::int64_t given, std::int64_t right) {
  return {.nodes = nodes,
          .given = given,
          .right = right,
          .precision = ratio(right, given),
          .recall = ratio(right, nodes),
          .f1 = ratio(2 * right, nodes + given)};
}

std::vector<ClassScore> class_scores(const Confusion& confusion) {
  check(confusion);
  std::vector<ClassScore> scores(at(confusion.classes));
  for (ClassId label = 0; label < confusion.classes; ++label) {
    scores[at(label)].right = confusion(label, label);
    for (ClassId given = 0; given < confusion.classes; ++given) {
      scores[at(label)].nodes += confusion(label, given);
      scores[at(given)].given += confusion(label, given);
    }
  }
  for (ClassScore& score : scores) score = class_score(score.nodes, score.given, score.right);
  return scores;
}

double macro_f1(std::span<const ClassScore> scores) {
  double sum = 0;
  std::int64_t classes = 0;
  for (const ClassScore& score : scores) {
    if (std::isnan(score.f1)) continue;
    sum += score.f1;
    ++classes;
  }
  return classes == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(classes);
}

bool is_uneven(std::span<const ClassId> labels, ClassId classes) {
  constexpr double kLargeShare = 0.7;
  constexpr std::int64_t kManyTimes = 10;
  const std::vector<std::int64_t> counts = counts_of(labels, classes);
  std::int64_t most = 0, least = std::ssize(labels);
  for (std::int64_t count : counts) {
    most = std::max(most, count);
    if (count > 0) least = std::min(least, count);
  }
  return classes > 1 && (static_cast<double>(most) > kLargeShare * static_cast<double>(labels.size()) ||
                         most > kManyTimes * least);
}

ClassReport class_report(std::span<const ClassId> given, std::span<const ClassId> labels,
                         std::span<const ClassId> known, ClassId classes) {
  const std::vector<std::int64_t> counts = counts_of(known, classes);
  ClassReport result{.uneven = is_uneven(known, classes),
                     .most_frequent = static_cast<ClassId>(std::ranges::max_element(counts) - counts.begin()),
                     .scores = class_scores(confusion(given, labels, classes))};
  result.macro_f1 = macro_f1(result.scores);
  result.always = ratio(std::ranges::count(labels, result.most_frequent), std::ssize(labels));
  return result;
}

std::vector<Mistake> mistakes(const Confusion& confusion) {
  check(confusion);
  std::vector<Mistake> result;
  for (ClassId label = 0; label < confusion.classes; ++label) {
    for (ClassId given = 0; given < confusion.classes; ++given) {
      if (label != given && confusion(label, given) > 0)
        result.push_back({label, given, confusion(label, given)});
    }
  }
  std::ranges::stable_sort(result, std::greater(), &Mistake::nodes);
  return result;
}

}  // namespace heatfront
