// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/write_predictions.h"

#include <algorithm>
#include <string>

#include "heatfront/base/checks.h"
#include "heatfront/data/dataset.h"
#include "heatfront_io/tables/csv_file.h"

namespace heatfront {
namespace {

std::size_t most_others(std::span<const Prediction> predictions) {
  std::size_t most = 0;
  for (const Prediction& prediction : predictions) most = std::max(most, prediction.others.size());
  return most;
}

std::string header(std::size_t others, std::span<const std::string> shares_of) {
  std::string text = "node,class,confidence,margin,status";
  for (std::size_t i = 0; i < others; ++i) text += fmt::format(",class_{0},confidence_{0}", i + 2);
  for (const std::string& name : shares_of) text.append(",").append(csv_cell(fmt::format("p_{}", name)));
  return text;
}

}  // namespace

void write_predictions(const Dataset& dataset, std::span<const Prediction> predictions,
                       const std::filesystem::path& path) {
  require_count("write_predictions: predictions", std::ssize(predictions), dataset.nodes(), "one per node");
  const auto class_cell = [&](ClassId label) { return csv_cell(class_name(dataset, label)); };
  const std::size_t others = most_others(predictions);
  const bool has_shares = !predictions.empty() && !predictions[0].shares.empty();
  CsvFile file(path,
               header(others, std::span(dataset.class_names).first(has_shares ? at(dataset.classes()) : 0)));
  for (std::size_t u = 0; u < predictions.size(); ++u) {
    const Prediction& prediction = predictions[u];
    file.add("{},{},{:.6g},{},{}", csv_cell(dataset.node_name(static_cast<NodeId>(u))),
             class_cell(prediction.label), prediction.confidence,
             csv_number(static_cast<double>(prediction.margin), 6), prediction.status);
    for (const RankedClass& other : prediction.others)
      file.add(",{},{:.6g}", class_cell(other.label), other.confidence);
    for (std::size_t i = prediction.others.size(); i < others; ++i) file.add(",,");
    if (has_shares)
      require_count("write_predictions: shares", std::ssize(prediction.shares), dataset.classes(),
                    "one per class");
    for (double share : prediction.shares) file.add(",{:.6g}", share);
    file.add("\n");
  }
  file.commit();
}

}  // namespace heatfront
