// SPDX-License-Identifier: MIT
// heatfront predict MODEL: gives every node its class.
#include <fmt/core.h>

#include <optional>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/targets.h"
#include "heatfront/base/fail.h"
#include "heatfront/data/dataset.h"
#include "heatfront/label/rank.h"
#include "heatfront/label/target_session.h"
#include "heatfront_io/formats/open.h"
#include "heatfront_report/flow_report.h"
#include "heatfront_report/label_report.h"
#include "heatfront_report/model_report.h"
#include "heatfront_report/output_files.h"
#include "heatfront_report/ranking_report.h"

namespace heatfront::cli {
namespace predict_command {

struct Arguments {
  ModelArgument model;
  ModelDataArgument data;
  AddArgument add;
  std::string rank;
  std::filesystem::path output;
  std::optional<std::int64_t> top, count;
  std::optional<double> coverage;
  bool probabilities = false, with_known = false;
};

std::string written_text(const std::filesystem::path& output, std::string_view what) {
  return output.empty() ? fmt::format("not written: -o FILE.csv saves {}", what)
                        : "written    " + path_text(output);
}

void run_ranking(const Arguments& arguments, Session& session, const Answer& answer, Console& console) {
  const Ranking ranking = rank(session, answer,
                               {.label = find_class(session.model().data, arguments.rank),
                                .count = arguments.count.value_or(RankOptions().count),
                                .known = arguments.with_known});
  if (!arguments.output.empty() && console.writes_files())
    write_ranking(ranking, session, answer, arguments.output);
  Json object = json_of(session, answer);
  object["ranking"] = json_of(ranking, session, answer);
  object["predictions"] = json_path(arguments.output);
  console.result(object, text_of(session, answer) + "\n  " + written_text(arguments.output, "the ranking") +
                             "\n\n" + text_of(ranking, session, answer));
}

void run_grown(const Arguments& arguments, Session& before, Console& console) {
  const GrownSession grown = arguments.add.grow(before, console);
  Session& session = *grown.session;
  if (!arguments.rank.empty()) return run_ranking(arguments, session, grown.answer, console);
  if (!arguments.output.empty()) write_new_nodes(grown.growth, session, grown.answer, arguments.output);
  Json object = json_of(session, grown.answer);
  object["added"] = json_of(grown.growth, session, grown.answer);
  object["predictions"] = json_path(arguments.output);
  console.result(object, text_of(session, grown.answer) + "\n  " +
                             written_text(arguments.output, "the new nodes with their reasons") + "\n" +
                             text_of(grown.growth, session, grown.answer));
}

// A flag that would have no effect is refused.
void check(const Arguments& arguments) {
  if (arguments.top && *arguments.top < 1) fail("--top {}: it must be 1 or more", *arguments.top);
  if (arguments.count && *arguments.count < 1) fail("--count {}: it must be 1 or more", *arguments.count);
  const std::string_view all = arguments.top ? "--top" : arguments.probabilities ? "--probabilities" : "";
  if (!all.empty() && !arguments.rank.empty())
    fail("{} is for the table of all nodes, --rank for the likeliest of one class; use one at a time", all);
  if (!all.empty() && !arguments.add.folder.empty())
    fail(
        "{} is for the table of all nodes; `heatfront label --add -o MODEL2` keeps the new ones, then ask "
        "MODEL2",
        all);
  if (arguments.rank.empty() && (arguments.count || arguments.with_known))
    fail("{} is for --rank CLASS, which is not given", arguments.count ? "--count" : "--with-known");
}

void run(const Arguments& arguments, Console& console) {
  check(arguments);
  check_outputs({{arguments.output, kPredictionTable}}, files_of_dataset(arguments.data.data));
  AnyModel held = arguments.model.read(console);
  if (auto* const targets = std::get_if<TargetModel>(&held)) {
    refuse_class_flags({{"--top", arguments.top.has_value()},
                        {"--data", !arguments.data.data.empty()},
                        {"--probabilities", arguments.probabilities}});
    return predict_targets(std::move(*targets),
                           {.output = arguments.output,
                            .add = arguments.add,
                            .coverage = arguments.coverage.value_or(kUsualCoverage),
                            .rank = arguments.rank,
                            .count = arguments.count.value_or(TargetRankOptions().count),
                            .with_known = arguments.with_known},
                           console);
  }
  if (arguments.coverage)
    fail("--coverage is for models of values; `heatfront evaluate` has sets of classes");
  Session session(std::get<TrainedModel>(std::move(held)), console.threads());
  arguments.data.take(session, console);
  if (!arguments.add.folder.empty()) return run_grown(arguments, session, console);
  const TrainedModel& model = session.model();
  const Answer answer = session.solve();
  if (!arguments.rank.empty()) return run_ranking(arguments, session, answer, console);
  std::vector<Prediction> predictions;
  if (!arguments.output.empty() || console.json)
    predictions = predictions_of(answer, arguments.top.value_or(1));
  if (arguments.probabilities) add_shares(answer, predictions);
  if (!arguments.output.empty() && console.writes_files())
    write_predictions(model.data, predictions, arguments.output);

  Json object = json_of(session, answer);
  if (console.json) object["nodes"] = json_of(predictions, model.data);
  object["predictions"] = json_path(arguments.output);
  console.result(
      object, text_of(session, answer) + "\n  " + written_text(arguments.output, "the class of every node"));
}

std::function<void()> define(Flags& flags, Console& console) {
  auto arguments = std::make_shared<Arguments>();
  arguments->model.add_to(flags);
  arguments->data.add_to(flags, "predict");
  flags.output("-o,--output", arguments->output, "Write node, class, confidence, margin and status",
               "FILE.csv");
  flags.option("--top", arguments->top,
               "Write this many classes for each node, with their confidence; default: 1", "K");
  flags.flag("--probabilities", arguments->probabilities,
             "Write how likely every class is, each in a column of its own");
  arguments->add.add_to(flags, "-o then writes the new nodes, with the strongest reasons");
  flags.option("--rank", arguments->rank,
               "List the nodes that are most likely of this class, or highest in this value, with the "
               "strongest reasons; "
               "only those whose label is not known",
               "CLASS");
  flags.option("--count", arguments->count, "--rank: how many; default: 50", "N");
  flags.flag("--with-known", arguments->with_known, "--rank: also nodes whose label is known");
  flags.option("--coverage", arguments->coverage,
               "Of models of values: share of the intervals that should contain the value; default: 0.9",
               "X");
  return [arguments, &console] { run(*arguments, console); };
}

}  // namespace predict_command

const Command kPredictCommand{"predict", "Gives every node a class, using a trained model",
                              "heatfront predict karate.hf -o predictions.csv --top 2",
                              predict_command::define};

}  // namespace heatfront::cli
