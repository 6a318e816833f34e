// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/model_argument.h"
#include "cli/output_kind.h"
#include "cli/predictions.h"
#include "heatfront/base/fail.h"
#include "heatfront/label/session.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/open.h"

namespace heatfront::cli {
namespace predict_command {

struct Arguments {
  ModelArgument model;
  std::string data;
  std::filesystem::path output;
  std::int64_t top = 1;
};

// The second class of each node, the third, …; none where the label is known.
void add_others(const Answer& answer, std::int64_t top, std::vector<Prediction>& predictions) {
  for (std::size_t u = 0; u < predictions.size(); ++u) {
    if (answer.decisions.status[u] == NodeStatus::known) continue;
    const auto row = answer.temperatures.values.row(static_cast<std::int64_t>(u));
    const std::vector<double> shares = class_shares(answer, static_cast<NodeId>(u));
    for (ClassId c : ranked_classes(row, static_cast<std::size_t>(top) + 1)) {
      if (c == predictions[u].label || std::ssize(predictions[u].others) == top - 1) continue;
      predictions[u].others.push_back({c, static_cast<Real>(shares[at(c)])});
    }
  }
}

// Nothing where the model's logits are its answer.
std::string solved_text(const Session& session, const SolveReport& report) {
  if (report.products == 0) return "";
  return fmt::format("  solved     {}in {}: {}\n",
                     session.flows() ? fmt::format("to t = {} ", session.flow_options().time) : "",
                     time_text(report.seconds), certificate_text(report));
}

void run(const Arguments& arguments, Console& console) {
  if (arguments.top < 1) fail("--top {}: it must be 1 or more", arguments.top);
  check_outputs({{arguments.output, kPredictionTable}}, files_of_dataset(arguments.data));
  Session session = arguments.model.open(console);
  const TrainedModel& model = session.model();
  if (!arguments.data.empty()) check_fits(model, open_dataset(arguments.data, {}, console.threads()));
  const Answer answer = session.solve();
  if (!arguments.output.empty()) {
    std::vector<Prediction> predictions = predictions_of(answer.decisions);
    if (arguments.top > 1) add_others(answer, arguments.top, predictions);
    write_predictions(model.data, predictions, arguments.output);
  }

  const Scores score = scores(answer, model.data, judged_by(model.split(), model.known.nodes).split);
  const SolveReport& report = answer.temperatures.report;
  Json object = model_json(session);
  object.update(certificate_json(report));
  object.update({{"validation_accuracy", json_number(score.validation)},
                 {"test_accuracy", json_number(score.test)},
                 {"decided", answer.decisions.count(NodeStatus::decided)},
                 {"undecided", answer.decisions.count(NodeStatus::undecided)},
                 {"unreached", answer.decisions.count(NodeStatus::unreached)},
                 {"seconds", report.seconds},
                 {"predictions", json_path(arguments.output)}});
  console.result(
      object, fmt::format("{}\n{}"
                          "  accuracy   validation {}, test {}\n"
                          "  nodes      {}\n"
                          "  {}",
                          model_text(session), solved_text(session, report), percent(score.validation),
                          percent(score.test), counts_text(answer.decisions),
                          arguments.output.empty() ? "not written: -o FILE.csv writes the class of every node"
                                                   : "written    " + path_text(arguments.output)));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  flags.option("--data", arguments->data, "Refuse to predict unless this data has the graph of the model",
               "DATA");
  flags.option("-o,--output", arguments->output, "Write node, class, confidence, margin and status",
               "FILE.csv");
  flags.option("--top", arguments->top, "Write that many classes of each node, with their confidence", "K");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace predict_command

const Command kPredictCommand{"predict", "Gives every node its class by a trained model",
                              "heatfront predict cora.hf -o predictions.csv --top 3",
                              predict_command::define};

}  // namespace heatfront::cli
