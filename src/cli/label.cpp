// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/model_argument.h"
#include "cli/output_kind.h"
#include "cli/predictions.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/file_lock.h"
#include "heatfront/base/stopwatch.h"
#include "heatfront/base/text.h"
#include "heatfront/data/label_file.h"
#include "heatfront/data/names.h"
#include "heatfront/label/suggest.h"
#include "heatfront/models/model_file.h"

namespace heatfront::cli {
namespace label_command {

constexpr std::size_t kShown = 20;
constexpr std::size_t kEchoed = 5;  // labels that were set

struct Arguments {
  ModelArgument model;
  std::vector<std::string> set, unset, new_classes;
  std::filesystem::path labels, output;
  bool include_validation = false, undo = false;
  std::optional<double> label_scale;
  std::int64_t suggest = 0;
  std::string suggest_by;  // empty: what the model can do

  bool changes() const {
    return undo || include_validation || label_scale || !labels.empty() || !new_classes.empty() ||
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
    for (const NodeLabel& entry : read_label_file(arguments.labels, session.model().data))
      session.set(entry.node, entry.label);
  }
  for (const std::string& name : arguments.unset) session.unset(find_node(session.model().data, name));
  for (const std::string& assignment : arguments.set) set_label(session, assignment);
  session.close_batch();
}

void check_suggest(const Arguments& arguments) {
  if (arguments.suggest < 0) fail("--suggest {}: it must be 0 or more", arguments.suggest);
  if (!arguments.suggest_by.empty() && arguments.suggest_by != "change" && arguments.suggest_by != "margin")
    fail("--suggest-by {}: there are: change, margin", arguments.suggest_by);
}

SuggestOptions suggest_options(const Arguments& arguments, const Session& session) {
  const bool change = arguments.suggest_by.empty() ? session.flows() : arguments.suggest_by == "change";
  return {.count = arguments.suggest, .by = change ? SuggestBy::expected_change : SuggestBy::margin};
}

// How things were before the labels changed.
struct Before {
  std::vector<std::string> class_names;
  KnownLabels known;
  Answer answer;
};

struct LabelCounts {
  std::int64_t added = 0, changed = 0, removed = 0;
  std::vector<NodeId> set;  // those added and changed
};

LabelCounts count_labels(const KnownLabels& before, const Session& session) {
  LabelCounts counts;
  std::map<NodeId, ClassId> earlier;
  for (std::size_t i = 0; i < before.nodes.size(); ++i) {
    earlier[before.nodes[i]] = before.classes[i];
    counts.removed += session.known_class(before.nodes[i]) == kUnknown;
  }
  for (NodeId u : session.model().known.nodes) {
    const auto found = earlier.find(u);
    if (found != earlier.end() && found->second == session.known_class(u)) continue;
    ++(found == earlier.end() ? counts.added : counts.changed);
    counts.set.push_back(u);
  }
  return counts;
}

// What the changed labels did.
struct Effect {
  LabelCounts labels;
  std::vector<ChangedNode> moved, told;  // by the flow, and because their own label is another now
  Judged judged_before, judged;
  Split judges;  // nodes that are known neither before nor after
  Scores before, after;
  Scores now;  // by all nodes that are not known after
};

Effect effect_of(const Before& before, const Session& session, const Answer& answer) {
  const TrainedModel& model = session.model();
  Effect effect{.labels = count_labels(before.known, session)};
  for (const ChangedNode& node : changed(before.answer, answer))
    (node.told ? effect.told : effect.moved).push_back(node);
  effect.judged_before = judged_by(model.split(), before.known.nodes);
  effect.judged = judged_by(model.split(), model.known.nodes);
  effect.judges = judged_by(effect.judged.split, before.known.nodes).split;
  effect.before = scores(before.answer, model.data, effect.judges);
  effect.after = scores(answer, model.data, effect.judges);
  effect.now = scores(answer, model.data, effect.judged.split);
  return effect;
}

Json changes_json(const Effect& effect, const Before& before, const Dataset& data) {
  Json list = Json::array();
  for (const std::vector<ChangedNode>* nodes : {&effect.moved, &effect.told}) {
    for (const ChangedNode& node : *nodes) {
      list.push_back({{"node", data.node_name(node.node)},
                      {"before", before.class_names[static_cast<std::size_t>(node.before)]},
                      {"after", class_name(data, node.after)},
                      {"margin_before", node.margin_before},
                      {"margin_after", node.margin_after},
                      {"moved_by", node.moved},
                      {"told", node.told}});
    }
  }
  return list;
}

std::string moved_table(const Effect& effect, const Before& before, const Dataset& data) {
  std::vector<std::vector<std::string>> rows = {
      {"node", "before", "after", "margin before", "margin after", "moved by"}};
  for (std::size_t i = 0; i < std::min(kShown, effect.moved.size()); ++i) {
    const ChangedNode& node = effect.moved[i];
    rows.push_back({data.node_name(node.node), before.class_names[static_cast<std::size_t>(node.before)],
                    class_name(data, node.after), fmt::format("{:.3f}", node.margin_before),
                    fmt::format("{:.3f}", node.margin_after), fmt::format("{:.3f}", node.moved)});
  }
  const auto more = std::ssize(effect.moved) - std::ssize(rows) + 1;
  return "\n\n" + table(rows) +
         (more > 0 ? fmt::format("\n… and {} more, which --json lists", grouped(more)) : "");
}

std::string set_text(const LabelCounts& labels, const Session& session) {
  const Dataset& data = session.model().data;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kEchoed, labels.set.size()); ++i) {
    const NodeId u = labels.set[i];
    shown.push_back(fmt::format("{} = {}", data.node_name(u), class_name(data, session.known_class(u))));
  }
  if (shown.empty()) return "";
  return ": " + join(shown, ", ") + (shown.size() < labels.set.size() ? ", …" : "");
}

// Of the nodes that the flow did not move: their own label is another, or was taken away.
std::string told_text(const Effect& effect, const Session& session) {
  const auto taken = std::ranges::count_if(
      effect.told, [&](const ChangedNode& node) { return session.known_class(node.node) == kUnknown; });
  const auto told = std::ssize(effect.told) - taken;
  std::string text;
  if (told > 0)
    text =
        fmt::format(", not counting {} told so by {} own label", grouped(told), told == 1 ? "its" : "their");
  if (taken > 0)
    text += fmt::format("{} {} whose own label was taken away", told > 0 ? " and" : ", not counting",
                        grouped(taken));
  return text;
}

// Before and after on the same nodes; where labels were taken away, also by the nodes that judge again.
std::string accuracy_text(const Effect& effect) {
  const auto nodes = [](const Split& split) {
    return fmt::format("{} and {}", grouped(std::ssize(split.validation)),
                       counted(std::ssize(split.test), "node"));
  };
  const Split& judges = effect.judges;
  std::string text = "\n  accuracy   ";
  if (judges.validation.empty() && judges.test.empty()) {
    text += "cannot be compared: no label of validation and test is unknown both before and after";
  } else {
    text +=
        fmt::format("validation {} → {}, test {} → {}, on {} whose label is known neither before nor after",
                    percent(effect.before.validation), percent(effect.after.validation),
                    percent(effect.before.test), percent(effect.after.test), nodes(judges));
  }
  if (const std::string included = included_text(effect.judged_before); !included.empty())
    text += " (before" + included + ")";
  const Split& now = effect.judged.split;
  if (now.validation.size() + now.test.size() > judges.validation.size() + judges.test.size())
    text += fmt::format("\n  now        validation {}, test {}, on {} whose label is not known",
                        percent(effect.now.validation), percent(effect.now.test), nodes(now));
  return text;
}

std::string effect_text(const Effect& effect, const Before& before, const Session& session) {
  const Dataset& data = session.model().data;
  std::string text =
      fmt::format("\n  labels     {} new, {} changed, {} removed{}\n  moved      {} {} another class",
                  grouped(effect.labels.added), grouped(effect.labels.changed),
                  grouped(effect.labels.removed), set_text(effect.labels, session),
                  grouped(std::ssize(effect.moved)), effect.moved.size() == 1 ? "node has" : "nodes have");
  text += told_text(effect, session) + accuracy_text(effect);
  return text + (effect.moved.empty() ? "" : moved_table(effect, before, data));
}

Json scores_json(const Scores& scores, const Judged& judged) {
  return {{"validation_accuracy", json_number(scores.validation)},
          {"test_accuracy", json_number(scores.test)},
          {"validation_labels_included", judged.validation_included},
          {"test_labels_included", judged.test_included}};
}

void add_effect(const Effect& effect, const Before& before, const Dataset& data, Json& object) {
  object["labels"] = {
      {"added", effect.labels.added}, {"changed", effect.labels.changed}, {"removed", effect.labels.removed}};
  object["moved"] = effect.moved.size();
  object["told"] = effect.told.size();
  object["judged"] = {{"validation", effect.judges.validation.size()}, {"test", effect.judges.test.size()}};
  object["before"] = scores_json(effect.before, effect.judged_before);
  object["after"] = scores_json(effect.after, effect.judged);
  object["changes"] = changes_json(effect, before, data);
}

bool has_label(const Dataset& data, NodeId u) { return data.labels[at(u)] != kUnknown; }

Json suggestions_json(const std::vector<Suggestion>& suggestions, const Dataset& data) {
  Json list = Json::array();
  for (const Suggestion& node : suggestions) {
    list.push_back({{"node", data.node_name(node.node)},
                    {"class", class_name(data, node.label)},
                    {"margin", node.margin},
                    {"expected_change", json_number(node.expected_change)},
                    {"held_back", has_label(data, node.node)}});
  }
  return list;
}

std::string suggestions_text(const std::vector<Suggestion>& suggestions, const Arguments& arguments,
                             const Dataset& data) {
  std::vector<std::vector<std::string>> rows = {
      {"worth labelling", "class now", "margin", "nodes it may change"}};
  for (const Suggestion& node : suggestions) {
    rows.push_back({data.node_name(node.node), class_name(data, node.label),
                    fmt::format("{:.3f}", node.margin),
                    std::isnan(node.expected_change) ? "–" : fmt::format("{:.1f}", node.expected_change)});
  }
  const auto held_back =
      std::ranges::count_if(suggestions, [&](const Suggestion& node) { return has_label(data, node.node); });
  std::string text = "\n\n" + table(rows);
  if (std::ssize(suggestions) < arguments.suggest) text += "\nThe other candidates are neighbours of these.";
  if (held_back > 0)
    text += fmt::format("\n{} of them {} a label in the data, which the split holds back for judging.",
                        held_back, held_back == 1 ? "has" : "have");
  return text;
}

void run(const Arguments& arguments, Console& console) {
  check_suggest(arguments);
  if (!arguments.changes() && arguments.suggest == 0)
    fail("nothing to do; there are --set, --unset, --labels, --include-validation, --undo and --suggest");
  check_replaceable(arguments.output, kModelFile);
  const FileLock lock(arguments.output);  // before reading: MODEL2 may be MODEL
  Session session = arguments.model.open(console);
  const Stopwatch watch;
  Before before;
  if (arguments.changes()) {
    before = {session.model().data.class_names, session.model().known, session.solve(console.threads())};
    change_labels(arguments, session);
  }
  const Answer answer = session.solve(console.threads());
  const double seconds = watch.seconds();
  const Dataset& data = session.model().data;
  if (!arguments.output.empty()) write_model(session.model(), arguments.output);

  Json object = model_json(session);
  std::string text = model_text(session);
  if (arguments.changes()) {
    const Effect effect = effect_of(before, session, answer);
    add_effect(effect, before, data, object);
    text += effect_text(effect, before, session);
  }
  if (arguments.suggest > 0) {
    const std::vector<Suggestion> suggestions =
        suggest(session, answer, suggest_options(arguments, session), console.threads());
    object["suggestions"] = suggestions_json(suggestions, data);
    text += suggestions_text(suggestions, arguments, data);
  }
  object.update(certificate_json(answer.temperatures.report));
  object["seconds"] = seconds;
  object["saved"] = arguments.output.empty() ? Json() : Json(arguments.output.string());
  if (arguments.changes() || !arguments.output.empty()) {
    text += fmt::format(
        "\n\nsolved in {}: {}\n{}", time_text(seconds), certificate_text(answer.temperatures.report),
        arguments.output.empty() ? "not saved: -o FILE keeps it" : "saved to " + arguments.output.string());
  }
  console.result(object, text);
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  flags.option("--set", arguments->set,
               "Hold this node at this class, each by name or number; may be repeated", "NODE=CLASS");
  flags.option("--unset", arguments->unset, "Hold this node no longer; may be repeated", "NODE");
  flags.option("--labels", arguments->labels, "Labels from a file of node,label, by name", "FILE.csv");
  flags.option("--new-class", arguments->new_classes,
               "A class that training did not know, for --set and --labels; may be repeated", "NAME");
  flags.flag("--include-validation", arguments->include_validation,
             "Hold the validation nodes at their labels; numbers are marked so from then on");
  flags.flag("--undo", arguments->undo, "Take back what the last `label -o` changed, before anything else");
  flags.option("--label-scale", arguments->label_scale,
               "Temperature of every known label, beside the front's logits; without it, the model's own",
               "X");
  flags.option("--suggest", arguments->suggest, "Name the nodes most worth labelling next", "K");
  flags.option(
      "--suggest-by", arguments->suggest_by,
      "change: how many nodes the label is expected to change (heat-front, its default); margin: the "
      "smallest lead",
      "WHAT");
  flags.option("-o,--output", arguments->output, "Write the model with its new labels; may be MODEL itself",
               "MODEL2");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace label_command

const Command kLabelCommand{"label", "Sets, changes and removes labels of a trained model; trains nothing",
                            "heatfront label cora.hf --set 2034=4 --suggest 5 -o cora.hf",
                            label_command::define};

}  // namespace heatfront::cli
