// SPDX-License-Identifier: MIT
#include "heatfront/train/metrics.h"

#include <algorithm>
#include <limits>

namespace heatfront {
namespace {

double mean(double sum, std::size_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

}  // namespace

double accuracy(std::span<const ClassId> classes, std::span<const ClassId> labels,
                std::span<const NodeId> nodes) {
  const auto right = std::ranges::count_if(nodes, [&](NodeId u) { return classes[at(u)] == labels[at(u)]; });
  return mean(static_cast<double>(right), nodes.size());
}

double accuracy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> nodes) {
  const auto right = std::ranges::count_if(nodes, [&](NodeId u) {
    const auto row = logits.row(u);
    return std::ranges::max_element(row) - row.begin() == labels[at(u)];
  });
  return mean(static_cast<double>(right), nodes.size());
}

}  // namespace heatfront
