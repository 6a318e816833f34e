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

std::optional<std::size_t> plateau_of(const std::vector<SweepPoint>& points) {
  std::size_t from = points.size();
  while (from > 1 && points[from - 1].changed <= kHardlyAny) --from;
  if (from == points.size()) return {};
  return from - 1;
}

// Classes with class masses, from one time to the next.
class MassCurve {
 public:
  MassCurve(const DirichletProblem& problem, std::span<const double> prior)
      : problem_(problem), prior_(prior), is_known_(at(problem.graph.nodes())) {
    for (NodeId u : problem.known.nodes) is_known_[at(u)] = true;
  }

  // Adds to a point.
  void judge(const Dataset& dataset, const Split& split, ConstMatrixView values, SweepPoint& point) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    point.masses_validation_accuracy = point.masses_test_accuracy = point.changed = kNone;
    if (problem_.free || problem_.front.rows > 0) return;
    const std::vector<double> factors = class_mass_factors(values, problem_.known, prior_);
    std::vector<ClassId> classes(is_known_.size());
    std::vector<double> row(factors.size());
    std::int64_t unknown = 0, changed = 0;
    for (std::size_t u = 0; u < classes.size(); ++u) {
      for (std::size_t c = 0; c < row.size(); ++c)
        row[c] = static_cast<double>(values(static_cast<std::int64_t>(u), static_cast<std::int64_t>(c))) *
                 factors[c];
      classes[u] = static_cast<ClassId>(std::ranges::max_element(row) - row.begin());
      if (is_known_[u]) continue;
      ++unknown;
      changed += !before_.empty() && before_[u] != classes[u];
    }
    if (!before_.empty() && unknown > 0)
      point.changed = static_cast<double>(changed) / static_cast<double>(unknown);
    point.masses_validation_accuracy = accuracy(classes, dataset.labels, split.validation);
    point.masses_test_accuracy = accuracy(classes, dataset.labels, split.test);
    before_ = std::move(classes);
  }

 private:
  const DirichletProblem& problem_;
  std::span<const double> prior_;
  std::vector<bool> is_known_;
  std::vector<ClassId> before_;
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
  MassCurve masses(problem, prior);
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
        masses.judge(dataset, split, temperatures.values, sweep.points.back());
        report(progress, {"times", std::ssize(sweep.points), std::ssize(times), "times"});
        return true;
      });
  sweep.plateau = plateau_of(sweep.points);
  sweep.validated = !split.validation.empty();
  sweep.best = sweep.validated ? best_of(sweep.points) : sweep.plateau.value_or(sweep.points.size() - 1);
  return sweep;
}

Sweep sweep_times(const FlowTask& task, std::span<const double> times, Threads& threads,
                  const ProgressCallback& progress) {
  check(task);
  const Split split = task.judged().split;
  if (split.validation.empty() && std::ssize(task.known.nodes) == task.dataset.nodes()) {
    fail(
        "{}: every label is known, so there is nothing to see; say --split \"per-class 1,1\" and --known "
        "train, or leave some out",
        task.dataset.name);
  }
  return sweep_times(task.dataset, split, task.problem(), task.options, times, threads, progress);
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
