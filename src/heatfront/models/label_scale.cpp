// SPDX-License-Identifier: MIT
#include "heatfront/models/label_scale.h"

#include <algorithm>

namespace heatfront {
namespace {

double share_of_a_front(ConstMatrixView front, const Ranks& ranks) {
  return static_cast<double>(front.cols) / static_cast<double>(front.cols - 1) /
         ranks.sum(static_cast<double>(front.rows));
}

}  // namespace

double front_unit(ConstMatrixView front, Threads& threads, const Ranks& ranks) {
  if (front.cols < 2 || ranks.largest(static_cast<double>(front.rows)) == 0) return 1;
  const double sum = threads.sum_blocks<double>(
      front.rows, rows_at_once(front.rows, 2 * front.cols), [&](std::int64_t begin, std::int64_t end) {
        double part = 0;
        for (std::int64_t u = begin; u < end; ++u) {
          const auto row = front.row(u);
          double mean = 0;
          for (Real x : row) mean += static_cast<double>(x) / static_cast<double>(front.cols);
          part += static_cast<double>(std::ranges::max(row)) - mean;
        }
        return part;
      });
  const double unit = share_of_a_front(front, ranks) * ranks.sum(sum);
  return unit > 0 ? unit : 1;
}

void front_unit_backward(ConstMatrixView front, double d_unit, MatrixView d_front, Threads& threads,
                         const Ranks& ranks) {
  if (front.cols < 2 || d_unit == 0) return;
  const double share = share_of_a_front(front, ranks) * d_unit;
  const auto of_mean = static_cast<Real>(share / static_cast<double>(front.cols));
  threads.for_blocks(
      front.rows, rows_at_once(front.rows, 2 * front.cols), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t u = begin; u < end; ++u) {
          const auto row = front.row(u);
          const auto gradient = d_front.row(u);
          for (Real& x : gradient) x -= of_mean;
          gradient[at(std::ranges::max_element(row) - row.begin())] += static_cast<Real>(share);
        }
      });
}

bool depends_on_front(const HeatFrontOptions& options) { return options.label_unit == "front"; }

double label_temperature(const HeatFrontOptions& options, ConstMatrixView front, Threads& threads,
                         const Ranks& ranks) {
  return options.label_scale * (depends_on_front(options) ? front_unit(front, threads, ranks) : 1);
}

}  // namespace heatfront
