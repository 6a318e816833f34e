// SPDX-License-Identifier: MIT
// Data sets made on the spot, by a name like "rmat:scale=20,arcs=1e7,seed=1": for tests, trials and scale.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heatfront/base/parallel.h"
#include "heatfront/data/dataset.h"

namespace heatfront {

struct GeneratedParameter {
  std::string_view name;
  double value;  // unless told otherwise
  double least, most;
};

struct GeneratedDataset {
  std::string_view name;
  std::string_view what;
  std::span<const GeneratedParameter> parameters;
  Dataset (*make)(std::span<const double> values, Threads& threads);  // one value per parameter
};

std::span<const GeneratedDataset> generated_datasets();

// "grid:rows=20,columns=20": as a user writes it, with its values.
std::string example_of(const GeneratedDataset& generated);

// Does it begin with the name of one and a colon, or is it the name alone?
bool is_generated(std::string_view text);

Dataset generate_dataset(std::string_view text, Threads& threads);

// A generated graph as a list of edges that can be drawn from any place on, for whoever cannot hold it.
struct EdgeStream {
  NodeId nodes = 0;
  std::int64_t edges = 0;
  bool weighted = false;
  // Edges first, first + 1, …; as many weights, or none where it has none.
  std::function<void(std::int64_t first, std::span<NodeId> from, std::span<NodeId> to,
                     std::span<Real> weights)>
      draw;
  Dataset of_nodes;  // what the data set says of nodes; without edges
};

// None where it is not generated, or not edge by edge.
std::optional<EdgeStream> edge_stream(std::string_view text);

}  // namespace heatfront
