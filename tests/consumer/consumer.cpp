// SPDX-License-Identifier: MIT
// A project that knows only the installed package.
#include <heatfront/heatfront.h>
#include <heatfront_io/heatfront_io.h>
#include <heatfront_report/heatfront_report.h>

#include <cstdio>
#include <nlohmann/json.hpp>

int main() {
  heatfront::Threads threads;
  heatfront::Dataset karate = heatfront::open_dataset("karate", {}, threads);
  std::printf("karate: %d nodes, %lld edges\n", karate.nodes(), static_cast<long long>(karate.graph.edges()));
  karate.split = heatfront::choose_split(karate, "per-class 3,5", 0);
  const heatfront::Fit fit = heatfront::fit(karate, {.settings = {"epochs=20"}}, threads);
  heatfront::Session session(fit.model, threads);
  const heatfront::Answer answer = session.solve();
  std::printf("trained, and %zu nodes have a class\n", answer.decisions.classes.size());
  std::puts(heatfront::json_of(session, answer).dump(2).c_str());
  return karate.graph.edges() == 78 && answer.decisions.classes.size() == 34 ? 0 : 1;
}
