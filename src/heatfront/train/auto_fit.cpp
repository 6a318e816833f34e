// SPDX-License-Identifier: MIT
#include "heatfront/train/auto_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/evaluate/judged_shares.h"
#include "heatfront/models/flow_alone.h"
#include "heatfront/models/linear_front/linear_front.h"
#include "heatfront/train/cross_fit.h"

namespace heatfront {
namespace {

// A candidate has to be better than the one before by so many standard deviations of the difference: of few labels most differences are chance,
// and the linear front is the better one more often than not. The flow is the simpler one, so less will do.
constexpr double kChanceOfFlow = 1, kChanceOfNetwork = 2;

using Rightness = std::map<NodeId, bool>;  // of labels left out

Rightness rightness(const LeftOut& left_out, std::span<const ClassId> labels) {
  Rightness result;
  for (std::size_t i = 0; i < left_out.nodes.size(); ++i) {
    const auto row = left_out.shares.row(static_cast<std::int64_t>(i));
    result[left_out.nodes[i]] = std::ranges::max_element(row) - row.begin() == labels[at(left_out.nodes[i])];
  }
  return result;
}

// Is `other` right of more labels than `first` by more than chance would have it? Of the labels that just one of them is right of,
// chance would give each half.
bool is_better(const Rightness& other, const Rightness& first, double chance) {
  double gained = 0, lost = 0;
  for (const auto& [node, right] : other) {
    const auto found = first.find(node);
    if (found == first.end() || found->second == right) continue;
    ++(right ? gained : lost);
  }
  return gained - lost > chance * std::sqrt(gained + lost);
}

ClassReport report_of(const LeftOut& left_out, const Dataset& dataset, const KnownLabels& known) {
  if (dataset.classes() > kMostConfused) return {};
  const JudgedShares judged = judged_shares(left_out, dataset.labels, dataset.classes());
  return class_report(judged.given, judged.labels, known.classes, dataset.classes());
}

Candidate judged_candidate(std::string_view model, const Rightness& right, double seconds) {
  Candidate result{.model = std::string(model), .labels = std::ssize(right), .seconds = seconds};
  double sum = 0;
  for (const auto& [node, is_right] : right) sum += is_right;
  result.accuracy =
      right.empty() ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(right.size());
  if (!right.empty()) result.interval = share_interval(result.accuracy, result.labels);
  return result;
}

Fit fit_at_once(const Dataset& dataset, const ModelOptions& options, std::uint64_t seed, Threads& threads,
                const ProgressCallback& progress) {
  return fit(dataset, options, train_defaults(options.entry()), seed, threads, {}, progress);
}

}  // namespace

Split all_labels(const Dataset& dataset) {
  Split split{.name = "all labels", .train = {}, .validation = {}, .test = {}};
  for (NodeId u = 0; u < dataset.nodes(); ++u)
    if (dataset.labels[at(u)] != kUnknown) split.train.push_back(u);
  return split;
}

AutoFit fit_auto(const Dataset& dataset, const AutoOptions& options, Threads& threads,
                 const ProgressCallback& progress) {
  check(dataset, dataset.name);
  require_labels(dataset);
  AutoFit result;
  const KnownLabels known = training_labels(dataset);
  const std::vector<double> shares = labelled_prior(known, dataset.classes());
  result.most_frequent_class = static_cast<ClassId>(std::ranges::max_element(shares) - shares.begin());
  result.most_frequent = shares[at(result.most_frequent_class)];

  std::vector<Rightness> right;
  const auto take = [&](std::string_view model, const LeftOut& left_out, double chance, double seconds) {
    right.push_back(rightness(left_out, dataset.labels));
    result.candidates.push_back(judged_candidate(model, right.back(), seconds));
    ClassReport by_class = report_of(left_out, dataset, known);
    result.candidates.back().macro_f1 = by_class.macro_f1;
    const std::size_t last = right.size() - 1;
    const bool wins = last == 0 || is_better(right[last], right[result.chosen], chance);
    if (wins) {
      result.chosen = last;
      result.by_class = std::move(by_class);
    }
    return wins;
  };
  const auto tell = [&](std::string_view model) {
    report(progress, {.stage = std::string(model), .done = 0, .total = 1, .unit = "fits"});
  };

  tell(kLinearFront);
  Stopwatch watch;
  result.fit = fit_at_once(dataset, *model_options(LinearFrontOptions()), options.seed, threads, progress);
  take(kLinearFront, result.fit.model.left_out, 0, watch.seconds());

  tell(kFlowAlone);
  watch = {};
  Fit flow = fit_at_once(dataset, *model_options(FlowAloneOptions()), options.seed, threads, progress);
  if (take(kFlowAlone, flow.model.left_out, kChanceOfFlow, watch.seconds())) result.fit = std::move(flow);

  if (options.quick) return result;
  watch = {};
  const std::unique_ptr<ModelOptions> network = model_options(HeatFrontOptions());
  TrainOptions training = train_defaults(network->entry());
  const CrossFit folds = cross_fit(dataset, *network, training, options.seed, threads, progress);
  if (take(kHeatFront, folds.left_out, kChanceOfNetwork, watch.seconds())) {
    training.epochs = folds.epochs;
    result.fit = fit(dataset, *network, training, options.seed, threads);
    take_left_out(folds.left_out, result.fit.model);
    result.candidates.back().seconds = watch.seconds();
  }
  return result;
}

}  // namespace heatfront
