// SPDX-License-Identifier: MIT
#include "heatfront_report/ranking_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/tables/csv_file.h"
#include "heatfront_report/explanation_report.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/tables.h"

namespace heatfront {
namespace {

constexpr std::size_t kRankedShown = 20;

double labels_share(const RankedNode& node) {
  return node.reasons ? share_of_labels(*node.reasons) : std::numeric_limits<double>::quiet_NaN();
}

std::string reasons_of(const RankedNode& node, const Dataset& data) {
  return node.reasons ? reasons_text(*node.reasons, data) : "";
}

}  // namespace

Json json_of(const Ranking& ranking, const Session& session, const Answer& answer) {
  const Dataset& data = session.model().data;
  Json nodes = Json::array();
  for (const RankedNode& node : ranking.nodes) {
    const std::size_t u = at(node.node);
    nodes.push_back({{"node", data.node_name(node.node)},
                     {"probability", node.share},
                     {"class", class_name(data, answer.decisions.classes[u])},
                     {"confidence", answer.decisions.confidence[u]},
                     {"margin", json_number(margin_shown(answer.decisions, u))},
                     {"status", name_of(answer.decisions.status[u])},
                     {"share_of_labels", json_number(labels_share(node))},
                     {"reasons", reasons_of(node, data)}});
  }
  return {{"class", class_name(data, ranking.label)}, {"candidates", ranking.candidates}, {"nodes", nodes}};
}

std::string text_of(const Ranking& ranking, const Session& session, const Answer& answer) {
  const Dataset& data = session.model().data;
  TextRows rows = {{"node", "probability", "class now", "strongest reasons"}};
  const std::size_t shown = std::min(kRankedShown, ranking.nodes.size());
  for (const RankedNode& node : std::span(ranking.nodes).first(shown))
    rows.push_back({data.node_name(node.node), percent(node.share),
                    class_name(data, answer.decisions.classes[at(node.node)]), reasons_of(node, data)});
  std::string text =
      fmt::format("The {} likeliest to be {}, of {}:\n{}", counted(std::ssize(ranking.nodes), "node"),
                  printable(class_name(data, ranking.label)), grouped(ranking.candidates), text_table(rows));
  if (const auto more = ranking.nodes.size() - shown; more > 0)
    text += fmt::format("\n… and {} more, which -o FILE.csv and --json list", more);
  if (!session.is_linear())
    text += fmt::format("\nAnswers of {} are not a sum of parts, so there are no reasons.",
                        session.model().model);
  return text;
}

void write_ranking(const Ranking& ranking, const Session& session, const Answer& answer,
                   const std::filesystem::path& path) {
  const Dataset& data = session.model().data;
  CsvFile file(path, "node,class,confidence,margin,status,probability,share_of_labels,reasons");
  for (const RankedNode& node : ranking.nodes) {
    const std::size_t u = at(node.node);
    file.add("{},{},{:.6g},{},{},{:.6g},{},{}\n", csv_cell(data.node_name(node.node)),
             csv_cell(class_name(data, answer.decisions.classes[u])), answer.decisions.confidence[u],
             csv_number(margin_shown(answer.decisions, u), 6), name_of(answer.decisions.status[u]),
             node.share, csv_number(labels_share(node), 4), csv_cell(reasons_of(node, data)));
  }
  file.commit();
}

}  // namespace heatfront
