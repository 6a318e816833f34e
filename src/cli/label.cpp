// SPDX-License-Identifier: MIT
// heatfront label MODEL: sets, changes and removes labels, and says what that did.
#include <fmt/core.h>

#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/data/names.h"
#include "heatfront/label/label_effect.h"
#include "heatfront/label/suggest.h"
#include "heatfront/train/retrain.h"
#include "heatfront_io/files/file_lock.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/formats/target_model_file.h"
#include "heatfront_io/tables/label_file.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/label_report.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace label_command {

struct Arguments {
  ModelArgument model;
  std::vector<std::string> set, unset, new_classes;
  std::filesystem::path labels, output;
  bool include_validation = false, undo = false, train = false;
  std::optional<double> label_scale;
  std::int64_t suggest = 0;
  std::string suggest_by;  // empty: what the model can do

  bool changes() const {
    return undo || train || include_validation || label_scale || !labels.empty() || !new_classes.empty() ||
           !set.empty() || !unset.empty();
  }
};

ClassId class_or_advice(const Dataset& data, std::string_view label) {
  try {
    return find_class(data, label);
  } catch (const Error& error) {
    fail("{}; --new-class {} adds it", error.what(), shell_word(std::string(label)));
  }
}

void set_label(Session& session, std::string_view assignment) {
  const std::size_t sign = assignment.rfind('=');  // a node may be named so, a class hardly
  if (sign == assignment.npos) fail("--set {}: it must be NODE=CLASS", assignment);
  if (sign + 1 == assignment.size())
    fail("--set {}: no class is given; --unset {} takes the label away", assignment,
         shell_word(std::string(assignment.substr(0, sign))));
  const Dataset& data = session.model().data;
  session.set(find_node(data, assignment.substr(0, sign)),
              class_or_advice(data, assignment.substr(sign + 1)));
}

// The last word is --set's: what a file or the split says can be put right in the same command.
void change_labels(const Arguments& arguments, Session& session) {
  if (arguments.undo) session.undo();
  if (arguments.label_scale) session.set_label_scale(*arguments.label_scale);
  session.begin_batch();
  for (const std::string& name : arguments.new_classes) session.add_class(name);
  if (arguments.include_validation) session.include_validation();
  if (!arguments.labels.empty()) {
    for (const NodeLabel& entry :
         read_label_file(arguments.labels, session.model().data, "--new-class NAME adds one"))
      session.set(entry.node, entry.label);
  }
  for (const std::string& name : arguments.unset) {
    if (!session.unset(find_node(session.model().data, name)))
      fail("--unset {}: it has no known label to take away", name);
  }
  for (const std::string& assignment : arguments.set) set_label(session, assignment);
  session.close_batch();
}

void run(const Arguments& arguments, Console& console) {
  if (arguments.suggest < 0) fail("--suggest {}: it must be 0 or more", arguments.suggest);
  std::optional<SuggestBy> by;
  if (!arguments.suggest_by.empty()) by = find_suggest_by(arguments.suggest_by);
  if (!arguments.changes() && arguments.suggest == 0)
    fail(
        "nothing to do; there are --set, --unset, --labels, --include-validation, --undo, --train and "
        "--suggest");
  check_outputs({{arguments.output, kModelFile}});
  const FileLock lock(arguments.output);  // before reading: MODEL2 may be MODEL
  if (is_target_model(arguments.model.path)) {
    refuse_class_flags({{"--new-class", !arguments.new_classes.empty()},
                        {"--label-scale", arguments.label_scale.has_value()},
                        {"--suggest", arguments.suggest > 0}});
    return label_targets({.model = arguments.model.path,
                          .labels = arguments.labels,
                          .output = arguments.output,
                          .set = arguments.set,
                          .unset = arguments.unset,
                          .include_validation = arguments.include_validation,
                          .undo = arguments.undo,
                          .train = arguments.train},
                         console);
  }
  Session opened = arguments.model.open(console);
  const Stopwatch watch;
  BeforeLabels before;
  if (arguments.changes()) {
    before = before_labels(opened);
    change_labels(arguments, opened);
  }
  std::optional<Session> trained;
  if (arguments.train)
    trained.emplace(retrain(opened.model(), console.threads(), console.progress()).model, console.threads());
  Session& session = trained ? *trained : opened;
  const Answer answer = session.solve();
  const double seconds = watch.seconds();
  const Dataset& data = session.model().data;
  if (!arguments.output.empty()) write_model(session.model(), arguments.output);

  Json object = json_of(session);
  std::string text = text_of(session);
  if (arguments.changes()) {
    const LabelEffect effect = effect_of(before, session, answer);
    object.update(json_of(effect, data));
    text += "\n" + text_of(effect, session);
  }
  if (arguments.suggest > 0) {
    const SuggestOptions options{.count = arguments.suggest, .by = by.value_or(default_suggest_by(session))};
    const std::vector<Suggestion> suggestions = suggest(session, answer, options);
    object["suggestions"] = json_of(suggestions, data);
    text += "\n\n" + text_of(suggestions, data, options);
  }
  object.update(json_of(answer.temperatures.report));
  object["seconds"] = seconds;
  object["saved"] = json_path(arguments.output);
  if (arguments.changes() || !arguments.output.empty()) {
    text += fmt::format(
        "\n\nsolved in {}: {}\n{}", time_text(seconds), text_of(answer.temperatures.report),
        arguments.output.empty() ? "not saved: -o FILE keeps it" : "saved to " + path_text(arguments.output));
  }
  console.result(object, text);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  flags.option(
      "--set", arguments->set,
      "Hold this node at this class, each by name or number (of values: NODE=VALUE); may be repeated",
      "NODE=CLASS");
  flags.option("--unset", arguments->unset, "Stop holding this node; may be repeated", "NODE");
  flags.option("--labels", arguments->labels, "Labels from a file of node,label, by name", "FILE.csv");
  flags.option("--new-class", arguments->new_classes,
               "A class that training did not know, for --set and --labels; may be repeated", "NAME");
  flags.flag("--include-validation", arguments->include_validation,
             "Hold the validation nodes at their labels; figures are marked as such from then on");
  flags.flag("--undo", arguments->undo, "Take back what the last `label -o` changed, before anything else");
  flags.flag("--train", arguments->train,
             "Train the model again, with its settings, on all labels that it then holds");
  flags.option("--label-scale", arguments->label_scale,
               "Temperature of every known label, next to the front's logits; default: the model's own", "X");
  flags.option("--suggest", arguments->suggest, "Name this many nodes that are most worth labelling next",
               "K");
  flags.option(
      "--suggest-by", arguments->suggest_by,
      "change: how many nodes the label is expected to change (heat-front, its default); margin: the "
      "smallest lead",
      "WHAT");
  flags.output("-o,--output", arguments->output, "Write the model with its new labels; may be MODEL itself",
               "MODEL2");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace label_command

const Command kLabelCommand{
    "label", "Sets, changes and removes labels of a trained model, at once, and trains it again if asked to",
    "heatfront label cora.hf --set 2034=4 --suggest 5 -o cora.hf", label_command::define};

}  // namespace heatfront::cli
