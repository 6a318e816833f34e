// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/label_file.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/names.h"
#include "heatfront_io/tables/dataset_tables.h"

namespace heatfront {
namespace {

IdTable nodes_of(const Dataset& dataset) {
  IdTable nodes(static_cast<std::size_t>(dataset.nodes()));
  for (NodeId u = 0; u < dataset.nodes(); ++u) nodes.number(dataset.node_name(u));
  return nodes;
}

constexpr std::string_view kClassNames[] = {"class", "label", "category"};
constexpr std::string_view kShareNames[] = {"share", "prior", "probability", "mass", "count"};

}  // namespace

std::vector<NodeLabel> read_label_file(const std::filesystem::path& path, const Dataset& dataset,
                                       std::string_view advice) {
  const CsvTable table(path);
  std::vector<std::string> notes;
  Problems problems;
  const Labels labels = LabelTable(table, {}, notes)
                            .read(nodes_of(dataset), dataset.class_names, notes, problems,
                                  fmt::format("is not a node of {}", dataset.name), advice);
  problems.throw_if_any();
  std::vector<NodeLabel> result;
  for (std::size_t u = 0; u < labels.labels.size(); ++u) {
    if (labels.labels[u] != kUnknown) result.push_back({static_cast<NodeId>(u), labels.labels[u]});
  }
  return result;
}

std::vector<double> read_prior_file(const std::filesystem::path& path, const Dataset& dataset) {
  const CsvTable table(path);
  std::vector<double> prior(dataset.class_names.size());
  std::vector<std::int64_t> lines(prior.size());  // where it was said, 0: nowhere
  double sum = 0;
  for (CsvRows rows = CsvHeader(table, {kClassNames, kShareNames}).rows(); rows.next();) {
    const auto cells = rows.cells();
    if (cells.size() != 2) fail("{}: {} columns; class,share is expected", rows.place(), cells.size());
    const auto name = std::ranges::find(dataset.class_names, cells[0]);
    if (name == dataset.class_names.end())
      fail("{}: '{}' is not a class of {}; there are: {}", rows.place(), shown(cells[0]), dataset.name,
           listed_classes(dataset.class_names));
    const auto label = static_cast<std::size_t>(name - dataset.class_names.begin());
    if (lines[label] != 0)
      fail("{}: class '{}' again, line {} has it already; give it once", rows.place(), shown(cells[0]),
           lines[label]);
    lines[label] = rows.line();
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

}  // namespace heatfront
