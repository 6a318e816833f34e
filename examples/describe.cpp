// SPDX-License-Identifier: MIT
// Opens a data set, joins its points to their nearest neighbours where it has no edges, and says what came
// out.
//
//     describe [DATA]        (digits)
#include <heatfront/heatfront.h>
#include <heatfront_io/heatfront_io.h>
#include <heatfront_neighbours/heatfront_neighbours.h>

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  try {
    heatfront::Threads threads;
    heatfront::Dataset data = heatfront::open_dataset(argc > 1 ? argv[1] : "digits", {}, threads);
    if (data.graph.arcs() == 0 && data.features.dense() != nullptr) {
      const auto neighbours = heatfront::nearest_neighbours(*data.features.dense(), {.k = 10}, threads);
      data.graph = heatfront::neighbour_graph(neighbours, {}, threads).graph;
    }
    const heatfront::Components components = heatfront::connected_components(data.graph);
    std::printf("%s: %d nodes, %lld edges, %d components, %.1f %% of edges within a class\n",
                data.name.c_str(), data.nodes(), static_cast<long long>(data.graph.edges()),
                components.count(), 100 * heatfront::homophily(data.graph, data.labels));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
