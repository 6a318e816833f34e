// SPDX-License-Identifier: MIT
// heatfront explain MODEL NODE: says why a node has its class.
#include "heatfront/label/explain.h"

#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/fail.h"
#include "heatfront/data/dataset.h"
#include "heatfront/label/rank.h"
#include "heatfront_io/files/output_file.h"
#include "heatfront_io/tables/label_file.h"
#include "heatfront_report/explanation_report.h"
#include "heatfront_report/output_files.h"

namespace heatfront::cli {
namespace explain_command {

struct Arguments {
  ModelArgument model;
  ModelDataArgument data;
  std::string node, rank;
  std::filesystem::path nodes, report;
  std::optional<std::int64_t> count;
};

void check(const Arguments& arguments) {
  const int ways = !arguments.node.empty() + !arguments.nodes.empty() + !arguments.rank.empty();
  if (ways == 0) fail("say what to explain: a NODE, --nodes FILE or --rank CLASS");
  if (ways > 1) fail("give only one of NODE, --nodes FILE and --rank CLASS");
  if (arguments.count && *arguments.count < 1) fail("--count {}: it must be 1 or more", *arguments.count);
  if (arguments.count && arguments.rank.empty()) fail("--count is for --rank CLASS, which is not given");
  check_outputs({{arguments.report, kReportPage}}, {arguments.nodes});
}

std::vector<Explanation> explain_many(const Arguments& arguments, Session& session, const Answer& answer) {
  const Dataset& data = session.model().data;
  if (!arguments.nodes.empty())
    return explain(session, answer, read_node_file(arguments.nodes, data), {.curves = 0, .without = 0});
  if (!arguments.rank.empty()) {
    const ClassId about = find_class(data, arguments.rank);
    std::vector<NodeId> nodes;
    for (const RankedNode& node :
         rank(session, answer,
              {.label = about, .count = arguments.count.value_or(RankOptions().count), .reasons = false})
             .nodes)
      nodes.push_back(node.node);
    return explain(session, answer, nodes, {.curves = 0, .without = 0, .about = about});
  }
  return {explain(session, answer, find_node(data, arguments.node), {})};
}

void run(const Arguments& arguments, Console& console) {
  check(arguments);
  AnyModel held = arguments.model.read(console);
  if (auto* const targets = std::get_if<TargetModel>(&held)) {
    refuse_class_flags({{"--data", !arguments.data.data.empty()}});
    return explain_targets(std::move(*targets),
                           {.nodes = arguments.nodes,
                            .report = arguments.report,
                            .node = arguments.node,
                            .rank = arguments.rank,
                            .count = arguments.count.value_or(TargetRankOptions().count)},
                           console);
  }
  Session session(std::get<TrainedModel>(std::move(held)), console.threads());
  arguments.data.take(session, console);
  const std::vector<Explanation> explanations = explain_many(arguments, session, session.solve());
  if (!arguments.report.empty() && console.writes_files())
    write_file(arguments.report, html_of(explanations, session));
  const bool one = !arguments.node.empty();
  Json object = one ? json_of(explanations[0], session) : json_of(explanations, session);
  object["report"] = json_path(arguments.report);
  console.result(object, (one ? text_of(explanations[0], session) : text_of(explanations, session)) +
                             (arguments.report.empty() ? "" : "\nwritten to " + path_text(arguments.report)));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  arguments->data.add_to(flags, "explain");
  flags.optional_argument("NODE", arguments->node, "The node to explain, by name or number");
  flags.option("--nodes", arguments->nodes,
               "Explain many: a table with a column `node`, or one node per line", "FILE.csv");
  flags.option("--rank", arguments->rank,
               "Explain the nodes that are most likely of this class, or highest in this value, of those "
               "whose label is "
               "not known",
               "CLASS");
  flags.option("--count", arguments->count, "--rank: how many; default: 50", "N");
  flags.output("--report", arguments->report, "Write everything to a page", "FILE.html");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace explain_command

const Command kExplainCommand{
    "explain", "Explains a node's class: how much came from which labels, which fronts and which attributes",
    "heatfront explain karate.hf 9", explain_command::define};

}  // namespace heatfront::cli
