// SPDX-License-Identifier: MIT
#include "cli/predictions.h"

#include <fmt/core.h>

#include <cmath>

namespace heatfront::cli {

std::vector<Prediction> predictions_of(const Decisions& decisions) {
  std::vector<Prediction> predictions;
  for (std::size_t u = 0; u < decisions.classes.size(); ++u) {
    predictions.push_back(
        {decisions.classes[u], decisions.confidence[u], decisions.margin[u], name_of(decisions.status[u])});
  }
  return predictions;
}

std::string counts_text(const Decisions& decisions) {
  std::string text;
  for (NodeStatus status :
       {NodeStatus::known, NodeStatus::decided, NodeStatus::undecided, NodeStatus::unreached}) {
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(decisions.count(status)), name_of(status));
  }
  return text;
}

Json certificate_json(const SolveReport& report) {
  return {{"products", report.products},
          {"error_bound", json_number(report.error_bound)},
          {"error_estimate", json_number(report.error_estimate)},
          {"reached", report.reached}};
}

std::string certificate_text(const SolveReport& report) {
  std::string text = counted(report.products, "product");
  if (!std::isnan(report.error_bound)) text += fmt::format(", error at most {:.1e}", report.error_bound);
  if (!std::isnan(report.error_estimate)) text += fmt::format(", error about {:.1e}", report.error_estimate);
  if (!std::isnan(report.residual)) text += fmt::format(", residual {:.1e}", report.residual);
  if (report.reached) return text;
  if (std::isnan(report.residual))
    return text + "; THE TOLERANCE WAS NOT REACHED, a larger --tolerance can be";
  return text +
         "; NOT AT REST within the tolerance: some nodes hang on labels by too little for this precision";
}

}  // namespace heatfront::cli
