// SPDX-License-Identifier: MIT
#include "cli/label_effect.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "cli/arguments.h"
#include "heatfront/base/text.h"
#include "heatfront/data/names.h"

namespace heatfront::cli {
namespace label_effect {

constexpr std::size_t kShown = 20;
constexpr std::size_t kEchoed = 5;  // labels that were set

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

Json changes_json(const LabelEffect& effect, const Dataset& data) {
  Json list = Json::array();
  for (const std::vector<ChangedNode>* nodes : {&effect.moved, &effect.told}) {
    for (const ChangedNode& node : *nodes) {
      list.push_back({{"node", data.node_name(node.node)},
                      {"before", effect.names_before[at(node.before)]},
                      {"after", class_name(data, node.after)},
                      {"margin_before", node.margin_before},
                      {"margin_after", node.margin_after},
                      {"moved_by", node.moved},
                      {"told", node.told}});
    }
  }
  return list;
}

std::string moved_table(const LabelEffect& effect, const Dataset& data) {
  std::vector<std::vector<std::string>> rows = {
      {"node", "before", "after", "margin before", "margin after", "moved by"}};
  for (std::size_t i = 0; i < std::min(kShown, effect.moved.size()); ++i) {
    const ChangedNode& node = effect.moved[i];
    rows.push_back({data.node_name(node.node), effect.names_before[at(node.before)],
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
    shown.push_back(
        printable(fmt::format("{} = {}", data.node_name(u), class_name(data, session.known_class(u)))));
  }
  if (shown.empty()) return "";
  return ": " + join(shown, ", ") + (shown.size() < labels.set.size() ? ", …" : "");
}

// Of the nodes that the flow did not move: their own label is another, or was taken away.
std::string told_text(const LabelEffect& effect, const Session& session) {
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
std::string accuracy_text(const LabelEffect& effect) {
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

Json scores_json(const Scores& scores, const Judged& judged) {
  return {{"validation_accuracy", json_number(scores.validation)},
          {"test_accuracy", json_number(scores.test)},
          {"validation_labels_included", judged.validation_included},
          {"test_labels_included", judged.test_included}};
}

}  // namespace label_effect

LabelEffect effect_of(const BeforeLabels& before, const Session& session, const Answer& answer) {
  const TrainedModel& model = session.model();
  LabelEffect effect{.names_before = before.class_names,
                     .labels = label_effect::count_labels(before.known, session)};
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

std::string effect_text(const LabelEffect& effect, const Session& session) {
  const Dataset& data = session.model().data;
  std::string text =
      fmt::format("\n  labels     {} new, {} changed, {} removed{}\n  moved      {} {} another class",
                  grouped(effect.labels.added), grouped(effect.labels.changed),
                  grouped(effect.labels.removed), label_effect::set_text(effect.labels, session),
                  grouped(std::ssize(effect.moved)), effect.moved.size() == 1 ? "node has" : "nodes have");
  text += label_effect::told_text(effect, session) + label_effect::accuracy_text(effect);
  return text + (effect.moved.empty() ? "" : label_effect::moved_table(effect, data));
}

void add_effect(const LabelEffect& effect, const Dataset& data, Json& object) {
  object["labels"] = {
      {"added", effect.labels.added}, {"changed", effect.labels.changed}, {"removed", effect.labels.removed}};
  object["moved"] = effect.moved.size();
  object["told"] = effect.told.size();
  object["judged"] = {{"validation", effect.judges.validation.size()}, {"test", effect.judges.test.size()}};
  object["before"] = label_effect::scores_json(effect.before, effect.judged_before);
  object["after"] = label_effect::scores_json(effect.after, effect.judged);
  object["now"] = label_effect::scores_json(effect.now, effect.judged);
  object["changes"] = label_effect::changes_json(effect, data);
}

}  // namespace heatfront::cli
