// SPDX-License-Identifier: MIT
#include "cli/model_argument.h"

#include <fmt/core.h>

#include "cli/arguments.h"
#include "heatfront/models/model_file.h"
#include "heatfront/train/metrics.h"

namespace heatfront::cli {

void ModelArgument::add_to(Flags& flags) {
  flags.argument("MODEL", path, "A model, as `heatfront train` and `heatfront label` write it");
}

Session ModelArgument::open(Console& console) const { return Session(read_model(path, console.threads())); }

Scores scores(const Answer& answer, const Dataset& data, const Split& judges) {
  const Matrix& values = answer.temperatures.values;
  return {accuracy(values, data.labels, judges.validation), accuracy(values, data.labels, judges.test)};
}

Json model_json(const Session& session) {
  const TrainedModel& model = session.model();
  const Judged judged = judged_by(model.split(), model.known.nodes);
  return {{"dataset", model.data.name},
          {"model", model.model},
          {"split", split_json(model.split())},
          {"known", model.known.nodes.size()},
          {"validation_labels_included", judged.validation_included},
          {"test_labels_included", judged.test_included}};
}

std::string model_text(const Session& session) {
  const TrainedModel& model = session.model();
  return fmt::format("{}: {}, split {} (hash {}), {} known labels{}", model.data.name, model.model,
                     model.split().name, model.split().hash(), grouped(std::ssize(model.known.nodes)),
                     included_text(judged_by(model.split(), model.known.nodes)));
}

}  // namespace heatfront::cli
