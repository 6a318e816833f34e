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

std::vector<double> FlowTask::prior() const {
  if (class_prior) return *class_prior;
  if (!volumes || volumes->least != volumes->most) return labelled_prior(known, dataset.classes());
  std::vector<double> shares;
  for (std::int64_t size : volumes->least)
    shares.push_back(static_cast<double>(size) / static_cast<double>(dataset.nodes()));
  return shares;
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
  if (task.volumes) {
    if (task.free) fail("class sizes: a free flow holds no label, so they cannot be kept");
    check(*task.volumes, task.known, dataset.nodes(), dataset.classes());
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
  const std::vector<double> prior = task.prior();
  const Stopwatch watch;
  FlowOptions options = task.options;
  FlowChoice choice{.time = options.time, .masses = task.class_prior.has_value()};
  if (!task.flows()) options.time = choice.time = FlowOptions::kForever;
  if (task.flows() && task.chooses_time) {
    choice = choose_flow(
        problem, options,
        task.class_prior || task.volumes ? std::span<const double>(prior) : std::span<const double>(),
        task.masses_allowed, threads);
    options.time = choice.time;
  }
  Temperatures temperatures =
      task.flows() ? solve_dirichlet(problem, options, threads) : solve_energy(problem, task.energy, threads);
  if (choice.masses) normalise_class_mass(temperatures, task.known, prior);
  std::optional<KeptVolumes> kept;
  std::vector<ClassId> within;
  if (task.volumes) {
    VolumeAnswer found =
        threshold_dynamics(problem, std::move(temperatures), *task.volumes, options.laplacian, {}, threads);
    kept = KeptVolumes{.sizes = std::vector<std::int64_t>(at(problem.classes)),
                       .steps = found.steps,
                       .changed = found.changed};
    for (ClassId c : found.classes) ++kept->sizes[at(c)];
    within = std::move(found.classes);
    temperatures = std::move(found.temperatures);
  }
  Decisions decisions = decide(problem, reached_nodes(problem), temperatures, prior, threads);
  if (kept) std::ranges::copy(within, decisions.classes.begin());
  const std::vector<ClassId> classes = kept ? within : warmest_classes(temperatures.values);
  const double seconds = watch.seconds();
  const Judged judged = task.judged();
  const auto score = [&](const std::vector<NodeId>& nodes) {
    return accuracy(classes, task.dataset.labels, nodes);
  };
  return {.answer = {std::move(temperatures), std::move(decisions)},
          .options = options,
          .choice = std::move(choice),
          .volumes = std::move(kept),
          .train_accuracy = score(task.split.train),
          .validation_accuracy = score(judged.split.validation),
          .test_accuracy = score(judged.split.test),
          .seconds = seconds};
}

}  // namespace heatfront
