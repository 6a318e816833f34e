// SPDX-License-Identifier: MIT
#include "heatfront/nn/loss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "heatfront/base/checks.h"

namespace heatfront {
namespace {

// Σ_c exp(z_c − highest).
double shifted_sum(std::span<const Real> row, Real highest) {
  double sum = 0;
  for (Real x : row) sum += std::exp(static_cast<double>(x - highest));
  return sum;
}

void check_rows(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows) {
  require_ids("cross-entropy: rows", rows, 0, std::min<std::int64_t>(logits.rows, std::ssize(labels)));
  for (NodeId u : rows) {
    if (labels[at(u)] < 0 || labels[at(u)] >= logits.cols)
      fail("cross-entropy: row {} has label {}; classes are 0 to {}", u, labels[at(u)], logits.cols - 1);
  }
}

}  // namespace

double cross_entropy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows) {
  return cross_entropy(logits, labels, rows, std::ssize(rows));
}

double cross_entropy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows,
                     std::int64_t of_rows) {
  check_rows(logits, labels, rows);
  double loss = 0;
  for (NodeId u : rows) {
    const auto row = logits.row(u);
    const Real highest = std::ranges::max(row);
    loss += std::log(shifted_sum(row, highest)) - static_cast<double>(row[at(labels[at(u)])] - highest);
  }
  return of_rows == 0 ? std::numeric_limits<double>::quiet_NaN() : loss / static_cast<double>(of_rows);
}

double cross_entropy(ConstMatrixView logits, std::span<const ClassId> labels, std::span<const NodeId> rows,
                     MatrixView d_logits, std::span<const double> class_weights,
                     std::optional<std::int64_t> of_rows) {
  check_rows(logits, labels, rows);
  if (!class_weights.empty())
    require_count("cross-entropy: weights", std::ssize(class_weights), logits.cols, "one per class");
  if (d_logits.rows != logits.rows || d_logits.cols != logits.cols)
    fail("cross-entropy: a gradient of {} rows and {} columns, but logits of {} and {}", d_logits.rows,
         d_logits.cols, logits.rows, logits.cols);
  const double share = 1 / static_cast<double>(of_rows.value_or(std::ssize(rows)));
  double loss = 0;
  for (NodeId u : rows) {
    const auto row = logits.row(u);
    const auto gradient = d_logits.row(u);
    const std::size_t label = at(labels[at(u)]);
    const Real highest = std::ranges::max(row);
    const double sum = shifted_sum(row, highest), weight = class_weights.empty() ? 1 : class_weights[label];
    loss += weight * (std::log(sum) - static_cast<double>(row[label] - highest));
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double softmax = std::exp(static_cast<double>(row[c] - highest)) / sum;
      gradient[c] = static_cast<Real>(weight * share * (softmax - (c == label ? 1 : 0)));
    }
  }
  return loss * share;
}

std::vector<double> balanced_weights(std::span<const ClassId> labels, ClassId classes) {
  require_ids("labels to weigh", labels, 0, classes);
  std::vector<double> counts(at(classes));
  for (ClassId label : labels) ++counts[at(label)];
  return balanced_weights(counts);
}

std::vector<double> balanced_weights(std::span<const double> counts) {
  const double labels = std::accumulate(counts.begin(), counts.end(), 0.0);
  const auto met = static_cast<double>(std::ranges::count_if(counts, [](double count) { return count > 0; }));
  std::vector<double> weights;
  for (double count : counts) weights.push_back(count > 0 ? labels / (met * count) : 1);
  return weights;
}

}  // namespace heatfront
