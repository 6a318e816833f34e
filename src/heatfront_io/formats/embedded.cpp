// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/embedded.h"

#include <array>
#include <sstream>
#include <string>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace embedded {
// Made by cmake/embed.cmake from data/.
extern const std::span<const unsigned char> digits;
extern const std::span<const unsigned char> karate_edges;
extern const std::span<const unsigned char> karate_labels;
}  // namespace embedded
namespace {

std::string_view text_of(std::span<const unsigned char> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::istringstream after_header(std::span<const unsigned char> bytes) {
  const std::string_view text = text_of(bytes);
  return std::istringstream(std::string(text.substr(text.find('\n') + 1)));
}

// 65 numbers a line: 64 pixels, row by row, and the digit.
Dataset open_digits(Threads&) {
  constexpr NodeId kPoints = 1797;
  constexpr std::int64_t kPixels = 64;
  std::istringstream text(unpack_gzip(text_of(embedded::digits), "digits"));
  Dataset dataset{.name = "digits", .graph = Graph::without_edges(kPoints)};
  Matrix pixels(kPoints, kPixels);
  char comma = 0;
  for (NodeId u = 0; u < kPoints; ++u) {
    for (Real& pixel : pixels.row(u)) text >> pixel >> comma;
    text >> dataset.labels.emplace_back();
  }
  dataset.features = Features(std::move(pixels));
  dataset.class_names = numbered_names(10);
  return dataset;
}

Dataset open_karate(Threads& threads) {
  ArcList arcs{.nodes = 34};
  char comma = 0;
  std::istringstream edges = after_header(embedded::karate_edges);
  for (NodeId u = 0, v = 0; edges >> u >> comma >> v;) {
    arcs.from.insert(arcs.from.end(), {u, v});
    arcs.to.insert(arcs.to.end(), {v, u});
  }
  Dataset dataset{.name = "karate", .graph = build_graph(std::move(arcs), threads).graph};
  dataset.class_names = {"Mr. Hi", "Officer"};
  std::istringstream labels = after_header(embedded::karate_labels);
  std::string side;
  for (NodeId u = 0; labels >> u >> comma && std::getline(labels, side);) {
    dataset.labels.push_back(side == dataset.class_names[0] ? 0 : 1);
  }
  return dataset;
}

}  // namespace

std::span<const EmbeddedDataset> embedded_datasets() {
  static constexpr std::array<EmbeddedDataset, 2> kTable = {
      {{"digits", open_digits}, {"karate", open_karate}}};
  return kTable;
}

}  // namespace heatfront
