// SPDX-License-Identifier: MIT
// heatfront evaluate MODEL: judges it by its test nodes.
#include "heatfront/evaluate/evaluation.h"

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/fail.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_report/evaluation_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace evaluate_command {

struct Arguments {
  ModelArgument model;
  ModelDataArgument data;
  EvaluationOptions options;
  std::string about;
  std::filesystem::path report, sets;
};

std::string written_text(const Arguments& arguments) {
  if (arguments.report.empty() && arguments.sets.empty())
    return "not written: --report FILE.html draws this, --sets FILE.csv has the sets of all nodes";
  std::string text = "written to";
  if (!arguments.report.empty()) text += " " + path_text(arguments.report);
  if (!arguments.sets.empty()) text += (arguments.report.empty() ? " " : ", ") + path_text(arguments.sets);
  return text;
}

void run(const Arguments& arguments, Console& console) {
  check_outputs({{arguments.report, kReportPage}, {arguments.sets, kPredictionTable}});
  AnyModel held = arguments.model.read(console);
  if (auto* const targets = std::get_if<TargetModel>(&held)) {
    refuse_class_flags({{"--report", !arguments.report.empty()},
                        {"--sets", !arguments.sets.empty()},
                        {"--data", !arguments.data.data.empty()},
                        {"--score", arguments.options.score != EvaluationOptions().score}});
    return evaluate_targets(std::move(*targets), arguments.options.coverage, arguments.about, console);
  }
  Session session(std::get<TrainedModel>(std::move(held)), console.threads());
  const TrainedModel& model = session.model();
  EvaluationOptions options = arguments.options;
  if (!arguments.about.empty()) options.about = find_class(model.data, arguments.about);
  arguments.data.take(session, console);
  const Answer answer = session.solve();
  const Evaluation evaluation = evaluate(model, answer, options);
  if (!arguments.sets.empty() && evaluation.sets.calibrated_on == 0)
    fail("--sets {}: nothing is left to calibrate on, see `heatfront evaluate` without it",
         arguments.sets.string());
  if (!arguments.report.empty() && console.writes_files())
    write_file(arguments.report, html_of(evaluation, session));
  if (!arguments.sets.empty() && console.writes_files())
    write_predictions(model.data, predictions_of(evaluation, answer), arguments.sets);

  Json object = json_of(evaluation, session);
  object["report"] = json_path(arguments.report);
  object["predictions"] = json_path(arguments.sets);
  console.result(object, text_of(evaluation, session) + "\n" + written_text(arguments));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  arguments->data.add_to(flags, "evaluate");
  flags.option(
      "--coverage", arguments->options.coverage,
      "Share of the sets of classes, or of the intervals of values, that should contain the right one", "X");
  flags.option("--score", arguments->options.score,
               "How sets of classes that cannot be ruled out are made; " + described(conformal_scores()),
               "NAME");
  flags.option("--class", arguments->about,
               "Also how well nodes of this class are found: average precision and the curve of precision "
               "against recall",
               "NAME");
  flags.output("--report", arguments->report, "Write everything to a page with plots", "FILE.html");
  flags.output("--sets", arguments->sets,
               "Write every node's class with its calibrated confidence, and the other classes that cannot "
               "be ruled out (its set)",
               "FILE.csv");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace evaluate_command

const Command kEvaluateCommand{
    "evaluate", "Measures a trained model on test nodes or labels left out: accuracy, confusion, calibration",
    "heatfront evaluate karate.hf --report karate.html", evaluate_command::define};

}  // namespace heatfront::cli
