// SPDX-License-Identifier: MIT
#include "heatfront_report/dataset_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/graph/components.h"
#include "heatfront_report/tables.h"
#include "heatfront_report/target_report.h"

namespace heatfront {
namespace {

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

std::string changes_text(const BuildReport& changes, bool weighted) {
  std::string text;
  const auto add = [&](std::int64_t count, std::string_view what, std::string_view rest) {
    if (count > 0) text += (text.empty() ? "" : ", ") + counted(count, what, rest);
  };
  add(changes.loops, "loop", " removed");
  add(changes.zeros, "arc", " of weight 0 (or below 1e-30) removed");
  add(changes.repeats, "repeated arc", weighted ? " merged, weights added" : " merged");
  add(changes.one_way, "edge", " given in one direction, the other added");
  add(changes.uneven, "edge", " with two weights averaged");
  return text.empty() ? "none" : text;
}

// What a column became, in a few words.
std::string column_text(const TableColumn& column) {
  switch (column.kind) {
    case ColumnKind::number: return column.decimal_comma ? "with decimal comma" : "";
    case ColumnKind::date:
      return fmt::format("{}, days since {}", name_of(column.form), date_text(column.first_day));
    case ColumnKind::category:
      return counted(std::ssize(column.categories), "value") + (column.pools ? ", rarer ones pooled" : "");
    case ColumnKind::unused: return column.why;
  }
  return {};
}

double missing_share(const TableColumn& column, const TableSchema& table) {
  return static_cast<double>(column.missing) / static_cast<double>(std::max<std::int64_t>(1, table.rows));
}

Json json_of(const TableSchema& table) {
  Json columns = Json::array();
  for (const TableColumn& column : table.columns) {
    Json entry = {{"name", column.name},
                  {"kind", name_of(column.kind)},
                  {"what", column_text(column)},
                  {"missing", missing_share(column, table)},
                  {"example", column.example}};
    if (column.kind == ColumnKind::category) entry["categories"] = column.categories;
    columns.push_back(std::move(entry));
  }
  return columns;
}

// The columns of the table that features were made of, each with its kind, missing share and example.
std::string columns_table(const TableSchema& table) {
  constexpr std::size_t kMostColumns = 60;
  TextRows rows = {{"  column", "kind", "missing", "example", "read as"}};
  for (const TableColumn& column : table.columns) {
    if (rows.size() > kMostColumns) break;
    rows.push_back({"  " + shown(column.name), std::string(name_of(column.kind)),
                    column.missing == 0 ? "" : fmt::format("{:.1f} %", 100 * missing_share(column, table)),
                    column.example, column_text(column)});
  }
  const auto left = std::ssize(table.columns) - (std::ssize(rows) - 1);
  return "\n\n" + text_table(std::move(rows)) +
         (left > 0 ? fmt::format("\n  … and {} more", grouped(left)) : "");
}

template <class Entries, class Option>
std::string_view name_in(const Entries& entries, Option Entries::value_type::*member, Option option) {
  return std::ranges::find(entries, option, member)->name;
}

}  // namespace

Json json_of(const Split& split) {
  return {{"name", split.name},
          {"train", split.train.size()},
          {"validation", split.validation.size()},
          {"test", split.test.size()},
          {"hash", split.hash()}};
}

std::string text_of(const Split& split) {
  return fmt::format("{}: {} train, {} validation, {} test (hash {})", printable(split.name),
                     grouped(std::ssize(split.train)), grouped(std::ssize(split.validation)),
                     grouped(std::ssize(split.test)), split.hash());
}

std::string included_text(const Judged& judged) {
  // How many, as long as there are others left to judge by.
  const auto included = [](std::string_view part, std::int64_t known, const std::vector<NodeId>& left) {
    return left.empty() ? fmt::format("{} labels included", part)
                        : fmt::format("{} of {} {} labels included", grouped(known),
                                      grouped(known + std::ssize(left)), part);
  };
  std::vector<std::string> parts;
  if (judged.validation_included)
    parts.push_back(included("validation", judged.validation_known, judged.split.validation));
  if (judged.test_included) parts.push_back(included("test", judged.test_known, judged.split.test));
  return parts.empty() ? "" : ": " + join(parts, ", ");
}

std::vector<std::string> remarks_on(const Dataset& dataset) {
  std::vector<std::string> remarks = dataset.notes;
  if (dataset.classes() == 1)
    remarks.push_back(fmt::format("all labels are of one class, {}: there is nothing to tell apart",
                                  dataset.class_names[0]));
  return remarks;
}

std::vector<std::string> untrained_remarks(const Dataset& dataset, const Split& split) {
  std::vector<std::string> names;
  for (ClassId c : untrained_classes(dataset, split)) names.push_back(dataset.class_names[at(c)]);
  if (names.empty() || split.train.empty()) return {};
  return {
      fmt::format("no label of {} is among those that train ({}), so no node can get {}; --split "
                  "\"per-class 1,1\" trains on one of each class, and `heatfront solve` holds all labels",
                  join(names, ", "), split.name, names.size() == 1 ? "it" : "them")};
}

Description describe(const Dataset& dataset) {
  Description description{.class_counts = std::vector<std::int64_t>(dataset.class_names.size()),
                          .labelled = std::ssize(dataset.targets.nodes)};
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

Json json_of(const Dataset& dataset, const Description& about) {
  Json object = {
      {"name", dataset.name},
      {"nodes", dataset.nodes()},
      {"edges", dataset.graph.edges()},
      {"arcs", dataset.graph.arcs()},
      {"weighted", !dataset.weights.empty()},
      {"features", dataset.features.cols()},
      {"columns", json_of(dataset.table)},
      {"feature_entries", dataset.features.entries()},
      {"classes", dataset.classes()},
      {"class_names", dataset.class_names},
      {"class_counts", about.class_counts},
      {"labelled", about.labelled},
      {"isolated", about.isolated},
      {"components", about.components},
      {"largest_component", about.largest_component},
      {"homophily", json_number(about.homophily)},
      {"split", dataset.split ? json_of(*dataset.split) : Json()},
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
  if (dataset.targets.present()) object["labels"] = json_of(dataset.targets);
  return object;
}

std::string text_of(const Dataset& dataset, const Description& about) {
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
                           : fmt::format("{:.1f} % of the edges between labelled nodes join the same class",
                                         100 * about.homophily));
  }
  lines.emplace_back("features", features_text(dataset.features));
  if (dataset.targets.present()) {
    lines.emplace_back("labels", fmt::format("{}, of {}", text_of(dataset.targets),
                                             counted(std::ssize(dataset.targets.nodes), "node")));
  } else {
    lines.emplace_back("classes", classes_text(dataset, about));
  }
  lines.emplace_back("split", dataset.split ? text_of(*dataset.split) : "none");
  lines.emplace_back("changes", changes_text(dataset.changes, !dataset.weights.empty()));
  lines.emplace_back("fingerprint", about.fingerprint.whole());
  for (const std::string& note : dataset.notes) lines.emplace_back("note", printable(note));
  std::string text = printable(dataset.name);
  for (const auto& [name, value] : lines) text += fmt::format("\n  {:<12} {}", name, value);
  if (dataset.table.present()) text += columns_table(dataset.table);
  return text;
}

NeighbourReport report_of(const Dataset& dataset, const JoinedPoints& joined, const KernelOptions& kernel) {
  return {dataset, joined, kernel, connected_components(dataset.graph).count()};
}

Json json_of(const NeighbourReport& report) {
  const auto& [dataset, joined, kernel, components] = report;
  return {{"dataset", dataset.name},
          {"points", dataset.nodes()},
          {"k", joined.knn.k},
          {"metric", name_of(joined.knn.metric)},
          {"kernel", name_in(kernels(), &KernelEntry::kernel, kernel.kernel)},
          {"sigma", joined.built.sigma ? Json(*joined.built.sigma) : Json()},
          {"joined", name_in(joinings(), &JoiningEntry::joining, kernel.joining)},
          {"exact", !joined.knn.approximate},
          {"recall", joined.recall},
          {"edges", dataset.graph.edges()},
          {"components", components},
          {"lifted", joined.built.lifted},
          {"seconds", joined.seconds}};
}

std::string text_of(const NeighbourReport& report) {
  const auto& [dataset, joined, kernel, components] = report;
  const NeighbourGraph& built = joined.built;
  std::string text =
      fmt::format("{}: {} points joined to their {} nearest by {} in {} ({}", printable(dataset.name),
                  grouped(dataset.nodes()), joined.knn.k, counted(dataset.graph.edges(), "edge"),
                  counted(components, "component"), name_in(kernels(), &KernelEntry::kernel, kernel.kernel));
  if (built.sigma) text += fmt::format(", sigma {:.6g}", *built.sigma);
  text += joined.knn.approximate ? fmt::format(", approximate, recall {:.4f})", joined.recall)
                                 : std::string(", exact)");
  if (built.lifted > 0)
    text += fmt::format("\n{} so long that {} weight was raised to the least there is",
                        counted(built.lifted, "edge", built.lifted == 1 ? " was" : " were"),
                        built.lifted == 1 ? "its" : "their");
  return text;
}

}  // namespace heatfront
