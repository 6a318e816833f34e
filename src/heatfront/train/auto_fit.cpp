// SPDX-License-Identifier: MIT
#include "heatfront/train/auto_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/evaluate/calibration.h"
#include "heatfront/flow/decide.h"
#include "heatfront/models/flow_alone.h"
#include "heatfront/models/left_out.h"
#include "heatfront/models/linear_front/linear_front.h"
#include "heatfront/train/cross_fit.h"

namespace heatfront {
namespace {

// A candidate has to be better than the one before by so many standard deviations of the sum of the differences: of few labels most differences are chance,
// and the linear front is the better one more often than not. The flow is the simpler one, so less will do.
constexpr double kChanceOfFlow = 1, kChanceOfNetwork = 3;

// With fewer labels per class than this, leaving one out leaves nothing of its class, and labels judge nobody: the flow then answers, which has no settings to choose, if it
// reaches so many of the nodes.
constexpr double kLabelsToJudge = 2, kMostlyReached = 0.8;

struct Merit {
  bool right;
  double value;  // [right] + log share of the label
};
using Merits = std::map<NodeId, Merit>;  // of labels left out

// One in |L| + 2 of the labels may be wrong.
Merits merits_of(const LeftOut& left_out, const JudgedShares& judged) {
  const double doubt = 1.0 / (static_cast<double>(judged.nodes()) + 2);
  const double power = 1 / usable_softening(judged);
  Merits result;
  for (std::size_t i = 0; i < judged.nodes(); ++i) {
    double sum = 0;
    for (double share : judged.row(i)) sum += std::pow(share, power);
    const double own = sum > 0 ? std::pow(judged.row(i)[at(judged.labels[i])], power) / sum : 0;
    const bool right = judged.right(i);
    result[left_out.nodes[i]] = {right, right + std::log((1 - doubt) * own + doubt / judged.classes)};
  }
  return result;
}

// Being surer alone is not enough: of a handful of labels that both are right of, one is always surer.
bool is_better(const Merits& other, const Merits& first, double chance) {
  double more = 0, sum = 0, squares = 0;
  for (const auto& [node, merit] : other) {
    const auto found = first.find(node);
    if (found == first.end()) continue;
    const double gap = merit.value - found->second.value;
    more += merit.right - found->second.right;
    sum += gap;
    squares += gap * gap;
  }
  return more > 0 && sum > chance * std::sqrt(squares);
}

bool reaches_most_unjudged(const Dataset& dataset, const KnownLabels& known) {
  if (labels_per_class(known, dataset.classes()) >= kLabelsToJudge) return false;
  const std::vector<bool> reached = reached_nodes(
      {.graph = dataset.graph, .weights = dataset.weights, .classes = dataset.classes(), .known = known});
  return static_cast<double>(std::ranges::count(reached, true)) >
         kMostlyReached * static_cast<double>(dataset.nodes());
}

ClassReport report_of(const JudgedShares& judged, const Dataset& dataset, const KnownLabels& known) {
  if (dataset.classes() > kMostConfused) return {};
  return class_report(judged.given, judged.labels, known.classes, dataset.classes());
}

Candidate judged_candidate(std::string_view model, const JudgedShares& judged, double seconds) {
  const auto labels = static_cast<std::int64_t>(judged.nodes());
  Candidate result{.model = std::string(model),
                   .accuracy = std::numeric_limits<double>::quiet_NaN(),
                   .labels = labels,
                   .seconds = seconds};
  if (labels == 0) return result;
  double right = 0;
  for (std::size_t i = 0; i < judged.nodes(); ++i) right += judged.right(i);
  result.accuracy = right / static_cast<double>(labels);
  result.interval = left_out_interval(result.accuracy, labels);
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

  std::vector<Merits> merits;
  // Without a chance it takes the place of the one before, whatever labels say.
  const auto take = [&](std::string_view model, const LeftOut& left_out, std::optional<double> chance,
                        double seconds) {
    const JudgedShares judged = judged_shares(left_out, dataset.labels, dataset.classes());
    merits.push_back(merits_of(left_out, judged));
    result.candidates.push_back(judged_candidate(model, judged, seconds));
    ClassReport by_class = report_of(judged, dataset, known);
    result.candidates.back().macro_f1 = by_class.macro_f1;
    const std::size_t last = merits.size() - 1;
    const bool wins = !chance || is_better(merits[last], merits[result.chosen], *chance);
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
  take(kLinearFront, result.fit.model.left_out, std::nullopt, watch.seconds());

  tell(kFlowAlone);
  watch = {};
  Fit flow = fit_at_once(dataset, *model_options(FlowAloneOptions()), options.seed, threads, progress);
  const std::optional<double> chance =
      reaches_most_unjudged(dataset, known) ? std::nullopt : std::optional(kChanceOfFlow);
  if (take(kFlowAlone, flow.model.left_out, chance, watch.seconds())) result.fit = std::move(flow);

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
