// SPDX-License-Identifier: MIT
// Wrong calls of what builds graphs and walks on them.
#include "heatfront/graph/neighbourhood.h"
#include "heatfront/graph/reorder.h"
#include "support/wrong_calls.h"

namespace heatfront::test {
namespace graph_calls {

std::vector<WrongCall> wrong_calls() {
  std::vector<WrongCall> calls;
  const auto build_list = [&](const std::string& name, ArcList arcs) {
    calls.push_back({"BuildingFromAList" + name, [=] { build_graph(arcs, one_thread()); }});
  };
  build_list("WithATargetBeyondTheLastNode", {.nodes = 3, .from = {0, 1}, .to = {1, 3}});
  build_list("WithASourceBeyondTheLastNode", {.nodes = 3, .from = {0, 5000000}, .to = {1, 2}});
  build_list("WithANegativeTarget", {.nodes = 3, .from = {0, 1}, .to = {1, -1}});
  build_list("WithANegativeSource", {.nodes = 3, .from = {-4, 1}, .to = {1, 0}});
  build_list("WithTooFewTargets", {.nodes = 3, .from = {0, 1}, .to = {1}});
  build_list("WithTooFewWeights", {.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {1}});
  build_list("WithANegativeWeight", {.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {1, -1}});
  build_list("WithAWeightThatIsNoNumber", {.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {1, kNan}});
  build_list("WithAnInfiniteWeight", {.nodes = 3, .from = {0, 1}, .to = {1, 2}, .weights = {kInfinity, 1}});
  build_list("WithANegativeNumberOfNodes", {.nodes = -1});
  build_list("WithoutNodes", {.nodes = 0, .from = {0}, .to = {0}});
  const auto build_rows = [&](const std::string& name, ArcRows rows) {
    calls.push_back({"BuildingFromRows" + name, [=] { build_graph(rows, one_thread()); }});
  };
  build_rows("WithATargetBeyondTheLastNode", {.offsets = {0, 1, 2}, .targets = {1, 2}});
  build_rows("WithANegativeTarget", {.offsets = {0, 1, 2}, .targets = {1, -1}});
  build_rows("WithOffsetsThatDecrease", {.offsets = {0, 5, 2}, .targets = {1, 0}});
  build_rows("WithOffsetsThatEndTooFar", {.offsets = {0, 1, 900}, .targets = {1, 0}});
  build_rows("WithOffsetsThatBeginElsewhere", {.offsets = {1, 1, 2}, .targets = {1, 0}});
  build_rows("WithoutOffsets", {.offsets = {}, .targets = {}});
  build_rows("WithTooFewWeights", {.offsets = {0, 1, 2}, .targets = {1, 0}, .weights = {1}});
  const auto graph = [&](const std::string& name, std::vector<ArcId> offsets, std::vector<NodeId> targets) {
    calls.push_back({"AGraph" + name, [=] { Graph(offsets, targets); }});
  };
  graph("WithoutOffsets", {}, {});
  graph("WithATargetBeyondTheLastNode", {0, 1, 2}, {1, 7});
  graph("WithANegativeTarget", {0, 1, 2}, {-1, 0});
  graph("WithALoop", {0, 1}, {0});
  graph("WithARepeat", {0, 2, 4}, {1, 1, 0, 0});
  graph("WithAnEdgeOfOneDirection", {0, 1, 1}, {1});
  graph("WhoseRowsDoNotAscend", {0, 2, 3, 4}, {2, 1, 0, 0});
  graph("WhoseOffsetsDecrease", {0, 3, 1, 2}, {1, 0});
  graph("WhoseOffsetsEndTooFar", {0, 1, 9}, {1, 0});
  calls.push_back({"AGraphOfANegativeNumberOfNodes", [] { Graph::without_edges(-2); }});
  calls.push_back({"DistancesToANodeThatIsNone", [] {
                     const std::vector<NodeId> sources = {4};
                     distances_to(path_graph(4), sources);
                   }});
  calls.push_back({"WhatIsReachedFromANodeThatIsNone", [] { reached_from(path_graph(4), {}, {-1}); }});
  calls.push_back({"WhatIsReachedWithTooFewWeights", [] {
                     const std::vector<Real> weights = {1};
                     reached_from(path_graph(4), weights, {0});
                   }});
  calls.push_back({"HomophilyOfTooFewLabels", [] {
                     const std::vector<ClassId> labels = {0, 1};
                     homophily(path_graph(4), labels);
                   }});
  calls.push_back({"AnOrderThatNamesANodeTwice", [] {
                     const std::vector<NodeId> order = {0, 1, 1, 3};
                     permuted(path_graph(4), {}, order);
                   }});
  calls.push_back({"AnOrderOfTooFewNodes", [] {
                     const std::vector<NodeId> order = {0, 1};
                     permuted(path_graph(4), {}, order);
                   }});
  calls.push_back({"AnOrderWithANodeThatIsNone", [] {
                     const std::vector<NodeId> order = {0, 1, 2, 4};
                     permuted(path_graph(4), {}, order);
                   }});
  calls.push_back({"ANeighbourhoodOfANodeThatIsNone", [] {
                     const std::vector<NodeId> centres = {9};
                     Neighbourhood(path_graph(4), centres, 1);
                   }});
  calls.push_back({"ANeighbourhoodOfOneNodeTwice", [] {
                     const std::vector<NodeId> centres = {1, 1};
                     Neighbourhood(path_graph(4), centres, 1);
                   }});
  for (NodeId nodes : {-1, -1000}) {
    calls.push_back({"APathOfNodes" + std::to_string(-nodes) + "BelowNone", [=] { path_graph(nodes); }});
  }
  return calls;
}

INSTANTIATE_TEST_SUITE_P(Graph, EveryWrongCall, testing::ValuesIn(wrong_calls()), name_of_call);

}  // namespace graph_calls
}  // namespace heatfront::test
