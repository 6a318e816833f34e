// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/label_file.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <string>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront/models/held_data.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_io/tables/dataset_tables.h"
#include "heatfront_io/tables/target_table.h"

namespace heatfront {
namespace {

IdTable nodes_of(const Dataset& dataset) {
  IdTable nodes(static_cast<std::size_t>(dataset.nodes()));
  for (NodeId u = 0; u < dataset.nodes(); ++u) nodes.number(dataset.node_name(u));
  return nodes;
}

// Of a table that has been read, so that its columns are known to be there.
std::int64_t rows_without_label(const CsvTable& table) {
  const CsvHeader header(table, {kNodeNames, kLabelNames});
  const std::size_t column = header.find(kLabelNames).value_or(header.find(kNodeNames) == 1u ? 0 : 1);
  std::int64_t count = 0;
  for (CsvRows rows = header.rows(); rows.next();) count += is_unknown_label(rows.cells()[column]);
  return count;
}

// 2026-03-01T12:00:00Z; nothing where nobody said.
std::string time_stamp(std::int64_t seconds) {
  if (seconds == 0) return {};
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

constexpr std::string_view kClassNames[] = {"class", "label", "category"};
constexpr std::string_view kShareNames[] = {"share", "prior", "probability", "mass", "count"};
constexpr std::string_view kSizeNames[] = {"size"}, kLeastNames[] = {"least", "from"},
                           kMostNames[] = {"most", "to"};

std::size_t class_in(const CsvRows& rows, std::string_view cell, const Dataset& dataset,
                     std::vector<std::int64_t>& lines) {
  const auto name = std::ranges::find(dataset.class_names, cell);
  if (name == dataset.class_names.end())
    fail("{}: '{}' is not a class of {}; choose from: {}", rows.place(), shown(cell), dataset.name,
         listed_classes(dataset.class_names));
  const auto label = static_cast<std::size_t>(name - dataset.class_names.begin());
  if (lines[label] != 0)
    fail("{}: class '{}' again, line {} has it already; give it once", rows.place(), shown(cell),
         lines[label]);
  lines[label] = rows.line();
  return label;
}

std::vector<double> shares_in(const CsvTable& table, const std::filesystem::path& path,
                              const Dataset& dataset) {
  std::vector<double> prior(dataset.class_names.size());
  std::vector<std::int64_t> lines(prior.size());  // where it was said, 0: nowhere
  double sum = 0;
  for (CsvRows rows = CsvHeader(table, {kClassNames, kShareNames}).rows(); rows.next();) {
    const auto cells = rows.cells();
    if (cells.size() != 2) fail("{}: {} columns; class,share is expected", rows.place(), cells.size());
    const std::size_t label = class_in(rows, cells[0], dataset, lines);
    const auto share = parse_real(cells[1]);
    if (!share || !std::isfinite(*share) || *share < 0) {
      fail("{}: share '{}' must be a number of 0 or more", rows.place(), shown(cells[1]));
    }
    prior[label] = static_cast<double>(*share);
    sum += static_cast<double>(*share);
  }
  if (const auto left_out = std::ranges::find(lines, 0); left_out != lines.end())
    fail("{}: no share for class {}; give every class one, 0 where none is expected", path.string(),
         in_quotes(dataset.class_names[at(left_out - lines.begin())]));
  if (!(sum > 0)) fail("{}: the shares sum to 0; at least one class must have some", path.string());
  for (double& share : prior) share /= sum;
  return prior;
}

// Nothing where the header has no such column.
std::optional<ClassVolumes> volumes_in(const CsvTable& table, const std::filesystem::path& path,
                                       const Dataset& dataset) {
  const CsvHeader header(table, {kClassNames, kSizeNames, kLeastNames, kMostNames});
  const auto size = header.find(kSizeNames), least = header.find(kLeastNames), most = header.find(kMostNames);
  if (!size && !(least && most)) return {};
  const std::size_t of_class = header.find(kClassNames).value_or(0);
  const std::size_t classes = dataset.class_names.size();
  ClassVolumes volumes{.least = std::vector<std::int64_t>(classes),
                       .most = std::vector<std::int64_t>(classes)};
  std::vector<std::int64_t> lines(classes);  // where it was said, 0: nowhere
  for (CsvRows rows = header.rows(); rows.next();) {
    const auto cells = rows.cells();
    const auto number = [&](std::size_t column) {
      const auto value = column < cells.size() ? parse_integer(cells[column]) : std::nullopt;
      if (!value || *value < 0)
        fail("{}: every class needs a whole number of nodes, 0 or more", rows.place());
      return *value;
    };
    if (of_class >= cells.size()) fail("{}: there is no class", rows.place());
    const std::size_t label = class_in(rows, cells[of_class], dataset, lines);
    volumes.least[label] = number(size ? *size : *least);
    volumes.most[label] = number(size ? *size : *most);
  }
  if (const auto left_out = std::ranges::find(lines, 0); left_out != lines.end())
    fail("{}: no size for class {}; give every class one", path.string(),
         in_quotes(dataset.class_names[at(left_out - lines.begin())]));
  return volumes;
}

}  // namespace

LabelFile read_label_file(const std::filesystem::path& path, const Dataset& dataset,
                          std::string_view advice) {
  const CsvTable table(path);
  LabelFile result;
  std::vector<std::string> unused;
  Problems problems;
  const Labels labels = LabelTable(table, {}, unused)
                            .read(nodes_of(dataset), dataset.class_names, unused, problems,
                                  fmt::format("is not a node of {}", dataset.name), advice);
  problems.throw_if_any();
  for (std::size_t u = 0; u < labels.labels.size(); ++u) {
    if (labels.labels[u] != kUnknown) result.labels.push_back({static_cast<NodeId>(u), labels.labels[u]});
  }
  if (const std::int64_t empty = rows_without_label(table); empty > 0)
    result.notes.push_back(fmt::format("{}: {} without a label {} skipped", table.name(),
                                       counted(empty, "row"), empty == 1 ? "is" : "are"));
  return result;
}

std::vector<NodeId> read_node_file(const std::filesystem::path& path, const Dataset& dataset) {
  const CsvTable table(path, Delimiter::comma);
  const IdTable nodes = nodes_of(dataset);
  const CsvHeader header(table, {kNodeNames});
  const std::size_t column = header.find(kNodeNames).value_or(0);
  std::vector<NodeId> result;
  std::vector<bool> met(at(dataset.nodes()));
  for (CsvRows rows = header.rows(); rows.next();) {
    if (rows.cells().size() <= column) fail("{}: no node in this row", rows.place());
    const auto node = nodes.find(rows.cells()[column]);
    if (!node) fail("{}: '{}' is not a node of {}", rows.place(), shown(rows.cells()[column]), dataset.name);
    if (!met[at(*node)]) result.push_back(*node);
    met[at(*node)] = true;
  }
  if (result.empty()) fail("{}: no nodes; give one per line", path.string());
  return result;
}

void write_held_labels(const TrainedModel& model, const std::filesystem::path& path) {
  check(model, model.data.name);
  CsvFile file(path, kHeldHeader);
  for (const HeldLabel& held : held_labels(model)) {
    file.add("{},{},{},{},{}\n", csv_cell(model.data.node_name(held.node)),
             csv_cell(class_name(model.data, held.label)), held.from == LabelSource::data ? "data" : "review",
             held.batch == 0 ? "" : fmt::format("{}", held.batch), time_stamp(held.time));
  }
  file.commit();
}

void write_held_labels(const TargetModel& model, const std::filesystem::path& path) {
  check(model, model.data.name);
  const bool many = model.known.kind == LabelKind::many;
  std::string header = many ? "node,label" : "node";
  for (std::size_t c = 0; !many && c < model.known.columns(); ++c)
    header.append(",").append(csv_cell(model.known.names[c]));
  CsvFile file(path, header.append(kHeldColumns));
  for (std::size_t i = 0; i < model.known.size(); ++i) {
    const NodeId u = model.known.nodes[i];
    const auto row = model.known.row(i);
    file.add("{}", csv_cell(model.data.node_name(u)));
    if (many) file.add(",{}", csv_cell(classes_text(model.known, row)));
    for (std::size_t c = 0; !many && c < row.size(); ++c) file.add(",{}", row[c]);
    const auto change = std::ranges::find(model.log.rbegin(), model.log.rend(), u, &TargetChange::node);
    if (change == model.log.rend()) {
      file.add(",data,,\n");
    } else {
      file.add(",review,{},{}\n", change->batch, time_stamp(change->time));
    }
  }
  file.commit();
}

void write_questions(const Dataset& dataset, std::span<const Question> questions,
                     const std::filesystem::path& path) {
  CsvFile file(path, kQuestionHeader);
  for (const Question& question : questions) {
    check_node(dataset, question.node);
    file.add("{},{},{:.3f},\n", csv_cell(dataset.node_name(question.node)),
             csv_cell(class_name(dataset, question.label)), question.confidence);
  }
  file.commit();
}

bool is_question_table(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  return std::getline(file, line) && trimmed(line) == kQuestionHeader;
}

std::int64_t new_answers(const std::filesystem::path& path, const Dataset& dataset,
                         const KnownLabels& known) {
  std::vector<ClassId> held(at(dataset.nodes()), kUnknown);
  for (std::size_t i = 0; i < known.nodes.size(); ++i) held[at(known.nodes[i])] = known.classes[i];
  return std::ranges::count_if(read_label_file(path, dataset).labels, [&](const NodeLabel& answer) {
    return held[at(answer.node)] != answer.label;
  });
}

ClassPrior read_prior_file(const std::filesystem::path& path, const Dataset& dataset) {
  const CsvTable table(path);
  ClassPrior prior{.volumes = volumes_in(table, path, dataset)};
  if (!prior.volumes) prior.shares = shares_in(table, path, dataset);
  return prior;
}

}  // namespace heatfront
