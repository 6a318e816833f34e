// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <cmath>

#include "cli/arguments.h"
#include "cli/command.h"
#include "heatfront/graph/components.h"

namespace heatfront::cli {
namespace info_command {

struct Description {
  std::vector<std::int64_t> class_counts;
  std::int64_t labelled = 0;
  NodeId isolated = 0;
  NodeId components = 0;
  NodeId largest_component = 0;
  double homophily = 0;
  DatasetFingerprint fingerprint;
};

Description describe(const Dataset& dataset) {
  Description description{.class_counts = std::vector<std::int64_t>(dataset.class_names.size())};
  for (ClassId label : dataset.labels) {
    if (label == kUnknown) continue;
    ++description.labelled;
    ++description.class_counts[static_cast<std::size_t>(label)];
  }
  const Components components = connected_components(dataset.graph);
  description.isolated = count_isolated(dataset.graph);
  description.components = components.count();
  description.largest_component = components.largest();
  description.homophily = homophily(dataset.graph, dataset.labels);
  description.fingerprint = fingerprint(dataset);
  return description;
}

Json to_json(const Dataset& dataset, const Description& about) {
  return {
      {"name", dataset.name},
      {"nodes", dataset.nodes()},
      {"edges", dataset.graph.edges()},
      {"arcs", dataset.graph.arcs()},
      {"weighted", !dataset.weights.empty()},
      {"features", dataset.features.cols()},
      {"feature_entries", dataset.features.entries()},
      {"classes", dataset.classes()},
      {"class_names", dataset.class_names},
      {"class_counts", about.class_counts},
      {"labelled", about.labelled},
      {"isolated", about.isolated},
      {"components", about.components},
      {"largest_component", about.largest_component},
      {"homophily", std::isnan(about.homophily) ? Json() : Json(about.homophily)},
      {"split", dataset.split ? split_json(*dataset.split) : Json()},
      {"fingerprint", about.fingerprint.whole()},
      {"fingerprints",
       {{"graph", about.fingerprint.graph},
        {"features", about.fingerprint.features},
        {"labels", about.fingerprint.labels},
        {"split", dataset.split ? Json(about.fingerprint.split) : Json()}}},
      {"removed",
       {{"loops", dataset.changes.loops},
        {"repeats", dataset.changes.repeats},
        {"zeros", dataset.changes.zeros}}},
      {"symmetrised", dataset.changes.one_way},
      {"averaged", dataset.changes.uneven},
      {"notes", dataset.notes},
  };
}

std::string features_text(const Features& features) {
  if (!features.present()) return "none";
  if (features.dense()) return fmt::format("{}, dense", grouped(features.cols()));
  return fmt::format("{}, sparse, {} entries", grouped(features.cols()), grouped(features.entries()));
}

std::string classes_text(const Dataset& dataset, const Description& about) {
  std::string text = grouped(dataset.classes());
  constexpr std::size_t kShown = 20;
  for (std::size_t c = 0; c < std::min(kShown, dataset.class_names.size()); ++c) {
    text += fmt::format("{} {} ({})", c == 0 ? ":" : ",", printable(dataset.class_names[c]),
                        grouped(about.class_counts[c]));
  }
  return dataset.class_names.size() > kShown ? text + ", …" : text;
}

std::string changes_text(const BuildReport& changes) {
  std::string text;
  const auto add = [&](std::int64_t count, std::string_view what, std::string_view rest) {
    if (count > 0) text += (text.empty() ? "" : ", ") + counted(count, what, rest);
  };
  add(changes.loops, "loop", " removed");
  add(changes.zeros, "arc", " of weight 0 (or below 1e-30) removed");
  add(changes.repeats, "repeated arc", " merged");
  add(changes.one_way, "edge", " given in one direction completed");
  add(changes.uneven, "edge", " with two weights averaged");
  return text.empty() ? "none" : text;
}

std::string to_text(const Dataset& dataset, const Description& about) {
  const Graph& graph = dataset.graph;
  std::vector<std::pair<std::string_view, std::string>> lines;
  if (graph.arcs() == 0) {
    lines.emplace_back("points", fmt::format("{} ({} labelled), no edges", grouped(dataset.nodes()),
                                             grouped(about.labelled)));
  } else {
    lines.emplace_back("nodes", fmt::format("{} ({} labelled, {} isolated)", grouped(dataset.nodes()),
                                            grouped(about.labelled), grouped(about.isolated)));
    lines.emplace_back("edges", fmt::format("{} ({} arcs{})", grouped(graph.edges()), grouped(graph.arcs()),
                                            dataset.weights.empty() ? "" : ", weighted"));
    lines.emplace_back("components", fmt::format("{}, the largest has {}", grouped(about.components),
                                                 counted(about.largest_component, "node")));
    lines.emplace_back("homophily",
                       std::isnan(about.homophily)
                           ? "unknown"
                           : fmt::format("{:.1f} % of edges join nodes of one class", 100 * about.homophily));
  }
  lines.emplace_back("features", features_text(dataset.features));
  lines.emplace_back("classes", classes_text(dataset, about));
  lines.emplace_back("split", dataset.split ? split_text(*dataset.split) : "none");
  lines.emplace_back("changes", changes_text(dataset.changes));
  lines.emplace_back("fingerprint", about.fingerprint.whole());
  for (const std::string& note : dataset.notes) lines.emplace_back("note", printable(note));
  std::string text = printable(dataset.name);
  for (const auto& [name, value] : lines) text += fmt::format("\n  {:<12} {}", name, value);
  return text;
}

std::function<void()> define(Flags& flags, Console& console) {
  auto argument = std::make_shared<DataArgument>();
  argument->add_to(flags);
  return [argument, &console] {
    const Dataset dataset = argument->read(console);  // notes are part of the answer
    const Description about = describe(dataset);
    console.result(to_json(dataset, about), to_text(dataset, about));
  };
}

}  // namespace info_command

const Command kInfoCommand{"info", "Describes a data set", "heatfront info digits", info_command::define};

}  // namespace heatfront::cli
