// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/judged_shares.h"

#include <algorithm>

#include "heatfront/base/checks.h"

namespace heatfront {

void check(const JudgedShares& judged) {
  require_count("judged shares: given", std::ssize(judged.given), std::ssize(judged.labels),
                "one for each label");
  require_ids("judged shares: labels", judged.labels, 0, judged.classes);
  require_ids("judged shares: given", judged.given, 0, judged.classes);
  require_count("judged shares", std::ssize(judged.shares), std::ssize(judged.labels) * judged.classes,
                "one for each label and class");
}

JudgedShares judged_shares(const Answer& answer, std::span<const ClassId> labels,
                           std::span<const NodeId> nodes) {
  require_ids("judged nodes", nodes, 0, std::min(std::ssize(answer.decisions.classes), std::ssize(labels)));
  JudgedShares judged{.classes = static_cast<ClassId>(answer.temperatures.values.cols())};
  for (NodeId u : nodes) {
    const std::vector<double> row = class_shares(answer, u);
    judged.shares.insert(judged.shares.end(), row.begin(), row.end());
    judged.labels.push_back(labels[at(u)]);
    judged.given.push_back(answer.decisions.classes[at(u)]);
  }
  check(judged);
  return judged;
}

}  // namespace heatfront
