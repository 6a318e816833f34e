// SPDX-License-Identifier: MIT
#include "heatfront/train/cross_fit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/softmax.h"
#include "heatfront/evaluate/calibration.h"
#include "heatfront/evaluate/confusion.h"
#include "heatfront/models/wrapped_model.h"

namespace heatfront {
namespace {

constexpr std::int64_t kSmoothed = 5;  // epochs on either side

// Keeps what another model says of some nodes whenever it is judged.
class Recorder : public WrappedModel {
 public:
  Recorder(std::unique_ptr<Model> model, std::span<const NodeId> nodes)
      : WrappedModel(std::move(model)), nodes_(nodes) {}

  ConstMatrixView judge(std::span<const Real> parameters) override {
    const ConstMatrixView logits = WrappedModel::judge(parameters);
    Matrix kept(std::ssize(nodes_), logits.cols);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      std::ranges::copy(logits.row(nodes_[i]), kept.row(static_cast<std::int64_t>(i)).begin());
    epochs_.push_back(std::move(kept));
    return logits;
  }

  std::vector<Matrix>& epochs() { return epochs_; }

 private:
  std::span<const NodeId> nodes_;
  std::vector<Matrix> epochs_;  // logits (nodes, C) after each
};

struct FoldRecord {
  std::vector<std::size_t> places;  // of its labels
  std::vector<Matrix> epochs;
};

// How many labels are right after each epoch (or macro F1), and the sum of their log shares.
struct EpochScore {
  double right = 0, log_shares = 0;
};

// Over all folds but one, or all.
std::vector<EpochScore> scores_of(const std::vector<FoldRecord>& folds, const KnownLabels& known,
                                  std::int64_t epochs, ClassId classes, bool by_macro_f1,
                                  const FoldRecord* without = nullptr) {
  std::vector<EpochScore> scores(at(epochs));
  std::vector<std::vector<ClassId>> given(scores.size()), labels(scores.size());
  for (const FoldRecord& fold : folds) {
    if (&fold == without) continue;
    for (std::size_t epoch = 0; epoch < fold.epochs.size(); ++epoch) {
      for (std::size_t i = 0; i < fold.places.size(); ++i) {
        const auto row = std::as_const(fold.epochs[epoch]).row(static_cast<std::int64_t>(i));
        const ClassId label = known.classes[fold.places[i]];
        given[epoch].push_back(static_cast<ClassId>(std::ranges::max_element(row) - row.begin()));
        labels[epoch].push_back(label);
        scores[epoch].right += given[epoch].back() == label;
        scores[epoch].log_shares += std::log(std::max(softmax_share(row, at(label)), 1e-6));
      }
    }
  }
  for (std::size_t epoch = 0; epoch < scores.size() && by_macro_f1; ++epoch) {
    scores[epoch].right = macro_f1(class_scores(confusion(given[epoch], labels[epoch], classes)));
  }
  return scores;
}

// Means over the epochs around each, lest the luckiest one win; of equals the likeliest.
std::int64_t best_epoch(std::span<const EpochScore> scores) {
  const auto count = static_cast<std::int64_t>(scores.size());
  std::int64_t best = 0;
  EpochScore best_score{.right = -1};
  for (std::int64_t epoch = 0; epoch < count; ++epoch) {
    const std::int64_t first = std::max<std::int64_t>(0, epoch - kSmoothed),
                       last = std::min(count - 1, epoch + kSmoothed);
    EpochScore mean;
    for (std::int64_t e = first; e <= last; ++e) {
      mean.right += scores[at(e)].right / static_cast<double>(last - first + 1);
      mean.log_shares += scores[at(e)].log_shares / static_cast<double>(last - first + 1);
    }
    const bool better = std::abs(mean.right - best_score.right) > 1e-9
                            ? mean.right > best_score.right
                            : mean.log_shares > best_score.log_shares;
    if (better) {
      best = epoch;
      best_score = mean;
    }
  }
  return best + 1;
}

}  // namespace

void take_left_out(LeftOut left_out, TrainedModel& model) {
  model.left_out = std::move(left_out);
  model.softening = usable_softening(judged_shares(model.left_out, model.data.labels, model.data.classes()));
}

CrossFit cross_fit(const Dataset& dataset, const ModelOptions& options, const TrainOptions& training,
                   std::uint64_t seed, Threads& threads, const ProgressCallback& progress,
                   std::span<const NodeId> always) {
  const KnownLabels all = training_labels(dataset);
  KnownLabels known;  // that judge
  for (std::size_t i = 0; i < all.nodes.size(); ++i) {
    if (std::ranges::binary_search(always, all.nodes[i])) continue;
    known.nodes.push_back(all.nodes[i]);
    known.classes.push_back(all.classes[i]);
  }
  const std::vector<std::size_t> fold_numbers = folds_of(known.classes, dataset.classes(), kCrossFolds);
  TrainOptions each = training;
  each.patience = 0;

  std::vector<FoldRecord> folds(kCrossFolds);
  std::mutex telling;
  Progress told{.stage = fmt::format("{} in {} folds", options.entry().name, kCrossFolds),
                .total = each.epochs * static_cast<std::int64_t>(kCrossFolds),
                .unit = "epochs"};
  bool stopped = false;
  threads.for_blocks(std::ssize(folds), 1, [&](std::int64_t k, std::int64_t) {
    FoldRecord& fold = folds[at(k)];
    const FoldOfLabels part = fold_of(known, fold_numbers, at(k));
    fold.places = part.places;
    std::vector<NodeId> others = part.others.nodes;
    std::ranges::copy(always, std::back_inserter(others));
    if (part.places.empty() || others.empty()) return;
    std::vector<NodeId> nodes;
    for (std::size_t i : part.places) nodes.push_back(known.nodes[i]);
    Dataset part_of_data = dataset;
    part_of_data.split = Split{.name = "fold", .train = std::move(others), .validation = nodes, .test = {}};
    std::ranges::sort(part_of_data.split->train);
    std::ranges::sort(part_of_data.split->validation);
    Recorder recorder(options.make(part_of_data, threads), nodes);
    train(recorder, part_of_data, each, seed, threads, [&](const EpochReport&, const EpochReport&) {
      const std::lock_guard lock(telling);
      ++told.done;
      stopped = stopped || (progress && !progress(told));
      return !stopped;
    });
    fold.epochs = std::move(recorder.epochs());
  });
  if (stopped) throw Interrupted();

  const auto epochs_by_folds = [&](const FoldRecord* without) {
    return best_epoch(
        scores_of(folds, known, each.epochs, dataset.classes(), training.select == kMacroF1, without));
  };
  CrossFit result{
      .epochs = epochs_by_folds(nullptr),
      .left_out = {.nodes = known.nodes, .shares = Matrix(std::ssize(known.nodes), dataset.classes())}};
  std::vector<double> shares(at(dataset.classes()));
  for (const FoldRecord& fold : folds) {
    if (fold.epochs.empty()) continue;
    const std::int64_t epoch = epochs_by_folds(&fold);
    for (std::size_t i = 0; i < fold.places.size(); ++i) {
      softmax(std::as_const(fold.epochs[at(epoch - 1)]).row(static_cast<std::int64_t>(i)), shares);
      const auto row = result.left_out.shares.row(static_cast<std::int64_t>(fold.places[i]));
      for (std::size_t c = 0; c < shares.size(); ++c) row[c] = static_cast<Real>(shares[c]);
    }
  }
  return result;
}

}  // namespace heatfront
