// SPDX-License-Identifier: MIT
#include "heatfront_experiment/sweep.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/calculus.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/decide_rows.h"
#include "heatfront/nn/loss.h"
#include "heatfront/solve/chebyshev_series.h"

namespace heatfront {
namespace {

constexpr std::int64_t kMostTimes = 10000;

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> parts(std::string_view text, char between) {
  std::vector<std::string_view> result;
  for (;;) {
    const std::size_t end = std::min(text.find(between), text.size());
    result.push_back(text.substr(0, end));
    if (end == text.size()) return result;
    text.remove_prefix(end + 1);
  }
}

[[noreturn]] void fail_times(std::string_view text) {
  fail("times '{}' are not understood; write them like 0.1:100:log40, 0:10:lin21 or 1,5,20", text);
}

std::vector<double> range(std::string_view text, const std::vector<std::string_view>& fields) {
  const auto from = number(fields[0]), to = number(fields[1]);
  const bool logarithmic = fields[2].starts_with("log");
  if (!from || !to || *from > *to || !(logarithmic || fields[2].starts_with("lin"))) fail_times(text);
  const auto count = number(fields[2].substr(3));
  if (!count || *count != std::floor(*count) || *count < 1 || *count > kMostTimes) fail_times(text);
  if (*from < 0 || (logarithmic && *from == 0)) fail("times '{}': they must be above 0", text);
  std::vector<double> times;
  for (int i = 0; i < static_cast<int>(*count); ++i) {
    const double share = *count == 1 ? 0 : i / (*count - 1);
    times.push_back(logarithmic ? *from * std::pow(*to / *from, share) : *from + (*to - *from) * share);
  }
  return times;
}

// 73.2 → 70: one digit that counts.
double rounded(double value) { return number(fmt::format("{:.0e}", value)).value_or(value); }

std::size_t best_of(const std::vector<SweepPoint>& points) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const SweepPoint &a = points[i], &b = points[best];
    if (a.validation_accuracy > b.validation_accuracy ||
        (a.validation_accuracy == b.validation_accuracy && a.validation_loss < b.validation_loss)) {
      best = i;
    }
  }
  return best;
}

// Fewer changes than this, from a time on, are a plateau.
constexpr double kHardlyAny = 0.001;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::optional<std::size_t> plateau_of(const std::vector<SweepPoint>& points) {
  std::size_t from = points.size();
  while (from > 1 && points[from - 1].changed <= kHardlyAny) --from;
  if (from == points.size()) return {};
  return from - 1;
}

void choose_best(const Split& split, Sweep& sweep) {
  sweep.plateau = plateau_of(sweep.points);
  sweep.validated = !split.validation.empty();
  sweep.best = sweep.validated ? best_of(sweep.points) : sweep.plateau.value_or(sweep.points.size() - 1);
}

// What a task is judged by, which is not what it knows.
Split judged_split(const FlowTask& task) {
  Split split = task.judged().split;
  if (split.validation.empty() && std::ssize(task.known.nodes) == task.dataset.nodes()) {
    fail(
        "{}: every label is known, so there is nothing to see; say --split \"per-class 1,1\" and --known "
        "train, or leave some out",
        task.dataset.name);
  }
  return split;
}

// Classes with class masses, from one time to the next, of the rows of a rank; `known` by row.
class MassCurve {
 public:
  MassCurve(std::int64_t rows, const KnownLabels& known, std::span<const double> prior, const Ranks& ranks)
      : known_(known), prior_(prior), ranks_(ranks), is_known_(at(rows)) {
    for (NodeId u : known.nodes) is_known_[at(u)] = true;
  }

  // Adds to a point; share(classes, part of the split) is how many of them are right.
  template <class Share>
  void judge(ConstMatrixView values, const Share& share, SweepPoint& point) {
    const std::vector<double> factors = class_mass_factors(values, known_, prior_, ranks_);
    std::vector<ClassId> classes(is_known_.size());
    std::vector<double> row(factors.size());
    double counts[2] = {};  // unknown rows, and those of them that changed
    for (std::size_t u = 0; u < classes.size(); ++u) {
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = static_cast<double>(values(static_cast<std::int64_t>(u), static_cast<std::int64_t>(c))) *
                 factors[c];
      classes[u] = static_cast<ClassId>(std::ranges::max_element(row) - row.begin());
      if (is_known_[u]) continue;
      counts[0] += 1;
      counts[1] += begun_ && before_[u] != classes[u];
    }
    ranks_.sum(counts);
    point.changed = begun_ && counts[0] > 0 ? counts[1] / counts[0] : kNone;
    point.masses_validation_accuracy = share(classes, &Split::validation);
    point.masses_test_accuracy = share(classes, &Split::test);
    before_ = std::move(classes);
    begun_ = true;
  }

 private:
  const KnownLabels& known_;
  std::span<const double> prior_;
  const Ranks& ranks_;
  std::vector<bool> is_known_;
  bool begun_ = false;  // there was a point before
  std::vector<ClassId> before_;
};

// Nodes of one part of a split that are among the rows of a rank, and their labels by row.
struct JudgedRows {
  std::vector<NodeId> rows;
  std::int64_t all;  // on all ranks

  JudgedRows(const std::vector<NodeId>& nodes, const RankGraph& graph, std::int64_t nodes_there)
      : all(std::ssize(nodes)) {
    std::vector<bool> judged(at(nodes_there));
    for (NodeId u : nodes) judged[at(u)] = true;
    for (std::int64_t i = 0; i < graph.rows; ++i) {
      if (judged[at(graph.ids[at(i)])]) rows.push_back(static_cast<NodeId>(i));
    }
  }
  // The mean over all ranks, from the mean over these.
  double mean(double own, const Ranks& ranks) const {
    const double sum = ranks.sum(rows.empty() ? 0 : own * static_cast<double>(rows.size()));
    return all == 0 ? kNone : sum / static_cast<double>(all);
  }
  double share(std::span<const ClassId> classes, std::span<const ClassId> labels, const Ranks& ranks) const {
    const auto right = std::ranges::count_if(rows, [&](NodeId u) { return classes[at(u)] == labels[at(u)]; });
    const double sum = ranks.sum(static_cast<double>(right));
    return all == 0 ? kNone : sum / static_cast<double>(all);
  }
};

}  // namespace

std::vector<double> parse_times(std::string_view text) {
  if (const auto fields = parts(text, ':'); fields.size() == 3) return range(text, fields);
  std::vector<double> times;
  for (std::string_view field : parts(text, ',')) {
    const auto time = number(field);
    if (!time || *time < 0) fail_times(text);
    times.push_back(*time);
  }
  std::ranges::sort(times);
  return times;
}

std::string longer_times(double longest) {
  const double from = rounded(longest), to = rounded(100 * from);
  return from > 0 && to < kLongestSeries ? fmt::format("{}:{}:log30", from, to) : "";
}

bool has_labels_to_judge(const Dataset& dataset) {
  constexpr std::int64_t kFewest = 5;
  if (dataset.targets.present()) return true;
  std::vector<std::int64_t> labels(dataset.class_names.size());
  for (ClassId label : dataset.labels) {
    if (label != kUnknown) ++labels[at(label)];
  }
  return std::ranges::all_of(labels, [](std::int64_t count) { return count >= kFewest; });
}

bool is_judged(const Sweep& sweep) {
  return sweep.validated || !std::isnan(sweep.points[sweep.best].test_accuracy);
}

Sweep sweep_times(const Dataset& dataset, const Split& split, const DirichletProblem& problem,
                  const FlowOptions& options, std::span<const double> times, Threads& threads,
                  const ProgressCallback& progress) {
  check(dataset, dataset.name);
  check_split(split, dataset.nodes(), "split '" + split.name + "'");
  if (dataset.nodes() != problem.graph.nodes() || dataset.classes() != problem.classes)
    fail("{} has {} nodes and {} classes, but the problem has {} and {}", dataset.name, dataset.nodes(),
         dataset.classes(), problem.graph.nodes(), problem.classes);
  const Calculus calculus(problem.graph, problem.weights, options.laplacian);
  const std::vector<double> prior = labelled_prior(problem.known, problem.classes);
  const std::vector<bool> reached = reached_nodes(problem);
  const bool has_masses = !problem.free && problem.front.rows == 0;
  MassCurve masses(problem.graph.nodes(), problem.known, prior, Ranks::alone());
  Sweep sweep{.unreached = std::ranges::count(reached, false)};
  sweep.report =
      flow_curve(problem, options, times, threads, [&](double time, const Temperatures& temperatures) {
        const std::vector<ClassId> classes = warmest_classes(temperatures.values);
        const Decisions decisions = decide(problem, reached, temperatures, prior, threads);
        sweep.points.push_back(
            {.time = time,
             .train_accuracy = accuracy(classes, dataset.labels, split.train),
             .validation_accuracy = accuracy(classes, dataset.labels, split.validation),
             .test_accuracy = accuracy(classes, dataset.labels, split.test),
             .validation_loss = cross_entropy(temperatures.values, dataset.labels, split.validation),
             .energy = calculus.dirichlet_energy(temperatures.values),
             .undecided = decisions.count(NodeStatus::undecided)});
        const auto share = [&](const std::vector<ClassId>& by_mass, std::vector<NodeId> Split::*part) {
          return accuracy(by_mass, dataset.labels, split.*part);
        };
        if (has_masses) masses.judge(temperatures.values, share, sweep.points.back());
        report(progress, {"times", std::ssize(sweep.points), std::ssize(times), "times"});
        return true;
      });
  choose_best(split, sweep);
  return sweep;
}

Sweep sweep_times(const FlowTask& task, std::span<const double> times, Threads& threads,
                  const ProgressCallback& progress) {
  check(task);
  const Split split = judged_split(task);
  return sweep_times(task.dataset, split, task.problem(), task.options, times, threads, progress);
}

Sweep sweep_on_ranks(const FlowTask& task, const RankGraph& graph, std::span<const double> times,
                     const Cluster& cluster, Threads& threads, const ProgressCallback& progress) {
  check_on_ranks(task);
  const Split split = judged_split(task);
  const Ranks& ranks = cluster.ranks();
  const std::int64_t nodes = task.dataset.nodes();
  const JudgedRows train(split.train, graph, nodes), validation(split.validation, graph, nodes),
      test(split.test, graph, nodes);
  std::vector<ClassId> labels;
  for (NodeId node : graph.ids) labels.push_back(task.dataset.labels[at(node)]);
  const std::vector<double> prior = labelled_prior(task.known, task.dataset.classes());
  RankProblem problem = problem_on_rank(task, graph);
  const bool has_masses = !task.free && task.front.rows() == 0;
  MassCurve masses(graph.rows, problem.known, prior, ranks);
  RankFlow flow(graph, task.options, cluster, threads);
  if (!task.free) flow.hold(problem.known.nodes);
  const std::vector<bool> reached = flow.reached_from(heat_sources(task, problem, graph));
  const auto everywhere = [&](std::int64_t count) {
    return static_cast<std::int64_t>(ranks.sum(static_cast<double>(count)));
  };
  Sweep sweep{.unreached = everywhere(std::ranges::count(reached, false))};
  sweep.report = flow.curve(times, std::move(problem.start), [&](double time, const Temperatures& then) {
    const std::vector<ClassId> classes = warmest_classes(then.values);
    const Decisions decisions = decide_rows({.rows = graph.rows,
                                             .classes = task.dataset.classes(),
                                             .known = problem.known,
                                             .held = !task.free,
                                             .logits = task.front.rows() > 0},
                                            reached, then, prior, threads);
    sweep.points.push_back(
        {.time = time,
         .train_accuracy = train.share(classes, labels, ranks),
         .validation_accuracy = validation.share(classes, labels, ranks),
         .test_accuracy = test.share(classes, labels, ranks),
         .validation_loss = validation.mean(cross_entropy(then.values, labels, validation.rows), ranks),
         .energy = flow.dirichlet_energy(then.values),
         .undecided = everywhere(decisions.count(NodeStatus::undecided))});
    const auto share = [&](const std::vector<ClassId>& by_mass, std::vector<NodeId> Split::*part) {
      return (part == &Split::test ? test : validation).share(by_mass, labels, ranks);
    };
    if (has_masses) masses.judge(then.values, share, sweep.points.back());
    report(progress, {"times", std::ssize(sweep.points), std::ssize(times), "times"});
    return true;
  });
  choose_best(split, sweep);
  return sweep;
}

bool is_settled(const Sweep& sweep) {
  constexpr double kNearly = 1e-4;
  if (sweep.points.empty()) return false;
  const SweepPoint& last = sweep.points.back();
  const auto late =
      std::ranges::find_if(sweep.points.rbegin(), sweep.points.rend(),
                           [&](const SweepPoint& point) { return point.time <= last.time / 2; });
  if (late == sweep.points.rend()) return false;
  return std::all_of(sweep.points.rbegin(), late + 1, [&](const SweepPoint& point) {
    return point.validation_accuracy == last.validation_accuracy &&
           std::abs(point.validation_loss - last.validation_loss) <= kNearly * last.validation_loss;
  });
}

}  // namespace heatfront
