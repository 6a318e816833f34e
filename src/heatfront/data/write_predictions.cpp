// SPDX-License-Identifier: MIT
#include "heatfront/data/write_predictions.h"

#include "heatfront/data/csv_file.h"

namespace heatfront {

void write_predictions(const Dataset& dataset, std::span<const Prediction> predictions,
                       const std::filesystem::path& path) {
  CsvFile file(path, "node,class,confidence,margin,status");
  for (std::size_t u = 0; u < predictions.size(); ++u) {
    const Prediction& prediction = predictions[u];
    file.add("{},{},{:.6g},{:.6g},{}\n", csv_cell(dataset.node_name(static_cast<NodeId>(u))),
             csv_cell(dataset.class_names[static_cast<std::size_t>(prediction.label)]), prediction.confidence,
             prediction.margin, prediction.status);
  }
  file.commit();
}

}  // namespace heatfront
