// SPDX-License-Identifier: MIT
#include "heatfront/train/cross_fit.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"
#include "heatfront/base/softmax.h"
#include "heatfront/evaluate/calibration.h"
#include "heatfront/evaluate/confusion.h"

namespace heatfront {
namespace {

constexpr std::int64_t kSmoothed = 5;  // epochs on either side

// Keeps what another model says of some nodes whenever it is judged.
class Recorder : public Model {
 public:
  Recorder(Model& model, std::span<const NodeId> nodes) : model_(model), nodes_(nodes) {}

  const ParameterLayout& layout() const override { return model_.layout(); }
  std::vector<DecayRange> decay(double weight_decay) const override { return model_.decay(weight_decay); }
  void initialise(std::uint64_t seed, std::span<Real> parameters) const override {
    model_.initialise(seed, parameters);
  }
  void weigh_classes(std::vector<double> weights) override { model_.weigh_classes(std::move(weights)); }
  void prepare(std::span<const Real> parameters) override { model_.prepare(parameters); }
  double gradient(std::span<const Real> parameters, std::uint64_t seed, std::span<Real> gradient) override {
    return model_.gradient(parameters, seed, gradient);
  }
  ConstMatrixView judge(std::span<const Real> parameters) override {
    const ConstMatrixView logits = model_.judge(parameters);
    Matrix kept(std::ssize(nodes_), logits.cols);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      std::ranges::copy(logits.row(nodes_[i]), kept.row(static_cast<std::int64_t>(i)).begin());
    epochs_.push_back(std::move(kept));
    return logits;
  }
  void keep(std::span<const Real> parameters, TrainedModel& model) const override {
    model_.keep(parameters, model);
  }
  void constrain(std::span<Real> parameters) const override { model_.constrain(parameters); }
  std::int64_t products() const override { return model_.products(); }
  ModelSeconds seconds() const override { return model_.seconds(); }

  std::vector<Matrix>& epochs() { return epochs_; }

 private:
  Model& model_;
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
                   std::uint64_t seed, Threads& threads, const ProgressCallback& progress) {
  const KnownLabels known = training_labels(dataset);
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
    if (part.places.empty() || part.others.nodes.empty()) return;
    std::vector<NodeId> nodes;
    for (std::size_t i : part.places) nodes.push_back(known.nodes[i]);
    Dataset part_of_data = dataset;
    part_of_data.split = Split{.name = "fold", .train = part.others.nodes, .validation = nodes, .test = {}};
    std::ranges::sort(part_of_data.split->train);
    std::ranges::sort(part_of_data.split->validation);
    const std::unique_ptr<Model> model = options.make(part_of_data, threads);
    Recorder recorder(*model, nodes);
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
