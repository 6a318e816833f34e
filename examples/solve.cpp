// SPDX-License-Identifier: MIT
// Labels the karate club from one known member on each side.
#include <heatfront/heatfront.h>
#include <heatfront_io/heatfront_io.h>

#include <cstdio>

int main() {
  heatfront::Threads threads;
  const heatfront::Dataset club = heatfront::open_dataset("karate", {}, threads);
  const heatfront::KnownLabels known{.nodes = {0, 33}, .classes = {0, 1}};
  const heatfront::DirichletProblem problem{
      .graph = club.graph, .weights = club.weights, .classes = club.classes(), .known = known};
  const heatfront::Temperatures heat = heatfront::solve_dirichlet(problem, {.time = 5}, threads);
  const std::vector<heatfront::ClassId> sides = heatfront::warmest_classes(heat.values);
  int right = 0;
  for (std::size_t u = 0; u < sides.size(); ++u) right += sides[u] == club.labels[u];
  std::printf("%d of %zu members on the right side, error at most %.1e\n", right, sides.size(),
              heat.report.error_bound);
  return right > 30 ? 0 : 1;
}
