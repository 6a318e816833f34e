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
constexpr double kFading = 16;        // a front that is worse by so many labels counts for 1/e
constexpr double kNegligible = 1e-3;  // does not answer
constexpr double kChance = 2;  // by so many deviations the graph alone has to be better than with features

struct Share {
  std::size_t place;  // among those tried
  double weight;      // in the mean; they add up to 1
};

// How much better or worse one front is than another may be by chance: the deviation of the sum of what it is better by, label by label.
double chance_between(const TriedFront& front, const TriedFront& other, std::span<const std::size_t> folds,
                      std::size_t without) {
  double count = 0, sum = 0, squares = 0;
  for (std::size_t i = 0; i < front.merit.size(); ++i) {
    if (!folds.empty() && folds[i] == without) continue;
    const double gap = front.merit[i] - other.merit[i];
    ++count;
    sum += gap;
    squares += gap * gap;
  }
  return count == 0 ? 0 : std::sqrt(std::max(0.0, squares - sum * sum / count));
}

// How good each is, those of the graph alone less what may be chance.
std::vector<double> scores_of(std::span<const TriedFront> tried, std::span<const std::size_t> folds,
                              std::size_t without) {
  std::vector<double> scores;
  std::size_t best = tried.size();  // of those with features
  for (std::size_t i = 0; i < tried.size(); ++i) {
    scores.push_back(score(tried[i], folds, without));
    if (!tried[i].graph_alone && (best == tried.size() || scores[i] > scores[best])) best = i;
  }
  for (std::size_t i = 0; i < tried.size() && best < tried.size(); ++i)
    if (tried[i].graph_alone) scores[i] -= kChance * chance_between(tried[i], tried[best], folds, without);
  return scores;
}

// The best front of each features × τ, and of these the best, best first; of equals the first.
std::vector<Share> best_fronts(std::span<const TriedFront> tried, std::size_t count,
                               std::span<const std::size_t> folds = {}, std::size_t without = 0) {
  const std::vector<double> scores = scores_of(tried, folds, without);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const KernelSetting& kernel = tried[i].setting.kernel;
    const auto same = std::ranges::find_if(order, [&](std::size_t other) {
      const KernelSetting& before = tried[other].setting.kernel;
      return before.time == kernel.time && before.features == kernel.features;
    });
    if (same == order.end()) {
      order.push_back(i);
    } else if (scores[i] > scores[*same]) {
      *same = i;
    }
  }
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
  for (const FrontFeatures& x : features) {
    if (!is_beside_others(x, features)) most_features = std::max(most_features, x.cols());
  }
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
