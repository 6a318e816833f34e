// SPDX-License-Identifier: MIT
#include "heatfront/evaluate/target_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "heatfront/base/checks.h"

namespace heatfront {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kThresholdFolds = 5;

void check_said(const Targets& truth, std::span<const double> said) {
  require_count("answers about labels", std::ssize(said), std::ssize(truth.values), "one for each value");
}

ValueErrors errors_of(const Targets& truth, std::span<const double> said, std::size_t column) {
  if (truth.size() == 0) return {kNone, kNone, kNone};
  const auto count = static_cast<double>(truth.size());
  double mean = 0, square = 0, size = 0, spread = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) mean += truth.row(i)[column] / count;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const double value = truth.row(i)[column], gap = said[i * truth.columns() + column] - value;
    square += gap * gap;
    size += std::abs(gap);
    spread += (value - mean) * (value - mean);
  }
  return {std::sqrt(square / count), size / count, spread > 0 ? 1 - square / spread : kNone};
}

double f1_ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? kNone : static_cast<double>(part) / static_cast<double>(whole);
}

// From what was counted.
void add_f1(TargetScores& scores) {
  ClassF1 all;
  double sum = 0;
  std::int64_t met = 0;
  for (ClassF1& one : scores.classes) {
    one.precision = f1_ratio(one.right, one.said);
    one.recall = f1_ratio(one.right, one.had);
    one.f1 = f1_ratio(2 * one.right, one.said + one.had);
    all.had += one.had;
    all.said += one.said;
    all.right += one.right;
    if (one.said + one.had == 0) continue;
    sum += one.f1;
    ++met;
  }
  scores.micro_f1 = f1_ratio(2 * all.right, all.said + all.had);
  scores.macro_f1 = met == 0 ? kNone : sum / static_cast<double>(met);
}

double mean_of(std::span<const double> values) {
  if (values.empty()) return kNone;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void count_row(std::span<const double> truth, std::span<const double> said,
               std::span<const double> thresholds, TargetScores& scores) {
  for (std::size_t c = 0; c < truth.size(); ++c) {
    const bool had = truth[c] > 0, has = said[c] >= thresholds[c];
    scores.classes[c].had += had;
    scores.classes[c].said += has;
    scores.classes[c].right += had && has;
  }
}

// Of the nodes outside of one fold, or of all.
double best_threshold(const Targets& truth, std::span<const double> said, std::size_t column,
                      std::size_t folds, std::size_t without) {
  struct Scored {
    double score;
    bool had;
  };
  std::vector<Scored> scored;
  double had = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (folds > 0 && i % folds == without) continue;
    scored.push_back({said[i * truth.columns() + column], truth.row(i)[column] > 0});
    had += scored.back().had;
  }
  double best = 0.5, best_f1 = 0, right = 0;
  std::ranges::stable_sort(scored, std::greater(), &Scored::score);
  for (std::size_t k = 0; k < scored.size(); ++k) {
    right += scored[k].had;
    const bool last = k + 1 == scored.size();
    if (!last && scored[k + 1].score == scored[k].score) continue;
    const double f1 = 2 * right / (static_cast<double>(k + 1) + had);
    if (f1 <= best_f1) continue;
    best_f1 = f1;
    best = last ? scored[k].score : (scored[k].score + scored[k + 1].score) / 2;
  }
  return best;
}

}  // namespace

std::vector<double> squared_errors(const Targets& truth, std::span<const double> said,
                                   const TargetUnits& units) {
  check_said(truth, said);
  std::vector<double> errors(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    for (std::size_t c = 0; c < truth.columns(); ++c) {
      const double gap = (said[i * truth.columns() + c] - truth.row(i)[c]) / units.scale[c];
      errors[i] += gap * gap;
    }
  }
  return errors;
}

TargetScores value_scores(const Targets& truth, std::span<const double> said, const TargetUnits& units) {
  TargetScores scores{.nodes = std::ssize(truth.nodes),
                      .micro_f1 = kNone,
                      .macro_f1 = kNone,
                      .mean_square = mean_of(squared_errors(truth, said, units))};
  for (std::size_t c = 0; c < truth.columns(); ++c) scores.values.push_back(errors_of(truth, said, c));
  return scores;
}

TargetScores class_scores(const Targets& truth, std::span<const double> said,
                          std::span<const double> thresholds, const TargetUnits& units) {
  require_count("thresholds", std::ssize(thresholds), std::ssize(truth.names), "one per class");
  TargetScores scores{.nodes = std::ssize(truth.nodes),
                      .mean_square = mean_of(squared_errors(truth, said, units))};
  scores.classes.resize(truth.columns());
  for (std::size_t i = 0; i < truth.size(); ++i)
    count_row(truth.row(i), said.subspan(i * truth.columns(), truth.columns()), thresholds, scores);
  add_f1(scores);
  return scores;
}

std::vector<double> best_thresholds(const Targets& truth, std::span<const double> said) {
  check_said(truth, said);
  std::vector<double> thresholds;
  for (std::size_t c = 0; c < truth.columns(); ++c)
    thresholds.push_back(best_threshold(truth, said, c, 0, 0));
  return thresholds;
}

TargetScores class_scores_by_folds(const Targets& truth, std::span<const double> said,
                                   const TargetUnits& units) {
  TargetScores scores{.nodes = std::ssize(truth.nodes),
                      .mean_square = mean_of(squared_errors(truth, said, units))};
  scores.classes.resize(truth.columns());
  for (std::size_t fold = 0; fold < kThresholdFolds; ++fold) {
    std::vector<double> thresholds;
    for (std::size_t c = 0; c < truth.columns(); ++c)
      thresholds.push_back(best_threshold(truth, said, c, kThresholdFolds, fold));
    for (std::size_t i = fold; i < truth.size(); i += kThresholdFolds)
      count_row(truth.row(i), said.subspan(i * truth.columns(), truth.columns()), thresholds, scores);
  }
  add_f1(scores);
  return scores;
}

std::vector<double> always_the_mean(const Targets& known, std::span<const NodeId> nodes) {
  std::vector<double> sums(known.columns()), said;
  for (std::size_t i = 0; i < known.size(); ++i)
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += known.row(i)[c];
  for (NodeId u : nodes) {
    const auto own = known.place_of(u);
    const auto others = static_cast<double>(known.size() - (own ? 1 : 0));
    for (std::size_t c = 0; c < sums.size(); ++c)
      said.push_back(others == 0 ? 0 : (sums[c] - (own ? known.row(*own)[c] : 0)) / others);
  }
  return said;
}

std::vector<double> neighbours_mean(const Graph& graph, std::span<const Real> weights, const Targets& known,
                                    std::span<const NodeId> nodes) {
  require_weights("weights", weights, graph.arcs());
  require_ids("nodes", nodes, 0, graph.nodes());
  std::vector<double> said = always_the_mean(known, nodes);
  std::vector<double> sums(known.columns());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::ranges::fill(sums, 0.0);
    double total = 0;
    const auto neighbours = graph.neighbours(nodes[i]);
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const auto place = known.place_of(neighbours[k]);
      if (!place) continue;
      const double weight =
          weights.empty() ? 1 : static_cast<double>(weights[at(graph.begin_of(nodes[i])) + k]);
      total += weight;
      for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += weight * known.row(*place)[c];
    }
    if (total == 0) continue;
    for (std::size_t c = 0; c < sums.size(); ++c) said[i * sums.size() + c] = sums[c] / total;
  }
  return said;
}

}  // namespace heatfront
