// SPDX-License-Identifier: MIT
#include "heatfront/experiment/compare_report.h"

#include <fmt/core.h>

namespace heatfront {

std::string percent_text(const Spread& shares) {
  return fmt::format("{:.1f} ± {:.1f}", 100 * shares.mean, 100 * shares.deviation);
}

std::string difference_text(const PairedDifference& difference) {
  return fmt::format("{:+.1f} ({:.1f} to {:.1f})", 100 * difference.mean, 100 * difference.low,
                     100 * difference.high);
}

std::string runs_text(const Comparison& comparison) {
  const std::size_t runs = comparison.models.front().runs.size();
  switch (comparison.splits) {
    case Splits::one: return fmt::format("{} trainings on one split", runs);
    case Splits::drawn: return fmt::format("{} splits, the same for all models", runs);
    case Splits::folds: return fmt::format("{} folds, the same for all models", runs);
  }
  return {};
}

std::string markdown_of(const Comparison& comparison, const std::string& command) {
  std::string models =
      "| model | test | validation | preset | parameters | seconds a run |\n|---|---|---|---|---|---|\n";
  for (const ComparedModel& model : comparison.models) {
    const TableRun& run = model.runs.front();
    models += fmt::format("| {} | {} | {} | {} | {} | {:.3g} |\n", model.name, percent_text(model.test),
                          percent_text(model.validation), run.preset, run.parameters, model.seconds.mean);
  }
  std::string pairs = "| | better by | |\n|---|---|---|\n";
  for (const ComparedPair& pair : comparison.pairs) {
    pairs += fmt::format("| {} than {} | {} | {} |\n", comparison.models[pair.better].name,
                         comparison.models[pair.other].name, difference_text(pair.difference),
                         pair.difference.tells() ? "more than chance" : "may be chance");
  }
  return fmt::format(
      "`{}`\n\n**{}**\n\n"
      "Test accuracy in percent, mean ± deviation over {}:\n\n{}\n"
      "Paired differences in points, with intervals that hold together with {:.0f} % confidence:\n\n{}",
      command, verdict(comparison), runs_text(comparison), models, 100 * Comparison::kConfidence, pairs);
}

std::string csv_of(const Comparison& comparison) {
  std::string text = "model,seed,split,test_accuracy,validation_accuracy,epochs,parameters,seconds\n";
  for (const ComparedModel& model : comparison.models) {
    for (const TableRun& run : model.runs)
      text +=
          fmt::format("\"{}\",{},\"{}\",{:.6g},{:.6g},{},{},{:.4g}\n", model.name, run.seed, run.split,
                      run.test_accuracy, run.validation_accuracy, run.epochs, run.parameters, run.seconds);
  }
  return text;
}

}  // namespace heatfront
