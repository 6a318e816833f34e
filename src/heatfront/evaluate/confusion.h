// SPDX-License-Identifier: MIT
// Which classes are taken for which. With n_c nodes of class c, g_c nodes that were given it and r_c both,
//
//     precision = r_c / g_c,     recall = r_c / n_c,     F1 = 2 r_c / (n_c + g_c)
//
// and macro F1 is the mean of F1 over the classes that a judged node has or was given. A class that nobody
// was given has F1 = 0; one that occurs nowhere does not count.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/types.h"

namespace heatfront {

struct Confusion {
  ClassId classes = 0;
  std::vector<std::int64_t> counts;  // label by label, the classes given

  std::int64_t operator()(ClassId label, ClassId given) const {
    return counts[at(label) * at(classes) + at(given)];
  }
};

// It has a number for each pair of classes, and so do its tables.
inline constexpr ClassId kMostConfused = 2048;

Confusion confusion(std::span<const ClassId> given, std::span<const ClassId> labels, ClassId classes);

struct ClassScore {
  std::int64_t nodes = 0, given = 0, right = 0;
  double precision = 0, recall = 0, f1 = 0;  // NaN where they would be 0/0
};

ClassScore class_score(std::int64_t nodes, std::int64_t given, std::int64_t right);
std::vector<ClassScore> class_scores(const Confusion& confusion);

double macro_f1(std::span<const ClassScore> scores);

// Are some classes so much rarer than others that accuracy alone says little? So it is where more than 70 % of the labels are of one
// class, or one class has more than ten times the labels of another that has any.
bool is_uneven(std::span<const ClassId> labels, ClassId classes);

// How good the classes given are class by class, beside always naming the class that most of the known labels have.
struct ClassReport {
  bool uneven = false;        // the known labels are
  ClassId most_frequent = 0;  // among the known labels, the first of equals
  double always = 0;          // accuracy of always naming it; NaN where nothing is judged
  double macro_f1 = 0;
  std::vector<ClassScore> scores;  // by class
};

ClassReport class_report(std::span<const ClassId> given, std::span<const ClassId> labels,
                         std::span<const ClassId> known, ClassId classes);

// The pairs of classes that are taken for another most often, most often first.
struct Mistake {
  ClassId label = 0, given = 0;
  std::int64_t nodes = 0;
};

std::vector<Mistake> mistakes(const Confusion& confusion);

}  // namespace heatfront
