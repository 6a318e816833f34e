// SPDX-License-Identifier: MIT
#include "heatfront/label/suggest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/solve/chebyshev.h"

namespace heatfront {
namespace {

constexpr std::int64_t kCandidatesEach = 8;  // for each node asked for
constexpr std::int64_t kFewestCandidates = 32;
constexpr std::int64_t kColumns = 16;  // candidates whose heat flows at once
constexpr NodeId kFewEdges = 8;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// The nodes without a label whose class leads least, in that order.
std::vector<Suggestion> candidates(const Answer& answer, std::int64_t count) {
  std::vector<Suggestion> result;
  for (std::size_t u = 0; u < answer.decisions.classes.size(); ++u) {
    if (answer.decisions.status[u] == NodeStatus::known) continue;
    result.push_back({.node = static_cast<NodeId>(u),
                      .label = answer.decisions.classes[u],
                      .margin = answer.decisions.margin[u]});
  }
  std::ranges::stable_sort(result, {}, &Suggestion::margin);
  result.resize(std::min(result.size(), at(count)));
  return result;
}

// ∫_0^1 g(x) dx = Σ w g(x) by Gauss and Legendre, exact for polynomials up to degree 9.
struct Point {
  double x, weight;
};
constexpr std::array<Point, 5> kPoints = {{{0.0469100770306680, 0.1184634425280945},
                                           {0.2307653449471585, 0.2393143352496833},
                                           {0.5, 0.2844444444444444},
                                           {0.7692346550528415, 0.2393143352496833},
                                           {0.9530899229693320, 0.1184634425280945}}};

// Columns ∫_0^t exp(rA) e_j dr / t. With r = t x² the points are dense where heat has not spread yet.
class Heat {
 public:
  Heat(const Session& session, Threads& threads)
      : flow_(session.flow()),
        laplacian_(session.model().data.graph, session.model().weights, flow_.laplacian, flow_.lambda, threads),
        solver_(flow_.solve) {
    laplacian_.clamp(session.model().known.nodes);
  }

  Matrix from(std::span<const Suggestion> sources) {
    Matrix start = padded_matrix(laplacian_.rows(), std::ssize(sources));
    for (std::size_t i = 0; i < sources.size(); ++i) start(sources[i].node, static_cast<std::int64_t>(i)) = 1;
    laplacian_.enter(start);
    std::vector<double> times;
    std::vector<Matrix> states;
    for (const Point& point : kPoints) {
      times.push_back(flow_.time * point.x * point.x);
      states.push_back(padded_matrix(start.rows(), start.cols()));
    }
    const std::vector<MatrixView> views(states.begin(), states.end());
    solver_.solve_many(laplacian_, times, start, views);
    Matrix sum = padded_matrix(start.rows(), start.cols());
    for (std::size_t i = 0; i < states.size(); ++i)
      add_scaled(2 * kPoints[i].x * kPoints[i].weight, states[i], sum, laplacian_.threads());
    laplacian_.leave(sum);
    return sum;
  }

 private:
  FlowOptions flow_;
  Laplacian laplacian_;
  Chebyshev solver_;
};

// Σ_c p_c #{v whose warmest class differs when j is held at class c}. Only the temperature of c itself depends
// on c, so one pass over the other classes serves all c.
double expected_change(const Answer& answer, double label_scale, const Suggestion& j, ConstMatrixView heat,
                       std::int64_t column) {
  const ConstMatrixView f = answer.temperatures.values;
  const auto at_j = f.row(j.node);
  std::vector<std::int64_t> changes(at_j.size());
  std::vector<double> cooled(at_j.size());
  for (NodeId v = 0; v < f.rows; ++v) {
    const double h = static_cast<double>(heat(v, column)) / static_cast<double>(heat(j.node, column));
    if (h == 0) continue;
    for (std::size_t c = 0; c < cooled.size(); ++c)
      cooled[c] = static_cast<double>(f.row(v)[c]) - h * static_cast<double>(at_j[c]);
    const auto warmest = static_cast<ClassId>(std::ranges::max_element(cooled) - cooled.begin());
    const ClassId now = answer.decisions.classes[at(v)];
    for (std::size_t c = 0; c < cooled.size(); ++c) {
      const bool wins = cooled[c] + h * label_scale > cooled[at(warmest)];
      changes[c] += (wins ? static_cast<ClassId>(c) : warmest) != now;
    }
  }
  double expected = 0;
  for (std::size_t c = 0; c < changes.size(); ++c)
    expected += softmax_share(at_j, static_cast<ClassId>(c)) * static_cast<double>(changes[c]);
  return expected;
}

void rank_by_change(const Session& session, const Answer& answer, std::vector<Suggestion>& nodes, Threads& threads) {
  Heat heat(session, threads);
  for (std::size_t first = 0; first < nodes.size(); first += at(kColumns)) {
    const auto block = std::span(nodes).subspan(first, std::min(at(kColumns), nodes.size() - first));
    const Matrix columns = heat.from(block);
    threads.for_blocks(std::ssize(block), 1, [&](std::int64_t i, std::int64_t) {
      block[at(i)].expected_change =
          expected_change(answer, session.problem().label_scale, block[at(i)], columns, i);
    });
  }
  std::ranges::stable_sort(nodes, std::greater(), &Suggestion::expected_change);
}

// Marks u, its neighbours, and theirs where the node between them has few edges.
void take_neighbourhood(const Graph& graph, NodeId u, std::vector<bool>& taken) {
  taken[at(u)] = true;
  for (NodeId v : graph.neighbours(u)) {
    taken[at(v)] = true;
    if (graph.degree(v) > kFewEdges) continue;
    for (NodeId w : graph.neighbours(v)) taken[at(w)] = true;
  }
}

}  // namespace

std::vector<Suggestion> suggest(const Session& session, const Answer& answer, const SuggestOptions& options,
                                Threads& threads) {
  const bool by_change = options.by == SuggestBy::expected_change;
  std::vector<Suggestion> nodes =
      candidates(answer, std::max(kCandidatesEach * options.count, kFewestCandidates));
  if (by_change) rank_by_change(session, answer, nodes, threads);
  const Graph& graph = session.model().data.graph;
  std::vector<bool> taken(at(graph.nodes()));
  std::vector<Suggestion> chosen;
  for (const Suggestion& node : nodes) {
    if (std::ssize(chosen) == options.count) break;
    if (taken[at(node.node)]) continue;
    chosen.push_back(node);
    take_neighbourhood(graph, node.node, taken);
  }
  return chosen;
}

}  // namespace heatfront
