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
  for (ClassScore& score : scores) {
    score.precision = ratio(score.right, score.given);
    score.recall = ratio(score.right, score.nodes);
    score.f1 = ratio(2 * score.right, score.nodes + score.given);
  }
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
