// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "heatfront/base/checks.h"
#include "heatfront/evaluate/confusion.h"

namespace heatfront {
namespace {

constexpr double kDependence = 1.5;  // so many labels that were left out tell as much as one drawn apart

double mean(double sum, std::size_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

double accuracy(std::span<const ClassId> classes, std::span<const ClassId> labels,
                std::span<const NodeId> nodes) {
  require_ids("accuracy: nodes", nodes, 0, std::min(std::ssize(classes), std::ssize(labels)));
  const auto right = std::ranges::count_if(nodes, [&](NodeId u) { return classes[at(u)] == labels[at(u)]; });
  return mean(static_cast<double>(right), nodes.size());
}

std::size_t count_right(ConstMatrixView logits, std::span<const ClassId> labels,
                        std::span<const NodeId> nodes) {
  require_ids("accuracy: nodes", nodes, 0, std::min<std::int64_t>(logits.rows, std::ssize(labels)));
  return static_cast<std::size_t>(std::ranges::count_if(nodes, [&](NodeId u) {
    const auto row = logits.row(u);
    return std::ranges::max_element(row) - row.begin() == labels[at(u)];
  }));
}

double accuracy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> nodes) {
  return mean(static_cast<double>(count_right(logits, labels, nodes)), nodes.size());
}

double accuracy(const LeftOut& left_out, std::span<const ClassId> labels) {
  require_ids("accuracy: nodes", left_out.nodes, 0, std::ssize(labels));
  double right = 0;
  for (std::size_t i = 0; i < left_out.nodes.size(); ++i) {
    const auto row = left_out.shares.row(static_cast<std::int64_t>(i));
    right += std::ranges::max_element(row) - row.begin() == labels[at(left_out.nodes[i])];
  }
  return mean(right, left_out.nodes.size());
}

double macro_f1(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> nodes,
                const Ranks& ranks) {
  require_ids("macro F1: nodes", nodes, 0, std::min<std::int64_t>(logits.rows, std::ssize(labels)));
  std::vector<ClassId> given, right;
  for (NodeId u : nodes) {
    const auto row = logits.row(u);
    given.push_back(static_cast<ClassId>(std::ranges::max_element(row) - row.begin()));
    right.push_back(labels[at(u)]);
  }
  Confusion counted = confusion(given, right, static_cast<ClassId>(logits.cols));
  std::vector<double> counts(counted.counts.begin(), counted.counts.end());
  ranks.sum(counts);
  std::ranges::transform(counts, counted.counts.begin(),
                         [](double count) { return static_cast<std::int64_t>(count); });
  return macro_f1(class_scores(counted));
}

namespace {

//     (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)
ShareInterval wilson_interval(double share, std::int64_t nodes, double nodes_apart) {
  if (nodes == 0) return {share, share};
  if (nodes < 0 || !(share >= 0 && share <= 1))
    fail("interval of a share of {} on {} nodes: a share is from 0 to 1, and nodes are 0 or more", share,
         nodes);
  constexpr double kZ = 1.959963984540054;
  const double n = nodes_apart;
  const double shrink = 1 + kZ * kZ / n, middle = share + kZ * kZ / (2 * n);
  const double half = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  return {std::max(0.0, (middle - half) / shrink), std::min(1.0, (middle + half) / shrink)};
}

}  // namespace

ShareInterval share_interval(double share, std::int64_t nodes) {
  return wilson_interval(share, nodes, static_cast<double>(nodes));
}

ShareInterval left_out_interval(double share, std::int64_t labels) {
  return wilson_interval(share, labels, static_cast<double>(labels) / kDependence);
}

std::vector<PrecisionRecall> precision_recall(std::span<const double> scores, std::span<const ClassId> labels,
                                              ClassId label) {
  require_count("precision_recall: labels", std::ssize(labels), std::ssize(scores), "one per score");
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return scores[i]; });
  const auto all = static_cast<std::size_t>(std::ranges::count(labels, label));
  std::vector<PrecisionRecall> curve;
  std::size_t found = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    found += labels[order[i]] == label;
    if (i + 1 < order.size() && scores[order[i + 1]] == scores[order[i]]) continue;
    curve.push_back({.score = scores[order[i]],
                     .nodes = static_cast<std::int64_t>(i + 1),
                     .precision = mean(static_cast<double>(found), i + 1),
                     .recall = mean(static_cast<double>(found), all)});
  }
  return curve;
}

double average_precision(std::span<const PrecisionRecall> curve) {
  double sum = curve.empty() ? std::numeric_limits<double>::quiet_NaN() : 0, recall = 0;
  for (const PrecisionRecall& point : curve) {
    sum += (point.recall - recall) * point.precision;
    recall = point.recall;
  }
  return sum;
}

ClassRetrieval class_retrieval(std::span<const double> scores, std::span<const ClassId> labels,
                               ClassId label) {
  ClassRetrieval result{.label = label,
                        .nodes = std::ssize(labels),
                        .of_class = std::ranges::count(labels, label),
                        .curve = precision_recall(scores, labels, label)};
  result.average_precision = average_precision(result.curve);
  return result;
}

}  // namespace heatfront
