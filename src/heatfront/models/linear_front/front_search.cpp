// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/front_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/graph/weighted_degree.h"
#include "heatfront/models/linear_front/front_confidence.h"
#include "heatfront/models/models.h"

namespace heatfront {
namespace {

constexpr std::int64_t kMemory = std::int64_t{1} << 30;  // of the states along a curve of times

// By squared errors, where labels are no classes.
void judge_values(ConstMatrixView targets, TriedFront& front) {
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

void judge(std::span<const ClassId> labels, std::span<const double> centre, TriedFront& front) {
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

class FrontSearch {
 public:
  FrontSearch(const Dataset& dataset, std::span<const Real> weights, std::span<const FrontFeatures> features,
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

  FrontsTried result() && { return {std::move(tried_), products_}; }

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
    std::optional<TriedFront> front = {};
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
        trial.front = TriedFront{.setting = {.kernel = {.features = choices_.features[ladder.features],
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
  std::vector<TriedFront> tried_;
  std::size_t kernels_ = 0;  // so far
  std::int64_t products_ = 0;
  ProgressCallback progress_;
  std::int64_t steps_done_ = 0, steps_ = 0;
};

}  // namespace

double score(const TriedFront& front, std::span<const std::size_t> folds, std::size_t without) {
  double sum = 0;
  for (std::size_t i = 0; i < front.merit.size(); ++i)
    if (folds.empty() || folds[i] != without) sum += front.merit[i];
  return sum;
}

FrontsTried try_fronts(const Dataset& dataset, std::span<const Real> weights,
                       std::span<const FrontFeatures> features, const FrontChoices& choices,
                       const FrontTargets& known, const FlowOptions& flow, Threads& threads,
                       const ProgressCallback& progress) {
  FrontSearch search(dataset, weights, features, choices, known, flow, threads, progress);
  search.run();
  return std::move(search).result();
}

}  // namespace heatfront
