// SPDX-License-Identifier: MIT
// A project that knows only the installed package.
#include <heatfront/heatfront.h>

#include <cstdio>

int main() {
  heatfront::Threads threads;
  const heatfront::Dataset karate = heatfront::open_dataset("karate", {}, threads);
  std::printf("karate: %d nodes, %lld edges\n", karate.nodes(), static_cast<long long>(karate.graph.edges()));
  return karate.nodes() == 34 && karate.graph.edges() == 78 ? 0 : 1;
}
