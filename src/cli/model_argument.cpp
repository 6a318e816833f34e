// SPDX-License-Identifier: MIT
#include "cli/model_argument.h"

#include <fmt/core.h>

#include <filesystem>

#include "cli/arguments.h"
#include "heatfront/base/fail.h"
#include "heatfront/evaluate/metrics.h"
#include "heatfront_io/fetch/catalogue.h"
#include "heatfront_io/formats/model_file.h"

namespace heatfront::cli {

void ModelArgument::add_to(Flags& flags) {
  flags.argument("MODEL", path, "A model, as `heatfront train` and `heatfront label` write it");
}

Session ModelArgument::open(Console& console) const {
  if (std::filesystem::is_directory(path))
    fail("{}: is a folder; a model is one file, as `heatfront train DATA -o MODEL` writes it", path.string());
  if (!std::filesystem::exists(path) && find_known(path.string()) != nullptr)
    fail("{0}: is a data set, not a model; `heatfront train {0} -o {0}.hf` makes one of it", path.string());
  return Session(read_model(path, console.threads()), console.threads());
}

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
  std::int64_t held_back = 0;
  for (NodeId u = 0; u < model.data.nodes(); ++u)
    held_back += model.data.labels[at(u)] != kUnknown && session.known_class(u) == kUnknown;
  return fmt::format("{}: {}, split {} (hash {}), {}{}{}", printable(model.data.name), model.model,
                     printable(model.split().name), model.split().hash(),
                     counted(std::ssize(model.known.nodes), "known label"),
                     held_back > 0 ? fmt::format(", {} more held back", grouped(held_back)) : "",
                     included_text(judged_by(model.split(), model.known.nodes)));
}

}  // namespace heatfront::cli
