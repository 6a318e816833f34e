// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/choose_fronts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/left_out.h"
#include "heatfront/models/linear_front/front_search.h"

namespace heatfront {
namespace {

constexpr std::size_t kFolds = 10;
constexpr double kFading = 8;         // a front that is worse by so many labels counts for 1/e
constexpr double kNegligible = 1e-3;  // does not answer

struct Share {
  std::size_t place;  // among those tried
  double weight;      // in the mean; they add up to 1
};

// The best front of each kernel, and of these the best, best first; of equals the first.
std::vector<Share> best_fronts(std::span<const TriedFront> tried, std::size_t count,
                               std::span<const std::size_t> folds = {}, std::size_t without = 0) {
  std::vector<double> scores;
  std::vector<std::size_t> order;  // by kernel at first
  for (std::size_t i = 0; i < tried.size(); ++i) {
    scores.push_back(score(tried[i], folds, without));
    const std::size_t kernel = tried[i].kernel;
    if (kernel >= order.size()) order.resize(kernel + 1, tried.size());
    if (order[kernel] == tried.size() || scores[i] > scores[order[kernel]]) order[kernel] = i;
  }
  std::erase(order, tried.size());
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  order.resize(std::min(count, order.size()));
  std::vector<Share> shares;
  double sum = 0;
  for (std::size_t i : order) {
    const double faded = std::exp((scores[i] - scores[order.front()]) / kFading);
    if (faded < kNegligible) break;
    shares.push_back({i, tried[i].confidence * faded});
    sum += shares.back().weight;
  }
  for (Share& share : shares) share.weight /= sum;
  return shares;
}

std::vector<std::size_t> folds_of_labels(const FrontTargets& known) {
  if (!known.classes.empty()) return folds_of(known.classes, static_cast<ClassId>(known.columns), kFolds);
  std::vector<std::size_t> folds;
  for (std::size_t i = 0; i < known.nodes.size(); ++i) folds.push_back(i % kFolds);
  return folds;
}

// What the fronts that other folds would choose say of each label, on average.
Matrix left_out_answers(std::span<const TriedFront> tried, std::span<const std::size_t> folds,
                        std::size_t average, std::int64_t classes) {
  Matrix result = padded_matrix(std::ssize(folds), classes);
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    if (std::ranges::find(folds, fold) == folds.end()) continue;
    const std::vector<Share> best = best_fronts(tried, average, folds, fold);
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] != fold) continue;
      const auto row = result.row(static_cast<std::int64_t>(i));
      for (const auto& [place, weight] : best) {
        const auto scores = tried[place].fit.scores.row(static_cast<std::int64_t>(i));
        for (std::size_t c = 0; c < row.size(); ++c) row[c] += static_cast<Real>(weight) * scores[c];
      }
    }
  }
  return result;
}

}  // namespace

// With d features, about |L| min(|L|, d)² multiplications for each front.
std::int64_t most_choosing(std::int64_t features) {
  return std::clamp<std::int64_t>((std::int64_t{1} << 22) / std::max<std::int64_t>(1, features), 2048, 16384);
}

FrontChoice choose_fronts(const Dataset& dataset, std::span<const Real> weights,
                          std::span<const FrontFeatures> features, const FrontChoices& choices,
                          const KnownLabels& known, const FlowOptions& flow, Threads& threads,
                          const ProgressCallback& progress) {
  return choose_fronts(dataset, weights, features, choices,
                       front_targets(known, dataset.classes(), choices.centre), flow, threads, progress);
}

FrontChoice choose_fronts(const Dataset& dataset, std::span<const Real> weights,
                          std::span<const FrontFeatures> features, const FrontChoices& choices,
                          const FrontTargets& targets, const FlowOptions& flow, Threads& threads,
                          const ProgressCallback& progress) {
  const auto labels = static_cast<std::int64_t>(targets.nodes.size());
  std::int64_t most_features = 0;
  for (const FrontFeatures& x : features) most_features = std::max(most_features, x.cols());
  const bool sampled = labels > most_choosing(most_features);
  const FrontTargets part = sample_of(targets, most_choosing(most_features));

  FrontsTried tried = try_fronts(dataset, weights, features, choices, part, flow, threads, progress);
  if (tried.fronts.empty())
    fail("{}: no linear front can be fitted: the features of all labelled nodes are zero", dataset.name);
  FrontChoice result{
      .tried = std::ssize(tried.fronts),
      .nodes = part.nodes,
      .left_out = left_out_answers(tried.fronts, folds_of_labels(part), choices.average, part.columns),
      .products = tried.products};
  for (const auto& [place, weight] : best_fronts(tried.fronts, choices.average)) {
    TriedFront& front = tried.fronts[place];
    result.fronts.push_back({front.setting, front.kappa, static_cast<double>(static_cast<Real>(weight)),
                             sampled ? Matrix() : std::move(front.fit.alpha)});
  }
  return result;
}

}  // namespace heatfront
