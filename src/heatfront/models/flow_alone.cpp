// SPDX-License-Identifier: MIT
#include "heatfront/models/flow_alone.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/flow/decide.h"
#include "heatfront/models/flow_predictor.h"
#include "heatfront/models/left_out.h"
#include "heatfront/models/models.h"

namespace heatfront {
namespace {

constexpr std::size_t kFlowFolds = 20;
constexpr std::string_view kWithMasses = " with class masses";  // follows the time that was chosen

// How good a time is by the labels that were left out.
struct TimeScore {
  double right = 0, log_shares = 0;
};

bool is_better(const TimeScore& a, const TimeScore& b) {
  return a.right != b.right ? a.right > b.right : a.log_shares > b.log_shares;
}

// The shares of the classes, by time, of every label when it was left out.
using SharesByTime = std::vector<Matrix>;

TimeScore score(ConstMatrixView shares, std::span<const ClassId> labels, std::span<const std::size_t> folds,
                std::size_t without) {
  TimeScore result;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (folds[i] == without) continue;
    const auto row = shares.row(static_cast<std::int64_t>(i));
    result.right += std::ranges::max_element(row) - row.begin() == labels[i];
    result.log_shares += std::log(std::max(static_cast<double>(row[at(labels[i])]), 1e-6));
  }
  return result;
}

std::size_t best_time(const SharesByTime& shares, std::span<const ClassId> labels,
                      std::span<const std::size_t> folds, std::size_t without) {
  std::size_t best = 0;
  for (std::size_t t = 1; t < shares.size(); ++t) {
    if (is_better(score(shares[t], labels, folds, without), score(shares[best], labels, folds, without)))
      best = t;
  }
  return best;
}

}  // namespace

FlowOptions FlowAloneOptions::flow() const {
  return {.time = time.front(),
          .solver = "chebyshev",
          .solve = {.tolerance = tolerance},
          .laplacian = {.kind = laplacian_kind(laplacian), .self_loop = self_loop}};
}

OptionFields fields(FlowAloneOptions& options) {
  return {
      {"time", &options.time, "How long heat flows, to choose from", from_to(0, kLongestTime)},
      {"laplacian", &options.laplacian, "Laplacian of the flow", one_of_names(laplacian_kinds())},
      {"self_loop", &options.self_loop, "Weight of the loop on every node", from_to(0, kLargestLoop)},
      {"tolerance", &options.tolerance, "Error of the flow, relative to the size of the start", above(0)}};
}

FlowAlone::FlowAlone(const Dataset& dataset, const FlowAloneOptions& options, Threads& threads)
    : dataset_(dataset),
      options_(checked(options, kFlowAlone)),
      threads_(threads),
      known_(training_labels(dataset)) {
  if (options_.time.empty()) fail("{}: no time to choose from", kFlowAlone);
  std::ranges::sort(options_.time);
  masses_ = options_.time == FlowAloneOptions::kUsualTimes &&
            labels_per_class(known_, dataset.classes()) < kFewLabels;
  if (masses_) options_.time = {kLongTime};
}

void FlowAlone::prepare(std::span<const Real>) {
  if (temperatures_.values.rows() > 0) return;
  const Stopwatch watch;
  const ClassId classes = dataset_.classes();
  const auto labels = static_cast<std::int64_t>(known_.nodes.size());
  const std::vector<std::size_t> folds = folds_of(known_.classes, classes, kFlowFolds);
  SharesByTime shares(options_.time.size(), Matrix(labels, classes));
  for (std::size_t fold = 0; fold < kFlowFolds; ++fold) {
    const FoldOfLabels part = fold_of(known_, folds, fold);
    if (part.places.empty() || part.others.nodes.empty()) continue;
    const std::vector<double> prior = labelled_prior(part.others, classes);
    std::vector<double> row(at(classes));
    std::vector<Real> temperatures(at(classes));
    std::size_t t = 0;
    const DirichletProblem problem{
        .graph = dataset_.graph, .weights = dataset_.weights, .classes = classes, .known = part.others};
    products_ +=
        flow_curve(problem, options_.flow(), options_.time, threads_, [&](double, const Temperatures& then) {
          const std::vector<double> factors = masses_ ? class_mass_factors(then.values, part.others, prior)
                                                      : std::vector<double>(at(classes), 1.0);
          for (std::size_t i : part.places) {
            std::ranges::copy(then.values.row(known_.nodes[i]), temperatures.begin());
            for (std::size_t c = 0; c < factors.size(); ++c)
              temperatures[c] = static_cast<Real>(static_cast<double>(temperatures[c]) * factors[c]);
            find_shares(temperatures, false, prior, row);
            for (std::size_t c = 0; c < row.size(); ++c)
              shares[t].row(static_cast<std::int64_t>(i))[c] = static_cast<Real>(row[c]);
          }
          ++t;
          return true;
        }).products;
  }
  const auto all = static_cast<std::size_t>(-1);
  left_out_ = {.nodes = known_.nodes, .shares = Matrix(labels, classes)};
  for (std::size_t fold = 0; fold < kFlowFolds; ++fold) {
    const std::size_t best = best_time(shares, known_.classes, folds, fold);
    for (std::size_t i = 0; i < folds.size(); ++i) {
      const auto row = static_cast<std::int64_t>(i);
      if (folds[i] == fold) std::ranges::copy(shares[best].row(row), left_out_.shares.row(row).begin());
    }
  }
  chosen_ = options_;
  chosen_.time = {options_.time[best_time(shares, known_.classes, folds, all)]};
  temperatures_ = solve_dirichlet(
      {.graph = dataset_.graph, .weights = dataset_.weights, .classes = classes, .known = known_},
      chosen_.flow(), threads_);
  products_ += temperatures_.report.products;
  if (masses_) normalise_class_mass(temperatures_, known_, labelled_prior(known_, classes));
  seconds_ = watch.seconds();
}

void FlowAlone::keep(std::span<const Real>, TrainedModel& model) const {
  model.front = Matrix(dataset_.nodes(), dataset_.classes());  // nothing: zeros
  model.known = known_;
  model.weights = dataset_.weights;
  model.left_out = left_out_;
  model.set_option(kChosenOption, fmt::format("{}{}", chosen_.time.front(), masses_ ? kWithMasses : ""));
}

std::unique_ptr<Predictor> flow_alone_predictor(const TrainedModel& model, ConstMatrixView front,
                                                Threads& threads) {
  FlowAloneOptions options;
  model.read_options(fields(options));
  std::string chosen = model.chosen();
  const bool masses = chosen.ends_with(kWithMasses);
  if (masses) chosen.resize(chosen.size() - kWithMasses.size());
  set_option(fields(options), "time", chosen, model.data.name);
  if (options.time.empty()) fail("{}: a flow without the time that was chosen", model.data.name);
  auto predictor =
      std::make_unique<FlowPredictor>(DirichletProblem{.graph = model.data.graph,
                                                       .weights = model.weights,
                                                       .classes = static_cast<ClassId>(front.cols),
                                                       .known = model.known},
                                      options.flow(), threads);
  if (masses) predictor->give_class_masses();
  return predictor;
}

}  // namespace heatfront
