// SPDX-License-Identifier: MIT
// Trains on arrays of one's own, then adds a label without training again. Eight people, who knows whom, and how
// many evenings a month each is seen at the chess board; of four we know what they play.
#include <heatfront/heatfront.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <vector>

int main() {
  try {
    constexpr heatfront::ClassId kChess = 0, kTennis = 1, kUnknown = heatfront::kUnknown;
    heatfront::Threads threads;
    heatfront::Dataset club{.name = "club", .class_names = {"chess", "tennis"}};
    const heatfront::ArcList edges{
        .nodes = 8, .from = {0, 0, 1, 2, 3, 4, 4, 5, 6}, .to = {1, 2, 2, 3, 4, 5, 6, 6, 7}};
    club.graph = heatfront::build_graph(edges, threads).graph;
    heatfront::Matrix evenings(8, 1);  // a row per node, a column per feature
    std::ranges::copy(std::vector<heatfront::Real>{9, 8, 7, 5, 4, 2, 1, 2}, evenings.view().data);
    club.features = heatfront::Features(evenings);
    club.labels = {kChess, kChess, kUnknown, kUnknown, kUnknown, kUnknown, kTennis, kTennis};
    club.split = heatfront::Split{.name = "mine", .train = {0, 7}, .validation = {1, 6}, .test = {}};

    const heatfront::HeatFrontOptions options{.network = {.hidden = {16}}, .time = 3};
    const heatfront::TrainOptions training{.epochs = 100, .select = "validation-loss"};
    const heatfront::Fit fit = heatfront::fit(club, options, training, 0, threads);
    heatfront::Session session(fit.model, threads);
    const heatfront::Answer before = session.solve();
    session.set(4, kChess);
    const heatfront::Answer after = session.solve();
    for (const heatfront::ChangedNode& node : heatfront::changed(before, after)) {
      std::printf("%d: %s, was %s%s\n", node.node, class_name(club, node.after).c_str(),
                  class_name(club, node.before).c_str(), node.told ? " (told so)" : "");
    }
    return after.decisions.classes[4] == kChess ? 0 : 1;
  } catch (const std::exception& error) {
    // An option outside of its range, for one: it says which, and what would be right.
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
