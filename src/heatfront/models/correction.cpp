// SPDX-License-Identifier: MIT
#include "heatfront/models/correction.h"

#include <cmath>

#include "heatfront/base/linear_algebra.h"

namespace heatfront {
namespace {

constexpr double kLargestScale = 1000;

double size_of(std::span<const Real> row) {
  double sum = 0;
  for (Real x : row) sum += std::abs(static_cast<double>(x));
  return sum;
}

}  // namespace

OptionFields fields(CorrectionOptions& options) {
  return {{"scaling", &options.scaling, "How far a node is corrected",
           one_of({{"auto", "as much as labelled ones were wrong on average"}, {"fixed"}})},
          {"scale", &options.scale, "With fixed scaling: the factor"},
          {"correct_alpha", &options.correct_alpha, "How far errors spread", from_to(0, 1)},
          {"smooth_alpha", &options.smooth_alpha, "How far corrected predictions spread", from_to(0, 1)},
          {"steps", &options.steps, "Steps of each spreading", from_to(0, kMostSpreads)},
          {"correct_matrix", &options.correct_matrix, "Normalisation of the adjacency that spreads errors",
           one_of_names(normalisations())},
          {"smooth_matrix", &options.smooth_matrix, "The same for the corrected predictions",
           one_of_names(normalisations())},
          {"spread_loop", &options.spread_loop, "Weight of a loop on every node in both spreadings",
           at_least(0)}};
}

Correction::Correction(const Graph& graph, std::span<const Real> weights, const CorrectionOptions& options,
                       Threads& threads)
    : options_(checked(options, "correction")),
      fixed_(options.scaling == "fixed"),
      correct_(graph, weights, normalisation_named(options.correct_matrix), options.spread_loop, threads),
      smooth_(graph, weights, normalisation_named(options.smooth_matrix), options.spread_loop, threads) {}

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
