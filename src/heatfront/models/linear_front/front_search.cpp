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
    steps_ = std::ssize(features_) * std::ssize(choices_.self_loops) * std::ssize(times_);
  }

  void run() {
    for (double loop : choices_.self_loops) {
      flow_.laplacian.self_loop = loop;
      Flow flow(dataset_.graph, weights_, flow_, threads_);
      std::vector<Ladder> ladders(features_.size());
      products_ += for_rows_at(flow, times_, features_, known_.nodes,
                               [&](double time, std::span<const std::size_t> there,
                                   const std::function<Matrix(std::size_t)>& rows) {
                                 std::vector<Ladder*> now;
                                 for (std::size_t i : there) {
                                   if (repeats(time, loop)) {
                                     repeat(loop, i, ladders[i]);
                                     continue;
                                   }
                                   ladders[i].features = i;
                                   ladders[i].rows = rows(i);
                                   now.push_back(&ladders[i]);
                                 }
                                 take(time, loop, now);
                               });
    }
  }

  FrontsTried result() && { return {std::move(tried_), products_}; }

 private:
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

  // Where nothing flows, all loops are the same, and what the first one came to holds for the others.
  bool repeats(double time, double loop) const { return time == 0 && loop != choices_.self_loops.front(); }

  void repeat(double loop, std::size_t features, Ladder& ladder) {
    ++steps_done_;
    ladder.best = best_at_zero_[features];
    const std::size_t kernel = kernels_++, count = tried_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const KernelSetting& setting = tried_[i].setting.kernel;
      if (setting.time > 0 || setting.self_loop != choices_.self_loops.front() ||
          setting.features != choices_.features[features])
        continue;
      TriedFront front = tried_[i];
      front.setting.kernel.self_loop = loop;
      front.kernel = kernel;
      tried_.push_back(std::move(front));
    }
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

  void take(double time, double loop, std::span<Ladder* const> ladders) {
    if (ladders.empty()) return;
    report(progress_,
           {.stage = std::string(kLinearFront), .done = steps_done_, .total = steps_, .unit = "flows"});
    steps_done_ += std::ssize(ladders);
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
  std::vector<TriedFront> tried_;
  std::vector<std::optional<std::size_t>> best_at_zero_;  // ridge where nothing flows, by features
  Rooms rooms_;
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
