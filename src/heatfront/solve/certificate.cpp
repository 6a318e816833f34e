// SPDX-License-Identifier: MIT
#include "heatfront/solve/certificate.h"

#include <algorithm>
#include <cmath>

namespace heatfront {
namespace {

std::vector<double> clamped_norms(const Operator& a, ConstMatrixView x) {
  std::vector<double> squares(at(x.cols));
  const std::span<const Real> m = a.metric();
  for_clamped_rows(a, [&](std::int64_t u) {
    const double weight = m.empty() ? 1 : static_cast<double>(m[at(u)]);
    for (std::int64_t c = 0; c < x.cols; ++c) {
      const auto value = static_cast<double>(x(u, c));
      squares[at(c)] += weight * value * value;
    }
  });
  if (a.clamps()) a.ranks().sum(squares);
  for (double& square : squares) square = std::sqrt(square);
  return squares;
}

// √(‖x‖² − ‖part of x‖²)
double rest(double whole, double part) { return std::sqrt(std::max(0.0, (whole - part) * (whole + part))); }

}  // namespace

double product_rounding(const Operator& a) {
  constexpr double kBesideTheSum = 5;
  return kHalfUnit * std::sqrt(a.sum_roundings() + kBesideTheSum) * fastest_outflow(a);
}

double rounding_error(const Operator& a, double time, const Roundings& roundings) {
  constexpr double kOfEntries = 2.5, kOfCoordinates = 4;
  const double coordinates =
      a.ranks().largest(a.row_scale().empty() ? 0 : kOfCoordinates);  // an empty rank has no scale
  const double flow = kHalfUnit * kOfEntries * -a.lowest() + roundings.products * product_rounding(a);
  return std::expm1(time * flow + kHalfUnit * (roundings.additions + coordinates));
}

Certificate::Certificate(const Operator& a, ConstMatrixView start)
    : a_(a), start_(column_norms(a, start)), clamped_(clamped_norms(a, start)) {}

void Certificate::certify(double time, double truncation, const Roundings& roundings, ConstMatrixView answer,
                          SolveReport& report) const {
  constexpr double kComesIn = 0.64;  // > max (1 − e^−x)/√x
  const std::vector<double> answers = column_norms(a_, answer);
  const double rounding = rounding_error(a_, time, roundings);
  report.column_bounds.assign(start_.size(), 0.0);
  for (std::size_t c = 0; c < start_.size(); ++c) {
    if (start_[c] == 0) continue;
    const double free = rest(start_[c], clamped_[c]);
    const double beforehand = free + kComesIn * std::sqrt(-a_.lowest() * time) * clamped_[c];
    const double afterwards = 2 * free + rest(answers[c], clamped_[c]);
    const double truth = std::hypot(clamped_[c], beforehand);
    const double largest = std::hypot(clamped_[c], std::min(beforehand, afterwards));
    const double error = truncation * start_[c] + rounding * largest;
    report.column_bounds[c] = std::min(error, truth + answers[c]) / start_[c];
  }
  report.error_bound = start_.empty() ? 0 : std::ranges::max(report.column_bounds);
}

SolveReport unmoved(const Operator& a, ConstMatrixView state) {
  SolveReport report;
  Certificate(a, state).certify(0, 0, {}, state, report);
  return report;
}

}  // namespace heatfront
