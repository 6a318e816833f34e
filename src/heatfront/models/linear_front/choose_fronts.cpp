// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/choose_fronts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/options.h"
#include "heatfront/base/softmax.h"
#include "heatfront/base/text.h"
#include "heatfront/graph/weighted_degree.h"
#include "heatfront/models/left_out.h"
#include "heatfront/models/linear_front/leave_one_out.h"

namespace heatfront {
namespace {

constexpr std::size_t kFolds = 10;
constexpr std::int64_t kMemory = std::int64_t{1} << 30;  // of the states along a curve of times

// A front that was tried, and what it says of the labels that were left out.
struct Tried {
  FrontSetting setting;
  double kappa = 0;
  LeftOutFit fit;
  std::vector<double> errors;  // by label
  std::vector<bool> right;
};

struct Score {
  double right = 0, error = 0;
};

bool is_better(const Score& a, const Score& b) {
  return a.right != b.right ? a.right > b.right : a.error < b.error;
}

// How good a front is by the labels outside of one fold, or by all.
Score score(const Tried& front, std::span<const std::size_t> folds = {}, std::size_t without = 0) {
  Score result;
  for (std::size_t i = 0; i < front.right.size(); ++i) {
    if (!folds.empty() && folds[i] == without) continue;
    result.right += front.right[i];
    result.error += front.errors[i];
  }
  return result;
}

// The places of the best fronts, best first; of equals the first.
std::vector<std::size_t> best_fronts(std::span<const Tried> tried, std::size_t count,
                                     std::span<const std::size_t> folds = {}, std::size_t without = 0) {
  std::vector<Score> scores;
  for (const Tried& front : tried) scores.push_back(score(front, folds, without));
  std::vector<std::size_t> order(tried.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return is_better(scores[a], scores[b]); });
  order.resize(std::min(count, order.size()));
  return order;
}

// `classes`: of the labels, or none where labels are no classes.
void judge(std::span<const ClassId> classes, ConstMatrixView targets, std::span<const double> centre,
           Tried& front) {
  for (std::size_t i = 0; i < at(targets.rows); ++i) {
    const auto row = std::as_const(front.fit.scores).row(static_cast<std::int64_t>(i));
    double error = 0, most = -std::numeric_limits<double>::infinity();
    ClassId given = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const auto score = static_cast<double>(row[c]);
      const double gap = score - static_cast<double>(targets.row(static_cast<std::int64_t>(i))[c]);
      error += gap * gap;
      const double value = score + (centre.empty() ? 0 : centre[c]);
      if (value > most) {
        most = value;
        given = static_cast<ClassId>(c);
      }
    }
    front.errors.push_back(error);
    front.right.push_back(!classes.empty() && given == classes[i]);
  }
}

double mean_square(ConstMatrixView rows) {
  double sum = 0;
  for (std::int64_t k = 0; k < rows.rows; ++k)
    for (Real x : rows.row(k)) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum / static_cast<double>(rows.cols);
}

// Hᵀ = M H M⁻¹: what a state is divided by before it flows, so that the flow is the adjoint one. Empty: H is symmetric.
std::vector<Real> adjoint_scale(const Graph& graph, std::span<const Real> weights,
                                const LaplacianOptions& laplacian) {
  const LaplacianEntry& kind = entry_of(laplacian.kind);
  if (!kind.by_degree || kind.root_coordinates) return {};
  std::vector<Real> scale;
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const double degree = weighted_degree(graph, weights, laplacian.self_loop, u);
    scale.push_back(static_cast<Real>(degree < kLeastDegree ? 1 : degree));
  }
  return scale;
}

// Z_Lᵀ (d, |L|) from Hᵀ E_L (n, |L|), or from all of Z (n, d).
Matrix rows_from_labels(const FrontFeatures& features, ConstMatrixView heat, std::span<const Real> scale,
                        Threads& threads) {
  if (scale.empty()) return features.transposed_times(heat, threads);
  Matrix scaled = padded_matrix(heat.rows, heat.cols);
  copy(heat, scaled, threads);
  scale_rows(scale, scaled, threads);
  return features.transposed_times(scaled, threads);
}

Matrix rows_from_nodes(ConstMatrixView z, std::span<const NodeId> nodes) {
  Matrix rows = padded_matrix(z.cols, std::ssize(nodes));
  for (std::int64_t i = 0; i < rows.cols(); ++i)
    for (std::int64_t k = 0; k < rows.rows(); ++k) rows(k, i) = z(nodes[at(i)], k);
  return rows;
}

std::vector<std::size_t> folds_of_labels(const FrontTargets& known) {
  if (!known.classes.empty()) return folds_of(known.classes, static_cast<ClassId>(known.columns), kFolds);
  std::vector<std::size_t> folds;
  for (std::size_t i = 0; i < known.nodes.size(); ++i) folds.push_back(i % kFolds);
  return folds;
}

class Search {
 public:
  Search(const Dataset& dataset, std::span<const Real> weights, std::span<const FrontFeatures> features,
         const FrontChoices& choices, const FrontTargets& known, FlowOptions flow, Threads& threads)
      : dataset_(dataset),
        weights_(weights),
        features_(features),
        choices_(choices),
        known_(known),
        flow_(std::move(flow)),
        threads_(threads),
        targets_(known.matrix()),
        times_(choices.times),
        ridges_(choices.ridges) {
    std::ranges::sort(times_);
    std::ranges::sort(ridges_);
    flow_.time = times_.back();
    flow_.memory_limit = kMemory;
    for (const FrontFeatures& x : features_) by_nodes_.push_back(x.cols() < std::ssize(known.nodes));
  }

  void run() {
    for (double loop : choices_.self_loops) {
      flow_.laplacian.self_loop = loop;
      Flow flow(dataset_.graph, weights_, flow_, threads_);
      try_from_labels(flow, loop);
      for (std::size_t i = 0; i < features_.size(); ++i)
        if (by_nodes_[i]) try_from_nodes(flow, loop, i);
    }
  }

  std::span<Tried> tried() { return tried_; }
  std::int64_t products() const { return products_; }

 private:
  // All features that are more than the labels, from one flow of the labels.
  void try_from_labels(Flow& flow, double loop) {
    std::vector<Ladder> ladders;
    for (std::size_t i = 0; i < features_.size(); ++i)
      if (!by_nodes_[i]) ladders.push_back({.features = i});
    if (ladders.empty()) return;
    const std::vector<Real> scale =
        adjoint_scale(dataset_.graph, weights_, {.kind = flow_.laplacian.kind, .self_loop = loop});
    Matrix start = padded_matrix(dataset_.nodes(), std::ssize(known_.nodes));
    for (std::size_t i = 0; i < known_.nodes.size(); ++i) {
      const NodeId u = known_.nodes[i];
      start(u, static_cast<std::int64_t>(i)) = scale.empty() ? Real(1) : 1 / scale[at(u)];
    }
    products_ += flow.curve(times_, std::move(start),
                            [&](double time, const Temperatures& heat) {
                              for (Ladder& ladder : ladders)
                                ladder.rows = rows_from_labels(features_[ladder.features], heat.values, scale,
                                                               threads_);
                              take(time, loop, ladders);
                              return true;
                            })
                     .products;
  }

  void try_from_nodes(Flow& flow, double loop, std::size_t which) {
    std::vector<Ladder> ladder = {{.features = which}};
    products_ += flow.curve(times_, features_[which].dense(),
                            [&](double time, const Temperatures& z) {
                              ladder[0].rows = rows_from_nodes(z.values, known_.nodes);
                              take(time, loop, ladder);
                              return true;
                            })
                     .products;
  }

  // The ridges of one kind of features, as the times go by.
  struct Ladder {
    std::size_t features = 0;
    Matrix rows = {};  // Z_Lᵀ now
    double kappa = 0;
    std::optional<LeaveOneOut> left_out = {};
    std::vector<bool> is_tried = {};       // by ridge, at this time
    std::optional<std::size_t> best = {};  // ridge, of this time or still of the one before
    Score best_score = {};
  };

  // All to begin with; from then on those beside the best.
  std::vector<std::size_t> next_ridges(const Ladder& ladder) const {
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i < ridges_.size(); ++i) {
      const bool near = !ladder.best || (i + 1 >= *ladder.best && i <= *ladder.best + 1);
      if (near && !ladder.is_tried[i]) next.push_back(i);
    }
    return next;
  }

  void begin(Ladder& ladder) {
    ladder.kappa = static_cast<double>(static_cast<Real>(mean_square(ladder.rows)));
    ladder.is_tried.assign(ridges_.size(), false);
    ladder.best_score = {.right = -1};
    ladder.left_out.reset();
    if (ladder.kappa > 0 && std::isfinite(ladder.kappa))
      ladder.left_out.emplace(ladder.rows, ladder.kappa, targets_, threads_);
  }

  struct Trial {
    Ladder* ladder;
    std::size_t ridge;
    std::optional<LeftOutFit> fit = {};
  };

  void take(double time, double loop, std::vector<Ladder>& ladders) {
    for (Ladder& ladder : ladders) begin(ladder);
    for (;;) {
      std::vector<Trial> trials;
      for (Ladder& ladder : ladders) {
        if (!ladder.left_out) continue;
        for (std::size_t ridge : next_ridges(ladder)) trials.push_back({&ladder, ridge});
      }
      if (trials.empty()) return;
      threads_.for_blocks(std::ssize(trials), 1, [&](std::int64_t i, std::int64_t) {
        Trial& trial = trials[at(i)];
        trial.fit = trial.ladder->left_out->with(ridges_[trial.ridge]);
      });
      for (Trial& trial : trials) end(time, loop, trial);
    }
  }

  void end(double time, double loop, Trial& trial) {
    Ladder& ladder = *trial.ladder;
    ladder.is_tried[trial.ridge] = true;
    if (!trial.fit) return;
    Tried front{.setting = {.kernel = {.features = choices_.features[ladder.features],
                                       .time = time,
                                       .self_loop = loop},
                            .ridge = ridges_[trial.ridge]},
                .kappa = ladder.kappa,
                .fit = std::move(*trial.fit)};
    judge(known_.classes, targets_, choices_.centre, front);
    const Score found = score(front);
    if (ladder.best_score.right < 0 || is_better(found, ladder.best_score)) {
      ladder.best = trial.ridge;
      ladder.best_score = found;
    }
    tried_.push_back(std::move(front));
  }

  const Dataset& dataset_;
  std::span<const Real> weights_;
  std::span<const FrontFeatures> features_;
  const FrontChoices& choices_;
  const FrontTargets& known_;
  FlowOptions flow_;
  Threads& threads_;
  Matrix targets_;
  std::vector<double> times_, ridges_;  // ascending
  std::vector<bool> by_nodes_;          // features that are fewer than the labels flow themselves
  std::vector<Tried> tried_;
  std::int64_t products_ = 0;
};

// What the fronts that other folds would choose say of each label, on average.
Matrix left_out_answers(std::span<const Tried> tried, std::span<const std::size_t> folds, std::size_t average,
                        std::int64_t classes) {
  Matrix result = padded_matrix(std::ssize(folds), classes);
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    if (std::ranges::find(folds, fold) == folds.end()) continue;
    const std::vector<std::size_t> best = best_fronts(tried, average, folds, fold);
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] != fold) continue;
      const auto row = result.row(static_cast<std::int64_t>(i));
      for (std::size_t front : best) {
        const auto scores = tried[front].fit.scores.row(static_cast<std::int64_t>(i));
        for (std::size_t c = 0; c < row.size(); ++c) row[c] += scores[c] / static_cast<Real>(best.size());
      }
    }
  }
  return result;
}

}  // namespace

std::string text_of(std::span<const FrontSetting> settings) {
  std::vector<std::string> parts;
  for (const auto& [kernel, ridge] : settings)
    parts.push_back(fmt::format("{} {} {} {}", kernel.features, kernel.time, kernel.self_loop, ridge));
  return join(parts, ", ");
}

std::vector<FrontSetting> front_settings(std::string_view text) {
  std::vector<FrontSetting> settings;
  for (const std::string& part : split_at(text, ',')) {
    const std::vector<std::string> words = split_at(part, ' ');
    if (words.size() != 4)
      fail("fronts '{}': each has features, time, self_loop and ridge, like 'l2 5 1 0.3'", part);
    FrontSetting setting{.kernel = {.features = words[0]}};
    const OptionFields numbers = {{"time", &setting.kernel.time, "", from_to(0, kLongestTime)},
                                  {"self_loop", &setting.kernel.self_loop, "", from_to(0, kLargestLoop)},
                                  {"ridge", &setting.ridge, "", from_to(kLeastRidge, kLargestRidge)}};
    for (std::size_t i = 0; i < numbers.size(); ++i)
      set_option(numbers, numbers[i].name, words[i + 1], fmt::format("fronts '{}'", part));
    settings.push_back(std::move(setting));
  }
  return settings;
}

// With d features, about |L| min(|L|, d)² multiplications for each front.
std::int64_t most_choosing(std::int64_t features) {
  return std::clamp<std::int64_t>((std::int64_t{1} << 22) / std::max<std::int64_t>(1, features), 2048, 16384);
}

Matrix FrontTargets::matrix() const {
  Matrix result = padded_matrix(std::ssize(nodes), columns);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto from = row(i);
    const auto to = result.row(static_cast<std::int64_t>(i));
    for (std::size_t c = 0; c < to.size(); ++c) to[c] = static_cast<Real>(from[c]);
  }
  return result;
}

double centre_of(std::span<const double> centre, ClassId c, ClassId classes) {
  if (centre.empty()) return 1.0 / classes;
  return at(c) < centre.size() ? centre[at(c)] : 0;
}

FrontTargets front_targets(const KnownLabels& known, ClassId classes, std::span<const double> centre) {
  FrontTargets result{.nodes = known.nodes, .columns = classes, .values = {}, .classes = known.classes};
  for (ClassId label : known.classes)
    for (ClassId c = 0; c < classes; ++c)
      result.values.push_back((label == c ? 1.0 : 0.0) - centre_of(centre, c, classes));
  return result;
}

FrontTargets sample_of(const FrontTargets& known, std::int64_t count) {
  const auto all = static_cast<std::int64_t>(known.nodes.size());
  if (all <= count) return known;
  FrontTargets result{.nodes = {}, .columns = known.columns, .values = {}};
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = at(i * all / count);
    result.nodes.push_back(known.nodes[place]);
    std::ranges::copy(known.row(place), std::back_inserter(result.values));
    if (!known.classes.empty()) result.classes.push_back(known.classes[place]);
  }
  return result;
}

FrontChoice choose_fronts(const Dataset& dataset, std::span<const Real> weights,
                          std::span<const FrontFeatures> features, const FrontChoices& choices,
                          const KnownLabels& known, const FlowOptions& flow, Threads& threads) {
  return choose_fronts(dataset, weights, features, choices,
                       front_targets(known, dataset.classes(), choices.centre), flow, threads);
}

FrontChoice choose_fronts(const Dataset& dataset, std::span<const Real> weights,
                          std::span<const FrontFeatures> features, const FrontChoices& choices,
                          const FrontTargets& targets, const FlowOptions& flow, Threads& threads) {
  const auto labels = static_cast<std::int64_t>(targets.nodes.size());
  std::int64_t most_features = 0;
  for (const FrontFeatures& x : features) most_features = std::max(most_features, x.cols());
  const bool sampled = labels > most_choosing(most_features);
  const FrontTargets part = sample_of(targets, most_choosing(most_features));

  Search search(dataset, weights, features, choices, part, flow, threads);
  search.run();
  if (search.tried().empty())
    fail("{}: no linear front can be fitted: the features of all labelled nodes are zero", dataset.name);
  FrontChoice result{
      .tried = std::ssize(search.tried()),
      .nodes = part.nodes,
      .left_out = left_out_answers(search.tried(), folds_of_labels(part), choices.average, part.columns),
      .products = search.products()};
  for (std::size_t i : best_fronts(search.tried(), choices.average)) {
    Tried& front = search.tried()[i];
    result.fronts.push_back({front.setting, front.kappa, sampled ? Matrix() : std::move(front.fit.alpha)});
  }
  return result;
}

double fitted_confidence(ConstMatrixView scores, std::span<const ClassId> labels,
                         std::span<const double> weights) {
  const double doubt = 1.0 / (static_cast<double>(labels.size()) + 2);
  std::vector<double> shares(at(scores.cols));
  // d/dβ Σ_i log Σ_c exp(β s_ic) − Σ_c q_ic β s_ic: it rises with β.
  const auto slope = [&](double beta) {
    double sum = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto row = scores.row(static_cast<std::int64_t>(i));
      double most = -std::numeric_limits<double>::infinity(), total = 0, mean = 0;
      for (Real s : row) {
        most = std::max(most, beta * static_cast<double>(s));
        mean += static_cast<double>(s) / static_cast<double>(row.size());
      }
      for (std::size_t c = 0; c < row.size(); ++c)
        total += shares[c] = std::exp(beta * static_cast<double>(row[c]) - most);
      double own = 0;
      for (std::size_t c = 0; c < row.size(); ++c) own += shares[c] / total * static_cast<double>(row[c]);
      own -= (1 - doubt) * static_cast<double>(row[at(labels[i])]) + doubt * mean;
      sum += weights.empty() ? own : weights[at(labels[i])] * own;
    }
    return sum;
  };
  double low = kLeastConfidence, high = kLargestConfidence;
  if (slope(low) >= 0) return low;
  if (slope(high) <= 0) return high;
  for (int step = 0; step < 60; ++step) {
    const double middle = std::sqrt(low * high);
    (slope(middle) < 0 ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace heatfront
