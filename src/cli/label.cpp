// SPDX-License-Identifier: MIT
// heatfront label MODEL: sets, changes and removes labels, and says what that did.
#include <fmt/core.h>

#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/ranks.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/base/text.h"
#include "heatfront/data/dataset.h"
#include "heatfront/label/label_effect.h"
#include "heatfront/label/suggest.h"
#include "heatfront/train/retrain.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/formats/model_file.h"
#include "heatfront_io/tables/label_file.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/label_report.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace label_command {

struct Arguments {
  ModelArgument model;
  ModelDataArgument data;
  AddArgument add;
  std::vector<std::string> set, unset, new_classes;
  std::filesystem::path labels, output, held, questions;
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

void set_label(Session& session, std::string_view assignment, ToldNodes& told) {
  const std::size_t sign = assignment.rfind('=');  // a node may be named so, a class hardly
  if (sign == assignment.npos) fail("--set {}: it must be NODE=CLASS", assignment);
  if (sign + 1 == assignment.size())
    fail("--set {}: no class is given; --unset {} takes the label away", assignment,
         shell_word(std::string(assignment.substr(0, sign))));
  const Dataset& data = session.model().data;
  const NodeId u = find_node(data, assignment.substr(0, sign));
  told.add(u, fmt::format("--set {}", assignment));
  session.set(u, class_or_advice(data, assignment.substr(sign + 1)));
}

// What the split says comes before what files and flags say of single nodes.
void change_labels(const Arguments& arguments, Session& session, Console& console) {
  session.set_time(now());
  if (arguments.undo) session.undo();
  if (arguments.label_scale) session.set_label_scale(*arguments.label_scale);
  session.begin_batch();
  for (const std::string& name : arguments.new_classes) session.add_class(name);
  ToldNodes told(session.model().data);
  if (arguments.include_validation) session.include_validation();
  if (!arguments.labels.empty()) {
    const LabelFile file =
        read_label_file(arguments.labels, session.model().data, "--new-class NAME adds one");
    console.remark(file.notes);
    for (const NodeLabel& entry : file.labels) {
      told.add(entry.node, fmt::format("--labels {}", arguments.labels.string()));
      session.set(entry.node, entry.label);
    }
  }
  for (const std::string& name : arguments.unset) {
    const NodeId u = find_node(session.model().data, name);
    told.add(u, fmt::format("--unset {}", name));
    if (!session.unset(u)) fail("--unset {}: it has no known label to take away", name);
  }
  for (const std::string& assignment : arguments.set) set_label(session, assignment, told);
  session.close_batch();
}

void check(const Arguments& arguments) {
  if (arguments.suggest < 0) fail("--suggest {}: it must be 0 or more", arguments.suggest);
  if (!arguments.questions.empty() && arguments.suggest == 0)
    fail("--ask {}: how many nodes? --suggest K says it", arguments.questions.string());
  if (!arguments.changes() && arguments.suggest == 0 && arguments.held.empty() &&
      arguments.add.folder.empty())
    fail(
        "nothing to do; give --set, --unset, --labels, --include-validation, --undo, --train, --add, "
        "--export "
        "or --suggest");
  check_outputs(
      {{arguments.output, kModelFile}, {arguments.held, kHeldTable}, {arguments.questions, kQuestionTable}},
      {arguments.labels});
}

// Answers that the model does not have are not replaced by new questions.
void check_answers(const std::filesystem::path& questions, const TrainedModel& model) {
  if (questions.empty() || questions == kStandardOutput || !is_question_table(questions)) return;
  const std::int64_t answers = new_answers(questions, model.data, model.known);
  if (answers > 0)
    fail(
        "{} holds {} that the model has not learned; `heatfront label … --labels {}` first, or give another "
        "file",
        questions.string(), counted(answers, "answer"), shell_word(questions.string()));
}

std::string tables_text(const Arguments& arguments, const std::filesystem::path& questions,
                        const Session& session) {
  std::string text;
  if (!arguments.held.empty())
    text += fmt::format("\nwritten to {}: {}", path_text(arguments.held),
                        counted(std::ssize(session.model().known.nodes), "label"));
  if (!questions.empty())
    text += fmt::format(
        "\nwritten to {}: fill the column `label`, then `heatfront label {} --labels {} --train -o {}`",
        path_text(questions), path_text(arguments.model.path), path_text(questions),
        path_text(arguments.model.path));
  return text;
}

void run(const Arguments& arguments, Console& console) {
  std::optional<SuggestBy> by;
  if (!arguments.suggest_by.empty()) by = find_suggest_by(arguments.suggest_by);
  check(arguments);
  const Ranks& ranks = console.cluster->ranks();
  std::optional<FileLock> lock;
  agreed(ranks, [&] {  // before reading: MODEL2 may be MODEL
    if (console.writes_files()) lock.emplace(arguments.output);
  });
  AnyModel held = arguments.model.read(console);
  if (auto* const targets = std::get_if<TargetModel>(&held)) {
    refuse_class_flags({{"--new-class", !arguments.new_classes.empty()},
                        {"--label-scale", arguments.label_scale.has_value()},
                        {"--suggest", arguments.suggest > 0},
                        {"--data", !arguments.data.data.empty()}});
    return label_targets(std::move(*targets),
                         {.labels = arguments.labels,
                          .output = arguments.output,
                          .held = arguments.held,
                          .add = arguments.add,
                          .set = arguments.set,
                          .unset = arguments.unset,
                          .include_validation = arguments.include_validation,
                          .undo = arguments.undo,
                          .train = arguments.train},
                         console);
  }
  if (arguments.train && ranks.count() > 1)
    fail("--train: `heatfront train` is what trains on parts; give this command without mpiexec");
  Session opened(std::get<TrainedModel>(std::move(held)), console.threads());
  arguments.data.take(opened, console);
  const Stopwatch watch;
  std::optional<GrownSession> grown;
  if (!arguments.add.folder.empty()) grown = arguments.add.grow(opened, console);
  Session& labelled = grown ? *grown->session : opened;
  BeforeLabels before;
  if (arguments.changes()) {
    before = before_labels(labelled);
    change_labels(arguments, labelled, console);
  }
  check_answers(arguments.questions, labelled.model());
  std::optional<Session> trained;
  std::optional<TrainedFurther> training;
  double training_seconds = 0;
  if (arguments.train) {
    const Stopwatch training_watch;
    training = train_further(labelled.model(), console.threads(), console.progress());
    training_seconds = training_watch.seconds();
    trained.emplace(training->fit.model, console.threads());
  }
  Session& session = trained ? *trained : labelled;
  const Answer answer = session.solve();
  const double seconds = watch.seconds();
  const Dataset& data = session.model().data;
  agreed(ranks, [&] {
    if (!console.writes_files()) return;
    if (!arguments.output.empty()) write_model(session.model(), arguments.output);
    if (!arguments.held.empty()) write_held_labels(session.model(), arguments.held);
  });

  Json object = json_of(session);
  std::filesystem::path questions = arguments.questions;  // empty where there is nothing to ask
  std::string text = text_of(session);
  if (grown) {
    object["added"] = json_of(grown->growth, *grown->session, grown->answer);
    text += "\n" + text_of(grown->growth, *grown->session, grown->answer);
  }
  if (arguments.changes()) {
    const LabelEffect effect = effect_of(before, session, answer);
    object.update(json_of(effect, data));
    text += "\n" + text_of(effect, session);
  }
  if (training) {
    object["training"] = json_of(*training);
    text += "\n" + text_of(*training, training_seconds);
  }
  if (arguments.suggest > 0) {
    const SuggestOptions options{.count = arguments.suggest, .by = by.value_or(default_suggest_by(session))};
    const std::vector<Suggestion> suggestions = suggest(session, answer, options);
    if (suggestions.empty()) questions.clear();
    if (!questions.empty() && console.writes_files())
      write_questions(data, questions_of(suggestions, answer), questions);
    object["suggestions"] = json_of(suggestions, data);
    text += "\n\n" + text_of(suggestions, data, options);
  }
  object.update(json_of(answer.temperatures.report));
  object["seconds"] = seconds;
  object["saved"] = json_path(arguments.output);
  object["exported"] = json_path(arguments.held);
  object["asked"] = json_path(questions);
  if (arguments.changes() || grown || !arguments.output.empty()) {
    text += fmt::format(
        "\n\nsolved in {}: {}\n{}", time_text(seconds), text_of(answer.temperatures.report),
        arguments.output.empty() ? "not saved: -o FILE keeps it" : "saved to " + path_text(arguments.output));
  }
  console.result(object, text + tables_text(arguments, questions, session));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  arguments->data.add_to(flags, "label");
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
  flags.flag("--undo", arguments->undo,
             "Take back the labels that the last `label -o` changed, before anything else; training is not "
             "taken back");
  flags.flag("--train", arguments->train,
             "Train the model again, with its settings, on all labels that it then holds. A network goes on "
             "from where "
             "it was, unless training anew does better on labels that it did not have");
  flags.option(
      "--label-scale", arguments->label_scale,
      "Of heat-front: temperature of every known label, next to the front's logits; default: the model's own",
      "X");
  flags.option("--suggest", arguments->suggest, "Name this many nodes that are most worth labelling next",
               "K");
  flags.option(
      "--suggest-by", arguments->suggest_by,
      "change: how many nodes the label is expected to change (the default where the model flows, as "
      "linear-front and heat-front do); margin: the smallest lead (the default of others)",
      "WHAT");
  flags.output("--ask", arguments->questions,
               "Write the suggested nodes with an empty column `label`, for a person to fill and --labels to "
               "read",
               "FILE.csv");
  flags.output(
      "--export", arguments->held,
      "Write every label held: node, label, whether from the data or a review, which change set it, and when",
      "FILE.csv");
  arguments->add.add_to(flags, "-o then keeps them in the model");
  flags.output("-o,--output", arguments->output, "Write the model with its new labels; may be MODEL itself",
               "MODEL2");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace label_command

const Command kLabelCommand{
    "label", "Sets, changes and removes labels of a trained model, at once, and trains it again if asked to",
    "heatfront label karate.hf --set 9=Officer --suggest 5 -o karate.hf", label_command::define};

}  // namespace heatfront::cli
