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
#include "heatfront/base/text.h"
#include "heatfront/graph/weighted_degree.h"
#include "heatfront/models/left_out.h"
#include "heatfront/models/linear_front/leave_one_out.h"
#include "heatfront/models/models.h"

namespace heatfront {
namespace {

constexpr std::size_t kFolds = 10;
constexpr double kFading = 8;         // a front that is worse by so many labels counts for 1/e
constexpr double kNegligible = 1e-3;  // does not answer
constexpr std::int64_t kMemory = std::int64_t{1} << 30;  // of the states along a curve of times

// A front that was tried, and what it says of the labels that were left out.
struct Tried {
  FrontSetting setting;
  std::size_t kernel = 0;  // those of one kernel differ in the ridge alone
  double kappa = 0;
  LeftOutFit fit;
  double confidence = 1;  // β of its own answers
  std::vector<double>
      merit;  // by label: 1 if right, and the logarithm of the share that its class has; or −|error|²
};

// How good a front is by the labels outside of one fold, or by all.
double score(const Tried& front, std::span<const std::size_t> folds = {}, std::size_t without = 0) {
  double sum = 0;
  for (std::size_t i = 0; i < front.merit.size(); ++i)
    if (folds.empty() || folds[i] != without) sum += front.merit[i];
  return sum;
}

struct Share {
  std::size_t place;  // among those tried
  double weight;      // in the mean; they add up to 1
};

// The best front of each kernel, and of these the best, best first; of equals the first.
std::vector<Share> best_fronts(std::span<const Tried> tried, std::size_t count,
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

// By squared errors, where labels are no classes.
void judge_values(ConstMatrixView targets, Tried& front) {
  for (std::int64_t i = 0; i < targets.rows; ++i) {
    const auto row = std::as_const(front.fit.scores).row(i);
    double error = 0;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const double gap = static_cast<double>(row[c]) - static_cast<double>(targets.row(i)[c]);
      error += gap * gap;
    }
    front.merit.push_back(-error);
  }
}

void judge(std::span<const ClassId> labels, std::span<const double> centre, Tried& front) {
  Matrix scores = front.fit.scores;
  for (std::int64_t i = 0; i < scores.rows() && !centre.empty(); ++i)
    for (std::size_t c = 0; c < centre.size(); ++c) scores.row(i)[c] += static_cast<Real>(centre[c]);
  front.confidence = fitted_confidence(scores, labels);
  const auto beta = front.confidence;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = std::as_const(scores).row(static_cast<std::int64_t>(i));
    const auto best = std::ranges::max_element(row);
    const bool right = *best > 0 && best - row.begin() == labels[i];  // all zero: nothing is said
    double sum = 0;
    for (Real value : row) sum += std::exp(beta * (static_cast<double>(value) - static_cast<double>(*best)));
    front.merit.push_back((right ? 1 : 0) +
                          beta * (static_cast<double>(row[at(labels[i])]) - static_cast<double>(*best)) -
                          std::log(sum));
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
         const FrontChoices& choices, const FrontTargets& known, FlowOptions flow, Threads& threads,
         ProgressCallback progress)
      : dataset_(dataset),
        weights_(weights),
        features_(features),
        choices_(choices),
        known_(known),
        flow_(std::move(flow)),
        threads_(threads),
        targets_(known.matrix()),
        times_(choices.times),
        ridges_(choices.ridges),
        progress_(std::move(progress)) {
    std::ranges::sort(times_);
    std::ranges::sort(ridges_);
    flow_.time = times_.back();
    flow_.memory_limit = kMemory;
    for (const FrontFeatures& x : features_) by_nodes_.push_back(x.cols() < std::ssize(known.nodes));
    steps_ = std::ssize(features_) * std::ssize(choices_.self_loops) * std::ssize(times_);
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
    double best_score = 0;
    std::size_t kernel = 0;
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
    ladder.best_score = -std::numeric_limits<double>::infinity();
    ladder.kernel = kernels_++;
    ladder.left_out.reset();
    if (ladder.kappa > 0 && std::isfinite(ladder.kappa))
      ladder.left_out.emplace(ladder.rows, ladder.kappa, targets_, threads_);
  }

  struct Trial {
    Ladder* ladder;
    std::size_t ridge;
    std::optional<Tried> front = {};
  };

  void take(double time, double loop, std::vector<Ladder>& ladders) {
    report(progress_,
           {.stage = std::string(kLinearFront), .done = steps_done_, .total = steps_, .unit = "flows"});
    steps_done_ += std::ssize(ladders);
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
        const Ladder& ladder = *trial.ladder;
        std::optional<LeftOutFit> fit = ladder.left_out->with(ridges_[trial.ridge]);
        if (!fit) return;
        if (time > 0) shorten_lone_rows(features_[ladder.features], ladder.kappa, fit->scores);
        trial.front = Tried{.setting = {.kernel = {.features = choices_.features[ladder.features],
                                                   .time = time,
                                                   .self_loop = loop},
                                        .ridge = ridges_[trial.ridge]},
                            .kernel = ladder.kernel,
                            .kappa = ladder.kappa,
                            .fit = std::move(*fit)};
        if (known_.classes.empty()) {
          judge_values(targets_, *trial.front);
        } else {
          judge(known_.classes, choices_.centre, *trial.front);
        }
      });
      for (Trial& trial : trials) end(trial);
    }
  }

  // As LinearFit answers for nodes without edges (linear_fit.h).
  void shorten_lone_rows(const FrontFeatures& features, double kappa, MatrixView scores) const {
    for (std::size_t i = 0; i < known_.nodes.size(); ++i) {
      if (dataset_.graph.degree(known_.nodes[i]) > 0) continue;
      const double square = features.square_of(known_.nodes[i]);
      if (square <= kappa) continue;
      const auto factor = static_cast<Real>(std::sqrt(kappa / square));
      for (Real& value : scores.row(static_cast<std::int64_t>(i))) value *= factor;
    }
  }

  void end(Trial& trial) {
    Ladder& ladder = *trial.ladder;
    ladder.is_tried[trial.ridge] = true;
    if (!trial.front) return;
    const double found = score(*trial.front);
    if (found > ladder.best_score) {
      ladder.best = trial.ridge;
      ladder.best_score = found;
    }
    tried_.push_back(std::move(*trial.front));
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
  std::size_t kernels_ = 0;  // so far
  std::int64_t products_ = 0;
  ProgressCallback progress_;
  std::int64_t steps_done_ = 0, steps_ = 0;
};

// What the fronts that other folds would choose say of each label, on average.
Matrix left_out_answers(std::span<const Tried> tried, std::span<const std::size_t> folds, std::size_t average,
                        std::int64_t classes) {
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

  Search search(dataset, weights, features, choices, part, flow, threads, progress);
  search.run();
  if (search.tried().empty())
    fail("{}: no linear front can be fitted: the features of all labelled nodes are zero", dataset.name);
  FrontChoice result{
      .tried = std::ssize(search.tried()),
      .nodes = part.nodes,
      .left_out = left_out_answers(search.tried(), folds_of_labels(part), choices.average, part.columns),
      .products = search.products()};
  for (const auto& [place, weight] : best_fronts(search.tried(), choices.average)) {
    Tried& front = search.tried()[place];
    result.fronts.push_back({front.setting, front.kappa, static_cast<double>(static_cast<Real>(weight)),
                             sampled ? Matrix() : std::move(front.fit.alpha)});
  }
  return result;
}

double fitted_confidence(ConstMatrixView scores, std::span<const ClassId> labels,
                         std::span<const double> weights) {
  const double doubt = 1.0 / (static_cast<double>(labels.size()) + 2);
  // d/dβ Σ_i log Σ_c exp(β s_ic) − Σ_c q_ic β s_ic, and how fast it rises with β.
  struct Slope {
    double value = 0, rise = 0;
  };
  const auto slope = [&](double beta) {
    Slope sum;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto row = scores.row(static_cast<std::int64_t>(i));
      const auto most = static_cast<double>(*std::ranges::max_element(row));
      double total = 0, first = 0, second = 0, mean = 0;
      for (Real value : row) {
        const auto s = static_cast<double>(value);
        const double share = std::exp(beta * (s - most));
        total += share;
        first += share * s;
        second += share * s * s;
        mean += s / static_cast<double>(row.size());
      }
      first /= total;
      const double weight = weights.empty() ? 1 : weights[at(labels[i])];
      sum.value += weight * (first - (1 - doubt) * static_cast<double>(row[at(labels[i])]) - doubt * mean);
      sum.rise += weight * (second / total - first * first);
    }
    return sum;
  };
  double low = kLeastConfidence, high = kLargestConfidence;
  if (slope(low).value >= 0) return low;
  if (slope(high).value <= 0) return high;
  double beta = std::sqrt(low * high);
  for (int step = 0; step < 60; ++step) {  // Newton's, or halving where that leads out
    const Slope here = slope(beta);
    (here.value < 0 ? low : high) = beta;
    double next = here.rise > 0 ? beta - here.value / here.rise : low;
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    const bool done = std::abs(next - beta) <= 1e-6 * beta;
    beta = next;
    if (done) break;
  }
  return beta;
}

}  // namespace heatfront
