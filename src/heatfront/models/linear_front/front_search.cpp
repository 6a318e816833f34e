// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/front_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/linear_front/front_confidence.h"
#include "heatfront/models/models.h"

namespace heatfront {
namespace {

constexpr std::int64_t kMemory = std::int64_t{1} << 30;  // of the states along a curve of times
constexpr std::int64_t kMostByGraphAlone = 1024;         // labels; each front costs their third power

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

void judge(std::span<const ClassId> labels, std::span<const double> offset, TriedFront& front) {
  front.confidence = fitted_confidence(front.fit.scores, labels, offset);
  std::vector<double> logits;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    logits.assign(offset.begin(), offset.end());
    const auto row = std::as_const(front.fit.scores).row(static_cast<std::int64_t>(i));
    logits.resize(row.size());
    for (std::size_t c = 0; c < row.size(); ++c) logits[c] += front.confidence * static_cast<double>(row[c]);
    const auto best = std::ranges::max_element(logits);
    const bool says_nothing = offset.empty() && *best <= 0;  // all zero
    const bool right = !says_nothing && best - logits.begin() == labels[i];
    double sum = 0;
    for (double logit : logits) sum += std::exp(logit - *best);
    front.merit.push_back((right ? 1 : 0) + logits[at(labels[i])] - *best - std::log(sum));
  }
}

double mean_square(ConstMatrixView rows) {
  double sum = 0;
  for (std::int64_t k = 0; k < rows.rows; ++k)
    for (Real x : rows.row(k)) sum += static_cast<double>(x) * static_cast<double>(x);
  return sum / static_cast<double>(rows.cols);
}

double mean_diagonal(ConstMatrixView square) {
  double sum = 0;
  for (std::int64_t i = 0; i < square.rows; ++i) sum += static_cast<double>(square(i, i));
  return sum / static_cast<double>(square.rows);
}

Matrix rows_at(ConstMatrixView values, std::span<const NodeId> nodes) {
  Matrix rows = padded_matrix(std::ssize(nodes), values.cols);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    std::ranges::copy(values.row(nodes[i]), rows.row(static_cast<std::int64_t>(i)).begin());
  return rows;
}

// Lends room, and takes it back when the loan ends.
class Rooms {
 public:
  class Loan {
   public:
    explicit Loan(Rooms& rooms) : rooms_(rooms), room_(rooms.take()) {}
    ~Loan() { rooms_.give_back(std::move(room_)); }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    LeftOutRoom& room() { return *room_; }

   private:
    Rooms& rooms_;
    std::unique_ptr<LeftOutRoom> room_;
  };

 private:
  std::unique_ptr<LeftOutRoom> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<LeftOutRoom>();
    std::unique_ptr<LeftOutRoom> room = std::move(free_.back());
    free_.pop_back();
    return room;
  }
  void give_back(std::unique_ptr<LeftOutRoom> room) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(room));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<LeftOutRoom>> free_;
};

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
    best_at_zero_.resize(features_.size());
    for (const FrontFeatures& x : features_) graph_alone_.push_back(is_beside_others(x, features_));
    steps_ = (std::ssize(features_) - std::ranges::count(graph_alone_, true)) *
             std::ssize(choices_.self_loops) * std::ssize(times_);
  }

  void run() {
    for (double loop : choices_.self_loops) {
      flow_.laplacian.self_loop = loop;
      Flow flow(dataset_.graph, weights_, flow_, threads_);
      std::vector<Ladder> ladders(features_.size());
      for (std::size_t i = 0; i < ladders.size(); ++i) ladders[i].features = i;
      products_ += for_rows_at(
          flow, times_, features_for(loop), known_.nodes,
          [&](double time, std::span<const std::size_t> there,
              const std::function<Matrix(std::size_t)>& rows) { try_at(time, loop, there, rows, ladders); });
    }
  }

  FrontsTried result() && { return {std::move(tried_), products_}; }

 private:
  // The ridges of one kind of features, as the times go by.
  struct Ladder {
    std::size_t features = 0;
    Matrix rows = {};  // Z_Lᵀ now, or Z_L Z_Lᵀ of the graph alone
    double kappa = 0;
    std::optional<LeaveOneOut> left_out = {};
    std::vector<bool> is_tried = {};       // by ridge, at this time
    std::optional<std::size_t> best = {};  // ridge, of this time or still of the one before
    double best_score = 0;
  };

  // The graph alone beside others is the last of them, and is left out where labels are many, H is not symmetric or the first loop had it.
  std::span<const FrontFeatures> features_for(double loop) const {
    const LaplacianEntry& kind = entry_of(flow_.laplacian.kind);
    const bool with_graph_alone = (!kind.by_degree || kind.root_coordinates) &&
                                  loop == choices_.self_loops.front() &&
                                  std::ssize(known_.nodes) <= kMostByGraphAlone;
    return features_.first(features_.size() - (graph_alone_.back() && !with_graph_alone ? 1 : 0));
  }

  void try_at(double time, double loop, std::span<const std::size_t> there,
              const std::function<Matrix(std::size_t)>& rows, std::span<Ladder> ladders) {
    std::vector<Ladder*> now;
    Ladder* alone = nullptr;
    for (std::size_t i : there) {
      if (graph_alone_[i]) {
        if (!is_for_graph_alone(time)) continue;
        alone = &ladders[i];
        alone->rows = rows_at(rows(i), known_.nodes);
      } else if (repeats(time, loop)) {
        ++steps_done_;
        ladders[i].best = best_at_zero_[i];
      } else {
        ladders[i].rows = rows(i);
        now.push_back(&ladders[i]);
      }
    }
    tell(std::ssize(now));
    take(time, loop, now);
    if (alone != nullptr) take(time / 2, loop, std::span(&alone, 1));
  }

  // Where nothing flows, all loops are the same, and what the first one came to holds for the others.
  bool repeats(double time, double loop) const { return time == 0 && loop != choices_.self_loops.front(); }

  // Every second time, for fronts of neighbouring times are much alike.
  bool is_for_graph_alone(double time) const {
    const auto place = std::ranges::find(times_, time) - times_.begin();
    return time > 0 && place % 2 == 0;
  }

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
    const bool is_gram = graph_alone_[ladder.features];
    const double kappa = is_gram ? mean_diagonal(ladder.rows) : mean_square(ladder.rows);
    ladder.kappa = static_cast<double>(static_cast<Real>(kappa));
    ladder.is_tried.assign(ridges_.size(), false);
    ladder.best_score = -std::numeric_limits<double>::infinity();
    ladder.left_out.reset();
    if (!(ladder.kappa > 0 && std::isfinite(ladder.kappa))) return;
    if (is_gram) {
      ladder.left_out.emplace(std::move(ladder.rows), ladder.kappa, targets_);
    } else {
      ladder.left_out.emplace(ladder.rows, ladder.kappa, targets_, threads_);
    }
  }

  struct Trial {
    Ladder* ladder;
    std::size_t ridge;
    std::optional<TriedFront> front = {};
  };

  void tell(std::int64_t steps) {
    if (steps == 0) return;
    report(progress_,
           {.stage = std::string(kLinearFront), .done = steps_done_, .total = steps_, .unit = "flows"});
    steps_done_ += steps;
  }

  void take(double time, double loop, std::span<Ladder* const> ladders) {
    for (Ladder* ladder : ladders) begin(*ladder);
    for (;;) {
      std::vector<Trial> trials;
      for (Ladder* ladder : ladders) {
        if (!ladder->left_out) continue;
        for (std::size_t ridge : next_ridges(*ladder)) trials.push_back({ladder, ridge});
      }
      if (trials.empty()) break;
      threads_.for_blocks(std::ssize(trials), 1, [&](std::int64_t i, std::int64_t) {
        Trial& trial = trials[at(i)];
        const Ladder& ladder = *trial.ladder;
        Rooms::Loan loan(rooms_);
        std::optional<LeftOutFit> fit = ladder.left_out->with(ridges_[trial.ridge], loan.room());
        if (!fit) return;
        if (time > 0) shorten_lone_rows(features_[ladder.features], ladder.kappa, fit->scores);
        trial.front = TriedFront{.setting = {.kernel = {.features = choices_.features[ladder.features],
                                                        .time = time,
                                                        .self_loop = loop},
                                             .ridge = ridges_[trial.ridge]},
                                 .graph_alone = graph_alone_[ladder.features],
                                 .kappa = ladder.kappa,
                                 .fit = std::move(*fit)};
        if (known_.classes.empty()) {
          judge_values(targets_, *trial.front);
        } else {
          judge(known_.classes, choices_.offset, *trial.front);
        }
      });
      for (Trial& trial : trials) end(trial);
    }
    for (Ladder* ladder : ladders)
      if (time == 0) best_at_zero_[ladder->features] = ladder->best;
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
  std::vector<bool> graph_alone_;       // identity, beside others
  std::vector<TriedFront> tried_;
  std::vector<std::optional<std::size_t>> best_at_zero_;  // ridge where nothing flows, by features
  Rooms rooms_;
  std::int64_t products_ = 0;
  ProgressCallback progress_;
  std::int64_t steps_done_ = 0, steps_ = 0;
};

}  // namespace

bool is_beside_others(const FrontFeatures& x, std::span<const FrontFeatures> features) {
  return x.is_identity() && features.size() > 1;
}

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
