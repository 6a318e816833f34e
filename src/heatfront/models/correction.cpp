// SPDX-License-Identifier: MIT
#include "heatfront/models/correction.h"

#include <cmath>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"

namespace heatfront {
namespace {

constexpr double kLargestScale = 1000;

double size_of(std::span<const Real> row) {
  double sum = 0;
  for (Real x : row) sum += std::abs(static_cast<double>(x));
  return sum;
}

void check_alpha(std::string_view name, double alpha) {
  if (!(alpha >= 0 && alpha <= 1)) fail("{} {}: it must be in [0, 1]", name, alpha);
}

}  // namespace

OptionFields fields(CorrectionOptions& options) {
  return {{"scaling", &options.scaling,
           "How far a node is corrected: auto (as much as labelled ones were wrong on average) or fixed"},
          {"scale", &options.scale, "With fixed scaling: the factor"},
          {"correct_alpha", &options.correct_alpha, "How far errors spread, from 0 to 1"},
          {"smooth_alpha", &options.smooth_alpha, "How far corrected predictions spread, from 0 to 1"},
          {"steps", &options.steps, "Steps of each spreading"},
          {"correct_matrix", &options.correct_matrix,
           "What errors spread by: symmetric, row or column (of the adjacency divided by degrees)"},
          {"smooth_matrix", &options.smooth_matrix, "The same for the corrected predictions"},
          {"spread_loop", &options.spread_loop, "Weight of a loop on every node in both spreadings"}};
}

Correction::Correction(const Graph& graph, std::span<const Real> weights, const CorrectionOptions& options,
                       Threads& threads)
    : options_(options),
      fixed_(options.scaling == "fixed"),
      correct_(graph, weights, normalisation_named(options.correct_matrix), options.spread_loop, threads),
      smooth_(graph, weights, normalisation_named(options.smooth_matrix), options.spread_loop, threads) {
  if (!fixed_ && options.scaling != "auto")
    fail("unknown scaling '{}'; there are: auto, fixed", options.scaling);
  check_alpha("correct_alpha", options.correct_alpha);
  check_alpha("smooth_alpha", options.smooth_alpha);
  if (options.steps < 0 || options.steps > kMostSpreads)
    fail("steps {}: it must be from 0 to {}", options.steps, kMostSpreads);
  if (!(options.spread_loop >= 0)) fail("spread_loop {}: it must be 0 or more", options.spread_loop);
  if (!std::isfinite(options.scale)) fail("scale {}: it must be finite", options.scale);
}

void Correction::apply(ConstMatrixView shares, const KnownLabels& known, MatrixView result) {
  check(known, static_cast<NodeId>(shares.rows), static_cast<ClassId>(shares.cols));
  for (Matrix* matrix : {&residuals_, &spread_, &corrected_}) shape_like(*matrix, shares);
  double mean = 0;
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    const auto row = residuals_.row(known.nodes[i]);
    for (std::size_t c = 0; c < row.size(); ++c)
      row[c] = (static_cast<ClassId>(c) == known.classes[i] ? Real(1) : Real(0)) -
               shares(known.nodes[i], static_cast<std::int64_t>(c));
    mean += size_of(row) / static_cast<double>(known.nodes.size());
  }
  correct_.spread(options_.correct_alpha, options_.steps, residuals_, spread_,
                  fixed_ ? std::span<const NodeId>(known.nodes) : std::span<const NodeId>());
  for (std::int64_t u = 0; u < shares.rows; ++u) {
    const double size = size_of(spread_.row(u)), wanted = mean / size;
    const double scale = fixed_ ? options_.scale : size > 0 && wanted <= kLargestScale ? wanted : 1;
    for (std::int64_t c = 0; c < shares.cols; ++c)
      corrected_(u, c) = shares(u, c) + static_cast<Real>(scale) * spread_(u, c);
  }
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    for (std::int64_t c = 0; c < shares.cols; ++c)
      corrected_(known.nodes[i], c) = c == known.classes[i] ? Real(1) : Real(0);
  }
  smooth_.spread(options_.smooth_alpha, options_.steps, corrected_, result);
}

}  // namespace heatfront
