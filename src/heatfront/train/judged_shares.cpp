// SPDX-License-Identifier: MIT
#include "heatfront/train/judged_shares.h"

namespace heatfront {

JudgedShares judged_shares(const Answer& answer, std::span<const ClassId> labels,
                           std::span<const NodeId> nodes) {
  JudgedShares judged{.classes = static_cast<ClassId>(answer.temperatures.values.cols())};
  for (NodeId u : nodes) {
    const std::vector<double> row = class_shares(answer, u);
    judged.shares.insert(judged.shares.end(), row.begin(), row.end());
    judged.labels.push_back(labels[at(u)]);
    judged.given.push_back(answer.decisions.classes[at(u)]);
  }
  return judged;
}

}  // namespace heatfront
