// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/judged_shares.h"

#include <algorithm>
#include <iterator>

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
    const std::vector<double> row = plain_shares(answer, u);
    judged.shares.insert(judged.shares.end(), row.begin(), row.end());
    judged.labels.push_back(labels[at(u)]);
    judged.given.push_back(answer.decisions.classes[at(u)]);
  }
  check(judged);
  return judged;
}

JudgedShares judged_shares(const LeftOut& left_out, std::span<const ClassId> labels, ClassId classes) {
  require_ids("left out nodes", left_out.nodes, 0, std::ssize(labels));
  JudgedShares result{.classes = classes};
  for (std::size_t i = 0; i < left_out.nodes.size(); ++i) {
    const auto row = left_out.shares.row(static_cast<std::int64_t>(i));
    result.shares.insert(result.shares.end(), row.begin(), row.end());
    result.shares.resize((i + 1) * at(classes));  // nothing for classes that came later
    result.labels.push_back(labels[at(left_out.nodes[i])]);
    result.given.push_back(static_cast<ClassId>(std::ranges::max_element(row) - row.begin()));
  }
  check(result);
  return result;
}

std::vector<NodeId> reached_of(const Answer& answer, std::span<const NodeId> nodes) {
  std::vector<NodeId> reached;
  std::ranges::copy_if(nodes, std::back_inserter(reached),
                       [&](NodeId u) { return answer.decisions.status[at(u)] != NodeStatus::unreached; });
  return reached;
}

JudgedShares part_of(const JudgedShares& judged, std::span<const std::size_t> places) {
  JudgedShares result{.classes = judged.classes};
  for (std::size_t i : places) {
    const auto row = judged.row(i);
    result.shares.insert(result.shares.end(), row.begin(), row.end());
    result.labels.push_back(judged.labels[i]);
    result.given.push_back(judged.given[i]);
  }
  return result;
}

}  // namespace heatfront
