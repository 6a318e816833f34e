// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <cmath>

#include "cli/command.h"
#include "cli/flow_arguments.h"
#include "cli/output_kind.h"
#include "cli/predictions.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront/flow/decide.h"
#include "heatfront/solve/solvers.h"
#include "heatfront_io/arrays/npz.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/tables/label_file.h"

namespace heatfront::cli {
namespace solve_command {

struct Arguments {
  FlowArguments flow;
  std::string time = "5";
  std::string class_prior = "none";
  std::filesystem::path output, predictions;
};

std::string solver_names() {
  std::string names;
  for (const SolverEntry& entry : solvers())
    names += fmt::format("{}{}: {}", names.empty() ? "" : "; ", entry.name, entry.what);
  return names;
}

double parse_time(const std::string& text) {
  if (text == "inf") return FlowOptions::kForever;
  const std::optional<double> time = parse_number(text);
  if (!time || !(*time >= 0)) fail("--time {}: it must be 0 or more, or inf", text);
  return *time;
}

struct Scores {
  double train, validation, test;
};

Scores scores(const FlowProblem& flow, const Temperatures& temperatures) {
  const std::vector<ClassId> classes = warmest_classes(temperatures.values);
  return {accuracy(classes, flow.dataset.labels, flow.split.train),
          accuracy(classes, flow.dataset.labels, flow.judged.split.validation),
          accuracy(classes, flow.dataset.labels, flow.judged.split.test)};
}

std::vector<double> prior_for(const std::string& which, const FlowProblem& flow) {
  if (which == "none" || which == "labelled") return labelled_prior(flow.known, flow.dataset.classes());
  if (!std::filesystem::exists(which)) {
    fail("--class-prior {}: no such file; there are: none, labelled, or a CSV file of class,share", which);
  }
  return read_prior_file(which, flow.dataset);
}

void write_npz_result(const Arguments& arguments, const Temperatures& temperatures,
                      const Decisions& decisions) {
  const Matrix& padded = temperatures.values;
  Matrix values(padded.rows(), padded.cols());
  for (std::int64_t u = 0; u < padded.rows(); ++u) std::ranges::copy(padded.row(u), values.row(u).begin());
  std::vector<std::uint8_t> status;
  for (NodeStatus s : decisions.status) status.push_back(static_cast<std::uint8_t>(s));
  NpzWriter writer(arguments.output);
  writer.lend_reals("temperatures", values);
  writer.lend("classes", decisions.classes);
  writer.lend("status", status);
  writer.commit();
}

std::string written_text(const Arguments& arguments) {
  std::vector<std::string> files;
  for (const std::filesystem::path* path : {&arguments.output, &arguments.predictions}) {
    if (!path->empty()) files.push_back(path_text(*path));
  }
  return files.empty() ? "not written: --predictions FILE.csv writes the class of every node"
                       : "written    " + join(files, ", ");
}

void run(const Arguments& arguments, Console& console) {
  std::vector<std::filesystem::path> inputs = files_of_dataset(arguments.flow.data.data);
  inputs.insert(inputs.end(), {arguments.flow.known, arguments.class_prior});
  check_outputs({{arguments.output, kTemperatureFile}, {arguments.predictions, kPredictionTable}}, inputs);
  FlowProblem flow(arguments.flow, console);
  flow.options.time = parse_time(arguments.time);
  const bool forever = flow.options.time == FlowOptions::kForever;
  if (flow.options.solver.empty()) flow.options.solver = forever ? "cg" : "chebyshev";
  const std::vector<double> prior = prior_for(arguments.class_prior, flow);

  const DirichletProblem problem = flow.problem();
  flow.check_memory(estimate_memory(problem, flow.options), "the classes are solved in turns", console);
  const Stopwatch watch;
  Temperatures temperatures = solve_dirichlet(problem, flow.options, console.threads());
  const double whole_seconds = watch.seconds();
  if (arguments.class_prior != "none") normalise_class_mass(temperatures, flow.known, prior);
  const Decisions decisions = decide(problem, reached_nodes(problem), temperatures, prior);
  if (!arguments.output.empty()) write_npz_result(arguments, temperatures, decisions);
  if (!arguments.predictions.empty()) {
    write_predictions(flow.dataset, predictions_of(decisions), arguments.predictions);
  }

  const SolveReport& report = temperatures.report;
  const Scores score = scores(flow, temperatures);
  const Json object = {{"dataset", flow.dataset.name},
                       {"split", flow.split.name == "none" ? Json() : split_json(flow.split)},
                       {"known_from", flow.known_name},
                       {"validation_labels_included", flow.judged.validation_included},
                       {"test_labels_included", flow.judged.test_included},
                       {"laplacian", name_of(flow.options.laplacian.kind)},
                       {"self_loop_weight", flow.options.laplacian.self_loop},
                       {"solver", flow.options.solver},
                       {"time", forever ? Json("inf") : Json(flow.options.time)},
                       {"lambda", flow.options.lambda},
                       {"tolerance", flow.options.solve.tolerance},
                       {"reorder", name_of(flow.options.reorder)},
                       {"products", report.products},
                       {"steps", report.steps},
                       {"rejected", report.rejected},
                       {"error_bound", json_number(report.error_bound)},
                       {"error_estimate", json_number(report.error_estimate)},
                       {"residual", json_number(report.residual)},
                       {"reached", report.reached},
                       {"seconds", report.seconds},
                       {"whole_seconds", whole_seconds},
                       {"train_accuracy", json_number(score.train)},
                       {"validation_accuracy", json_number(score.validation)},
                       {"test_accuracy", json_number(score.test)},
                       {"known", flow.known.nodes.size()},
                       {"decided", decisions.count(NodeStatus::decided)},
                       {"undecided", decisions.count(NodeStatus::undecided)},
                       {"unreached", decisions.count(NodeStatus::unreached)},
                       {"output", json_path(arguments.output)},
                       {"predictions", json_path(arguments.predictions)}};
  console.result(object, fmt::format("{}: {}\n"
                                     "  solved     {} to t = {} in {}: {}\n"
                                     "  accuracy   train {}, validation {}, test {}\n"
                                     "  nodes      {}\n"
                                     "  {}",
                                     printable(flow.dataset.name), protocol_text(flow), flow.options.solver,
                                     arguments.time, time_text(report.seconds), certificate_text(report),
                                     percent(score.train), percent(score.validation), percent(score.test),
                                     counts_text(decisions), written_text(arguments)));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->flow.add_to(flags, "more classes than fit are solved in turns");
  flags.option("--time", arguments->time, "How long heat flows; inf: until nothing changes any more",
               "T|inf");
  flags.option("--solver", arguments->flow.options.solver, solver_names(), "NAME");
  flags.option("--step", arguments->flow.options.solve.step,
               "Step of the solvers with fixed steps; 0: chosen", "X");
  flags.option("--class-prior", arguments->class_prior,
               "Give every class its share of the heat (class-mass normalisation): none, labelled (shares "
               "of the known "
               "labels), or a CSV file of class,share",
               "WHICH");
  flags.option("-o,--output", arguments->output, "Write temperatures, classes and status to this npz",
               "FILE.npz");
  flags.option("--predictions", arguments->predictions, "Write node, class, confidence, margin and status",
               "FILE.csv");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace solve_command

const Command kSolveCommand{
    "solve", "Lets heat flow from the known labels and gives every node its class",
    "heatfront solve karate --split \"per-class 2,3\" --time 5 --predictions karate.csv",
    solve_command::define};

}  // namespace heatfront::cli
