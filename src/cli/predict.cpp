// SPDX-License-Identifier: MIT
// heatfront predict MODEL: gives every node its class.
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/fail.h"
#include "heatfront/label/target_session.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_io/formats/target_model_file.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace predict_command {

struct Arguments {
  ModelArgument model;
  std::string data;
  std::filesystem::path output;
  std::int64_t top = 1;
  double coverage = kUsualCoverage;
};

void run(const Arguments& arguments, Console& console) {
  if (arguments.top < 1) fail("--top {}: it must be 1 or more", arguments.top);
  check_outputs({{arguments.output, kPredictionTable}}, files_of_dataset(arguments.data));
  if (is_target_model(arguments.model.path)) {
    refuse_class_flags({{"--top", arguments.top != 1}, {"--data", !arguments.data.empty()}});
    return predict_targets(arguments.model.path, arguments.coverage, arguments.output, console);
  }
  Session session = arguments.model.open(console);
  const TrainedModel& model = session.model();
  if (!arguments.data.empty()) check_fits(model, open_dataset(arguments.data, {}, console.threads()));
  const Answer answer = session.solve();
  if (!arguments.output.empty())
    write_predictions(model.data, predictions_of(answer, arguments.top), arguments.output);

  Json object = json_of(session, answer);
  object["predictions"] = json_path(arguments.output);
  console.result(object,
                 text_of(session, answer) + "\n  " +
                     (arguments.output.empty() ? "not written: -o FILE.csv saves the class of every node"
                                               : "written    " + path_text(arguments.output)));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  flags.option("--data", arguments->data, "Refuse to predict unless this data has the model's graph", "DATA");
  flags.output("-o,--output", arguments->output, "Write node, class, confidence, margin and status",
               "FILE.csv");
  flags.option("--top", arguments->top, "Write this many classes for each node, with their confidence", "K");
  flags.option("--coverage", arguments->coverage,
               "Of models of values: share of the intervals that should contain the value", "X");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace predict_command

const Command kPredictCommand{"predict", "Gives every node a class, using a trained model",
                              "heatfront predict cora.hf -o predictions.csv --top 3",
                              predict_command::define};

}  // namespace heatfront::cli
