// SPDX-License-Identifier: MIT
#include "heatfront/label/flow_task.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/memory.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/evaluate/metrics.h"

namespace heatfront {
namespace {

constexpr std::array<KnownSource, 3> kKnownSources = {
    {{"train", true, false}, {"train+validation", true, true}, {"all", false, false}}};

ClassId require_label(const Dataset& dataset, NodeId u) {
  const ClassId label = dataset.labels[at(u)];
  if (label == kUnknown) fail("{}: node {} of the split has no label", dataset.name, dataset.node_name(u));
  return label;
}

std::string in_gigabytes(std::int64_t bytes) {
  return fmt::format("{:.2f} GB", static_cast<double>(bytes) / (1 << 30));
}

}  // namespace

std::span<const KnownSource> known_sources() { return kKnownSources; }

const KnownSource* find_known_source(std::string_view name) {
  const auto found = std::ranges::find(kKnownSources, name, &KnownSource::name);
  return found == kKnownSources.end() ? nullptr : &*found;
}

const KnownSource& default_known_source(bool has_split) {
  return has_split ? kKnownSources.front() : kKnownSources.back();
}

KnownLabels known_labels(const Dataset& dataset, const Split& split, const KnownSource& source) {
  std::vector<NodeId> nodes;
  if (source.train) nodes = split.train;
  if (source.validation) nodes.insert(nodes.end(), split.validation.begin(), split.validation.end());
  if (!source.train && !source.validation) {
    for (NodeId u = 0; u < dataset.nodes(); ++u) {
      if (dataset.labels[at(u)] != kUnknown) nodes.push_back(u);
    }
  }
  KnownLabels known{.nodes = std::move(nodes), .classes = {}};
  for (NodeId u : known.nodes) known.classes.push_back(require_label(dataset, u));
  return known;
}

DirichletProblem FlowTask::problem() const {
  return {.graph = dataset.graph,
          .weights = dataset.weights,
          .classes = dataset.classes(),
          .known = known,
          .front = front,
          .label_scale = label_scale,
          .free = free};
}

Judged FlowTask::judged() const { return judged_by(split, known.nodes); }

void check_classes(const Dataset& dataset) {
  if (dataset.classes() == 0)
    fail("{} has no labels, so there is nothing to spread; add labels", dataset.name);
}

void check_spreads(const Dataset& dataset, const std::string& opened) {
  check_classes(dataset);
  if (dataset.graph.arcs() == 0) {
    fail(
        "{} has no edges for heat to flow along; `heatfront graph {} -o G.npz` joins points to their "
        "neighbours",
        dataset.name, opened.empty() ? dataset.name : opened);
  }
}

void check(const FlowTask& task) {
  check_spreads(task.dataset, task.opened);
  check_known(task);
}

void check_known(const FlowTask& task) {
  const Dataset& dataset = task.dataset;
  if (!std::isfinite(task.label_scale))
    fail("--label-scale {}: it must be a finite number", task.label_scale);
  if (task.known.nodes.empty() && task.front.rows() == 0) {
    fail("{}: no label is known ({}), so there is no heat; give labels, or another --split or --known",
         dataset.name, task.known_from == "train" ? "split " + task.split.name : task.known_from);
  }
  for (const std::vector<NodeId>* part : {&task.split.validation, &task.split.test}) {
    for (NodeId u : *part) require_label(dataset, u);
  }
  const double self_loop = task.options.laplacian.self_loop;
  if (!(self_loop >= 0) || std::isinf(self_loop))
    fail("--self-loop-weight {}: it must be 0 or more", self_loop);
}

std::vector<std::string> memory_remarks(const FlowTask& task, const MemoryEstimate& estimate,
                                        std::string_view what_less_does) {
  constexpr std::int64_t kMuch = std::int64_t{1} << 30;
  const std::int64_t available = available_memory() / 10 * 9;  // what is not counted has to fit as well
  const std::string takes =
      fmt::format("the flow takes about {} of memory beside the graph", in_gigabytes(estimate.total()));
  if (estimate.total() <= available) {
    if (estimate.total() < kMuch) return {};
    return {fmt::format("{}; {} are free", takes, in_gigabytes(available))};
  }
  const std::string& name = task.dataset.name;
  const std::int64_t left = (available - estimate.answer - estimate.others) >> 20;
  if (left << 20 >= estimate.least_states) {
    fail("{}: {}, and {} are free; with --memory {} {}, which fits", name, takes, in_gigabytes(available),
         left, what_less_does);
  }
  fail("{}: {}, and {} are free; a machine with more is needed, or a part of the graph", name, takes,
       in_gigabytes(available));
}

FlowSolution solve(const FlowTask& task, Threads& threads) {
  check(task);
  const DirichletProblem problem = task.problem();
  const std::vector<double> prior =
      task.class_prior ? *task.class_prior : labelled_prior(task.known, problem.classes);
  const Stopwatch watch;
  Temperatures temperatures = solve_dirichlet(problem, task.options, threads);
  const double seconds = watch.seconds();
  if (task.class_prior) normalise_class_mass(temperatures, task.known, prior);
  Decisions decisions = decide(problem, reached_nodes(problem), temperatures, prior, threads);
  const std::vector<ClassId> classes = warmest_classes(temperatures.values);
  const Judged judged = task.judged();
  const auto score = [&](const std::vector<NodeId>& nodes) {
    return accuracy(classes, task.dataset.labels, nodes);
  };
  return {.answer = {std::move(temperatures), std::move(decisions)},
          .train_accuracy = score(task.split.train),
          .validation_accuracy = score(judged.split.validation),
          .test_accuracy = score(judged.split.test),
          .seconds = seconds};
}

}  // namespace heatfront
