// SPDX-License-Identifier: MIT
#include "heatfront/models/consistency.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "heatfront/base/softmax.h"

namespace heatfront {
namespace {

constexpr std::int64_t kCostOfShare = 16;  // in additions

}  // namespace

void sharpened_mean(std::span<const ConstMatrixView> logits, double sharpening, MatrixView targets,
                    Threads& threads) {
  threads.for_blocks(targets.rows,
                     rows_at_once(targets.rows, kCostOfShare * targets.cols * std::ssize(logits)),
                     [&](std::int64_t begin, std::int64_t end) {
                       std::vector<double> shares(at(targets.cols)), sums(shares.size());
                       for (std::int64_t u = begin; u < end; ++u) {
                         std::ranges::fill(sums, 0.0);
                         for (const ConstMatrixView& sample : logits) {
                           softmax(sample.row(u), shares);
                           for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += shares[c];
                         }
                         const double highest = std::ranges::max(sums);
                         double total = 0;
                         for (double& sum : sums) total += sum = std::pow(sum / highest, 1 / sharpening);
                         const auto row = targets.row(u);
                         for (std::size_t c = 0; c < sums.size(); ++c)
                           row[c] = static_cast<Real>(sums[c] / total);
                       }
                     });
}

double consistency(ConstMatrixView logits, ConstMatrixView targets, double weight, MatrixView d_logits,
                   Threads& threads) {
  return threads.sum_blocks<double>(
      logits.rows, rows_at_once(logits.rows, kCostOfShare * logits.cols),
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> shares(at(logits.cols)), gaps(shares.size());
        double loss = 0;
        for (std::int64_t u = begin; u < end; ++u) {
          softmax(logits.row(u), shares);
          const auto target = targets.row(u);
          double mean_gap = 0;  // ⟨p, g⟩
          for (std::size_t c = 0; c < shares.size(); ++c) {
            gaps[c] = shares[c] - static_cast<double>(target[c]);
            loss += weight * gaps[c] * gaps[c];
            mean_gap += shares[c] * gaps[c];
          }
          const auto gradient = d_logits.row(u);
          for (std::size_t c = 0; c < shares.size(); ++c)
            gradient[c] += static_cast<Real>(2 * weight * shares[c] * (gaps[c] - mean_gap));
        }
        return loss;
      });
}

}  // namespace heatfront
