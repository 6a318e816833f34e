// SPDX-License-Identifier: MIT
// Heat from known labels, nothing trained; and the answers of flows and models.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "answer.h"
#include "arrays.h"
#include "data.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/label/flow_task.h"
#include "heatfront/label/target_flow.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/target_report.h"
#include "kept.h"
#include "long_call.h"
#include "parts.h"

namespace heatfront::python {
namespace {

struct FlowArguments {
  double lambda = 1;
  std::string laplacian = "symmetric";
  double self_loop = 1;
  std::string solver;
  double tolerance = 1e-6;
  double label_scale = 1;
};

// A flow on a small graph takes less time than threads take to start.
Kept<Threads> threads_for(int count) {
  return Kept<Threads>([&](const Threads& one) { return one.count() == count; },
                       [&] { return std::make_unique<Threads>(count); });
}

FlowOptions options_of(const FlowArguments& arguments, double time) {
  FlowOptions options{.time = time, .lambda = arguments.lambda};
  options.laplacian = {.kind = laplacian_kind(arguments.laplacian), .self_loop = arguments.self_loop};
  if (!arguments.solver.empty()) options.solver = arguments.solver;
  options.solve.tolerance = arguments.tolerance;
  return options;
}

// Is a flow over well before anybody wants to interrupt it? Waking a thread for it would take as long as the flow.
bool is_soon_over(const FlowTask& task, const std::vector<double>& times) {
  constexpr double kFew = 1e7;  // entries times seconds of heat: some 0.1 s
  return task.options.solver == FlowOptions().solver &&
         static_cast<double>(task.dataset.graph.arcs() + task.dataset.nodes()) * task.dataset.classes() *
                 static_cast<double>(times.size()) * (1 + task.options.lambda * times.back()) <
             kFew;
}

// At each of the times, which ascend.
std::vector<PythonAnswer> flow(const PythonData& data, const std::vector<double>& times, bool chooses_time,
                               const FlowArguments& arguments, const std::optional<MatrixIn>& front,
                               const std::optional<std::vector<double>>& class_prior, int threads_wanted) {
  FlowTask task{.dataset = *data.data,
                .opened = {},
                .known_from = "all",
                .front = front ? matrix_of(*front) : Matrix(),
                .label_scale = arguments.label_scale,
                .options = options_of(arguments, times.back()),
                .class_prior = class_prior,
                .chooses_time = chooses_time};
  if (task.dataset.split) task.split = *task.dataset.split;
  task.known = known_labels(task.dataset, task.split, default_known_source(task.has_split()));
  const Kept<Threads> kept = threads_for(threads_wanted);
  Threads& threads = *kept;
  std::vector<PythonAnswer> answers;
  const auto keep = [&](Answer answer) {
    answers.push_back({std::make_shared<const Answer>(std::move(answer))});
  };
  const auto work = [&] {
    if (times.size() == 1) {
      const Stopwatch watch;
      FlowSolution solution = solve(task, threads);
      const double seconds = watch.seconds();
      keep(std::move(solution.answer));
      answers.back().seconds = seconds;
      return;
    }
    check(task);
    const DirichletProblem problem = task.problem();
    const std::vector<bool> reached = reached_nodes(problem);
    const std::vector<double> prior = labelled_prior(task.known, task.dataset.classes());
    flow_curve(problem, task.options, times, threads, [&](double, const Temperatures& then) {
      Temperatures temperatures = then;
      if (class_prior) normalise_class_mass(temperatures, task.known, *class_prior);
      Decisions decisions = decide(problem, reached, temperatures, prior, threads);
      keep({std::move(temperatures), std::move(decisions)});
      return true;
    });
  };
  if (is_soon_over(task, times)) {
    const nb::gil_scoped_release others_run;
    work();
  } else {
    long_call(threads, work);
  }
  return answers;
}

// Of values or many labels, at one time; and of many labels the threshold of every class.
std::pair<PythonTargetAnswer, std::vector<double>> flow_targets(const PythonData& data, double time,
                                                                const FlowArguments& arguments,
                                                                int threads_wanted) {
  const Kept<Threads> kept = threads_for(threads_wanted);
  Threads& threads = *kept;
  TargetFlowSolution solution = long_call(threads, [&] {
    TargetFlowTask task{.dataset = *data.data, .options = options_of(arguments, time)};
    if (task.dataset.split) task.split = *task.dataset.split;
    task.known = task.has_split() ? targets_at(task.dataset.targets, task.split.train) : task.dataset.targets;
    return solve_targets(task, threads);
  });
  return {{std::make_shared<const TargetAnswer>(std::move(solution.answer))}, std::move(solution.thresholds)};
}

// (n, C): those of a known node are its label's.
Matrix shares_of(const Answer& told) {
  const Matrix& temperatures = told.temperatures.values;
  Matrix shares(temperatures.rows(), temperatures.cols());
  for (NodeId u = 0; u < shares.rows(); ++u) {
    const auto row = shares.row(u);
    if (told.decisions.status[at(u)] == NodeStatus::known) {
      row[at(told.decisions.classes[at(u)])] = 1;
      continue;
    }
    const std::vector<double> of_node = class_shares(told, u);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = static_cast<Real>(of_node[c]);
  }
  return shares;
}

}  // namespace

void add_flow(nb::module_& module) {
  nb::class_<PythonAnswer>(module, "Answer")
      .def_prop_ro(
          "classes",
          [](const PythonAnswer& self) {
            const auto& classes = self.answer->decisions.classes;
            return lent(classes.data(), {classes.size()}, self.answer);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "confidence",
          [](const PythonAnswer& self) {
            const auto& confidence = self.answer->decisions.confidence;
            return lent(confidence.data(), {confidence.size()}, self.answer);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "margin",
          [](const PythonAnswer& self) {
            const auto& margin = self.answer->decisions.margin;
            return lent(margin.data(), {margin.size()}, self.answer);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "status",
          [](const PythonAnswer& self) {
            const auto& status = self.answer->decisions.status;
            return lent(reinterpret_cast<const std::uint8_t*>(status.data()), {status.size()}, self.answer);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "temperatures",
          [](const PythonAnswer& self) {
            const Matrix& values = self.answer->temperatures.values;
            return lent(values.view().data, {at(values.rows()), at(values.cols())}, self.answer,
                        {values.stride(), 1});
          },
          nb::rv_policy::automatic)
      .def("shares",
           [](const PythonAnswer& self) {
             Threads threads(1);
             return given(long_call(threads, [&] { return shares_of(*self.answer); }));
           })
      .def_ro("seconds", &PythonAnswer::seconds)
      .def("certificate",
           [](const PythonAnswer& self) { return json_of(self.answer->temperatures.report).dump(); });
  nb::class_<PythonTargetAnswer>(module, "TargetAnswer")
      .def_prop_ro(
          "values",
          [](const PythonTargetAnswer& self) {
            const TargetAnswer& told = *self.answer;
            return lent(told.values.data(), {told.status.size(), told.columns}, self.answer);
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "status",
          [](const PythonTargetAnswer& self) {
            const auto& status = self.answer->status;
            return lent(reinterpret_cast<const std::uint8_t*>(status.data()), {status.size()}, self.answer);
          },
          nb::rv_policy::automatic)
      .def("certificate", [](const PythonTargetAnswer& self) { return json_of(self.answer->report).dump(); });
  module.def("flow_targets",
             [](const PythonData& data, double time, double lambda, const std::string& laplacian,
                double self_loop, const std::string& solver, double tolerance, int threads) {
               return flow_targets(data, time, {lambda, laplacian, self_loop, solver, tolerance}, threads);
             });
  module.def(
      "flow",
      [](const PythonData& data, const std::vector<double>& times, bool chooses_time, double lambda,
         const std::string& laplacian, double self_loop, const std::string& solver, double tolerance,
         double label_scale, const std::optional<MatrixIn>& front,
         const std::optional<std::vector<double>>& class_prior, int threads) {
        return flow(data, times, chooses_time, {lambda, laplacian, self_loop, solver, tolerance, label_scale},
                    front, class_prior, threads);
      },
      nb::arg("data"), nb::arg("times"), nb::arg("chooses_time"), nb::arg("speed"), nb::arg("laplacian"),
      nb::arg("self_loop"), nb::arg("solver"), nb::arg("tolerance"), nb::arg("label_scale"),
      nb::arg("front").none(), nb::arg("class_prior").none(), nb::arg("threads"));
}

}  // namespace heatfront::python
