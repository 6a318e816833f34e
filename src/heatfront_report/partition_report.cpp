// SPDX-License-Identifier: MIT
#include "heatfront_report/partition_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

struct PartitionSums {
  std::vector<PartCount> parts;
  std::int64_t ghosts = 0;
  ArcId cut = 0;
  double balance = 1;  // the most work of a part, relative to the mean
};

PartitionSums sums_of(const PartitionIndex& index) {
  PartitionSums sums;
  double most = 0, whole = 0;
  for (const PartEntry& part : index.parts) {
    sums.parts.push_back(part.count);
    sums.ghosts += part.count.ghosts;
    sums.cut += part.count.cut;
    const auto work = static_cast<double>(kWorkOfRow * part.count.rows + part.count.arcs);
    most = std::max(most, work);
    whole += work;
  }
  if (whole > 0) sums.balance = most * static_cast<double>(index.parts.size()) / whole;
  return sums;
}

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

Json json_of(const PartitionIndex& index, std::int64_t classes, const Network& network) {
  const PartitionSums sums = sums_of(index);
  const ProductForecast forecast = forecast_product(sums.parts, classes, network);
  Json parts = Json::array();
  for (const PartCount& part : sums.parts) {
    parts.push_back({{"rows", part.rows},
                     {"arcs", part.arcs},
                     {"cut", part.cut},
                     {"ghosts", part.ghosts},
                     {"neighbours", part.neighbours}});
  }
  return {{"dataset", index.name},
          {"method", index.method},
          {"nodes", index.nodes},
          {"arcs", index.arcs},
          {"weighted", index.weighted},
          {"cut", share(sums.cut, index.arcs)},
          {"ghosts", sums.ghosts},
          {"ghosts_per_node", share(sums.ghosts, index.nodes)},
          {"balance", sums.balance},
          {"classes", classes},
          {"bytes_per_product", forecast.bytes},
          {"exchange_seconds_per_product", forecast.seconds},
          {"parts", std::move(parts)}};
}

std::string text_of(const PartitionIndex& index, std::int64_t classes, const Network& network) {
  const PartitionSums sums = sums_of(index);
  const ProductForecast forecast = forecast_product(sums.parts, classes, network);
  return fmt::format(
      "{}: {} and {}{} in {} by {}\n"
      "  cut        {} of the arcs lead to other parts\n"
      "  ghosts     {}, {:.2f} per node\n"
      "  balance    the largest part has {:.2f} times the mean work\n"
      "  exchange   {:.1f} MB per product with {} classes; {} at {:.3g} Gbit/s and {:.3g} µs a message",
      printable(index.name), counted(index.nodes, "node"), counted(index.arcs, "arc"),
      index.weighted ? ", weighted," : "", counted(std::ssize(index.parts), "part"), index.method,
      percent(share(sums.cut, index.arcs)), counted(sums.ghosts, "row"), share(sums.ghosts, index.nodes),
      sums.balance, forecast.bytes / 1e6, grouped(classes), time_text(forecast.seconds),
      network.bandwidth * 8e-9, network.latency * 1e6);
}

}  // namespace heatfront
