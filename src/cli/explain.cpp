// SPDX-License-Identifier: MIT
// heatfront explain MODEL NODE: says why a node has its class.
#include "heatfront/label/explain.h"

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/data/names.h"
#include "heatfront_io/formats/target_model_file.h"
#include "heatfront_report/explanation_report.h"

namespace heatfront::cli {
namespace explain_command {

struct Arguments {
  ModelArgument model;
  std::string node;
};

void run(const Arguments& arguments, Console& console) {
  if (is_target_model(arguments.model.path))
    return explain_targets(arguments.model.path, arguments.node, console);
  Session session = arguments.model.open(console);
  const NodeId node = find_node(session.model().data, arguments.node);
  const Explanation explanation = explain(session, session.solve(), node, {});
  console.result(json_of(explanation, session), text_of(explanation, session));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  flags.argument("NODE", arguments->node, "By name or number");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace explain_command

const Command kExplainCommand{"explain",
                              "Explains a node's class: how much came from which labels and which fronts",
                              "heatfront explain cora.hf 1708", explain_command::define};

}  // namespace heatfront::cli
