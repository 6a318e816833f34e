// SPDX-License-Identifier: MIT
#include "heatfront/flow/volumes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/decide.h"
#include "heatfront/flow/flow.h"

namespace heatfront {
namespace {

constexpr double kNoChain = std::numeric_limits<double>::infinity();
constexpr double kRoundingOfChains =
    1e-12;  // shorter by less is not shorter, or rounding could close a circle
constexpr double kDynamicsTolerance = 1e-3;  // only the order of temperatures counts
constexpr double kNoHeat = 1e-6;             // of the largest: rounding below zero

// What it costs a node to go from one class to another, cheapest first.
struct Leaver {
  double cost;
  NodeId node;

  friend bool operator>(const Leaver& a, const Leaver& b) {
    return a.cost != b.cost ? a.cost > b.cost : a.node > b.node;
  }
};
using Leavers = std::priority_queue<Leaver, std::vector<Leaver>, std::greater<>>;

// Classes 0 … C−1 and, as number C, the room between their bounds.
class Moves {
 public:
  Moves(ConstMatrixView scores, std::vector<ClassId>& classes, const std::vector<NodeId>& nodes,
        const ClassVolumes& volumes)
      : scores_(scores),
        classes_(classes),
        volumes_(volumes),
        count_(at(scores.cols)),
        sizes_(count_),
        leavers_(count_ * count_) {
    std::vector<std::vector<Leaver>> ordered(count_ * count_);
    for (NodeId u : nodes) {
      const std::size_t from = at(classes_[at(u)]);
      ++sizes_[from];
      for (std::size_t to = 0; to < count_; ++to) {
        if (to != from) ordered[from * count_ + to].push_back({cost(u, from, to), u});
      }
    }
    for (std::size_t i = 0; i < ordered.size(); ++i)
      leavers_[i] = Leavers(std::greater<>(), std::move(ordered[i]));
  }

  // Mends bounds by one node; false where all are met.
  bool mend() {
    // What classes have beyond their bounds goes to those that lack, and the rest of it to or from the room.
    std::int64_t beyond = 0, lacking = 0;
    for (std::size_t c = 0; c < count_; ++c) {
      beyond += std::max<std::int64_t>(0, sizes_[c] - volumes_.most[c]);
      lacking += std::max<std::int64_t>(0, volumes_.least[c] - sizes_[c]);
    }
    if (beyond == 0 && lacking == 0) return false;
    std::vector<double> distance(count_ + 1, kNoChain);
    for (std::size_t c = 0; c < count_; ++c) {
      if (sizes_[c] > volumes_.most[c]) distance[c] = 0;
    }
    if (lacking > beyond) distance[count_] = 0;
    const std::vector<std::size_t> before = shorten(distance);
    std::size_t end = count_ + 1;
    for (std::size_t c = 0; c <= count_; ++c) {
      const bool wants = c == count_ ? beyond > lacking : sizes_[c] < volumes_.least[c];
      if (wants && distance[c] < kNoChain && (end > count_ || distance[c] < distance[end])) end = c;
    }
    if (end > count_) fail("class sizes: no chain of moves leads within the bounds");  // check() sees to it
    for (std::size_t c = end; before[c] <= count_; c = before[c]) move(before[c], c);
    ++moves_;
    return true;
  }

  // After all bounds are met: what a class costs, so that every node has one of its best.
  std::vector<double> prices() {
    std::vector<double> distance(count_ + 1, 0.0);
    shorten(distance);
    std::vector<double> result(count_);
    for (std::size_t c = 0; c < count_; ++c) result[c] = -distance[c];
    return result;
  }

  std::int64_t moves() const { return moves_; }

 private:
  double cost(NodeId u, std::size_t from, std::size_t to) const {
    return static_cast<double>(scores_(u, static_cast<std::int64_t>(from))) -
           static_cast<double>(scores_(u, static_cast<std::int64_t>(to)));
  }

  // Of the cheapest node in `from`, to be in `to`.
  double cheapest(std::size_t from, std::size_t to) {
    if (from == count_) return clipped(to) > volumes_.least[to] ? 0 : kNoChain;
    if (to == count_) return clipped(from) < volumes_.most[from] ? 0 : kNoChain;
    Leavers& leavers = leavers_[from * count_ + to];
    while (!leavers.empty() && at(classes_[at(leavers.top().node)]) != from) leavers.pop();
    return leavers.empty() ? kNoChain : leavers.top().cost;
  }

  std::int64_t clipped(std::size_t c) const {
    return std::clamp(sizes_[c], volumes_.least[c], volumes_.most[c]);
  }

  // Bellman and Ford, from the given distances; what each was reached from, beyond the last where from nowhere.
  std::vector<std::size_t> shorten(std::vector<double>& distance) {
    std::vector<double> costs((count_ + 1) * (count_ + 1), kNoChain);
    for (std::size_t a = 0; a <= count_; ++a) {
      for (std::size_t b = 0; b <= count_; ++b) {
        if (a != b) costs[a * (count_ + 1) + b] = cheapest(a, b);
      }
    }
    std::vector<std::size_t> before(count_ + 1, count_ + 1);
    bool shorter = true;
    for (std::size_t round = 0; shorter && round <= count_; ++round) {
      shorter = false;
      for (std::size_t a = 0; a <= count_; ++a) {
        if (distance[a] == kNoChain) continue;
        for (std::size_t b = 0; b <= count_; ++b) {
          const double through = distance[a] + costs[a * (count_ + 1) + b];
          if (a == b || !(through < distance[b] - kRoundingOfChains * (1 + std::abs(through)))) continue;
          distance[b] = through;
          before[b] = a;
          shorter = true;
        }
      }
    }
    return before;
  }

  // The cheapest node. Last moves of a chain first: who comes is not sent on.
  void move(std::size_t from, std::size_t to) {
    if (from == count_ || to == count_) return;  // no node: the sizes of the classes beside it say it
    const NodeId u = leavers_[from * count_ + to].top().node;
    classes_[at(u)] = static_cast<ClassId>(to);
    --sizes_[from];
    ++sizes_[to];
    for (std::size_t other = 0; other < count_; ++other) {
      if (other != to) leavers_[to * count_ + other].push({cost(u, to, other), u});
    }
  }

  ConstMatrixView scores_;
  std::vector<ClassId>& classes_;
  const ClassVolumes& volumes_;
  std::size_t count_;
  std::vector<std::int64_t> sizes_;
  std::vector<Leavers> leavers_;  // from · C + to
  std::int64_t moves_ = 0;
};

std::vector<std::int64_t> sizes_of(const KnownLabels& known, ClassId classes) {
  std::vector<std::int64_t> sizes(at(classes));
  for (ClassId c : known.classes) ++sizes[at(c)];
  return sizes;
}

// What the first assignment goes by: the logarithms of heat, or scores that are below zero as they are.
Matrix first_scores(ConstMatrixView scores) {
  Matrix result(scores.rows, scores.cols);
  Real least = 0, largest = 0;
  for (std::int64_t u = 0; u < scores.rows; ++u) {
    std::ranges::copy(scores.row(u), result.row(u).begin());
    for (Real score : scores.row(u)) {
      least = std::min(least, score);
      largest = std::max(largest, score);
    }
  }
  if (static_cast<double>(least) < -kNoHeat * static_cast<double>(largest)) return result;
  for (std::int64_t u = 0; u < scores.rows; ++u) {
    for (Real& score : result.row(u)) score = std::log(std::max(score, std::numeric_limits<Real>::min()));
  }
  return result;
}

}  // namespace

void check(const ClassVolumes& volumes, const KnownLabels& known, NodeId nodes, ClassId classes) {
  require_count("least class sizes", std::ssize(volumes.least), classes, "one per class");
  require_count("largest class sizes", std::ssize(volumes.most), classes, "one per class");
  require_ids("classes of known labels", known.classes, 0, classes);
  const std::vector<std::int64_t> held = sizes_of(known, classes);
  std::int64_t least = 0, most = 0;
  for (std::size_t c = 0; c < held.size(); ++c) {
    if (volumes.least[c] < 0 || volumes.least[c] > volumes.most[c])
      fail("class {}: sizes from {} to {}; they must be 0 or more, the larger one last", c, volumes.least[c],
           volumes.most[c]);
    if (volumes.most[c] < held[c])
      fail("class {}: at most {} nodes, but {} are known to be of it", c, volumes.most[c], held[c]);
    least += std::max(volumes.least[c], held[c]);
    most += std::min<std::int64_t>(volumes.most[c], nodes);
  }
  if (least > nodes || most < nodes)
    fail("class sizes: all classes together have from {} to {} nodes, but the graph has {}", least, most,
         nodes);
}

Assignment assign(ConstMatrixView scores, const KnownLabels& known, const ClassVolumes& volumes) {
  const auto classes = static_cast<ClassId>(scores.cols);
  require_ids("nodes of known labels", known.nodes, 0, scores.rows);
  check(volumes, known, static_cast<NodeId>(scores.rows), classes);
  Assignment result{.classes = warmest_classes(scores)};
  std::vector<bool> is_known(at(scores.rows));
  for (std::size_t i = 0; i < known.nodes.size(); ++i) {
    is_known[at(known.nodes[i])] = true;
    result.classes[at(known.nodes[i])] = known.classes[i];
  }
  std::vector<NodeId> nodes;
  for (NodeId u = 0; u < scores.rows; ++u) {
    require_numbers("scores", scores.row(u), kLargestScore);
    if (!is_known[at(u)]) nodes.push_back(u);
  }
  ClassVolumes left = volumes;
  const std::vector<std::int64_t> held = sizes_of(known, classes);
  for (std::size_t c = 0; c < held.size(); ++c) {
    left.least[c] = std::max<std::int64_t>(0, left.least[c] - held[c]);
    left.most[c] -= held[c];
  }
  Moves moves(scores, result.classes, nodes, left);
  while (moves.mend()) {
  }
  result.prices = moves.prices();
  result.moves = moves.moves();
  return result;
}

VolumeAnswer threshold_dynamics(const DirichletProblem& problem, Temperatures scores,
                                const ClassVolumes& volumes, const LaplacianOptions& laplacian,
                                const VolumeOptions& options, Threads& threads) {
  check(problem);
  VolumeAnswer answer{.temperatures = std::move(scores)};
  Assignment now = assign(first_scores(answer.temperatures.values), problem.known, volumes);
  Flow flow(problem.graph, problem.weights,
            {.time = options.time, .solve = {.tolerance = kDynamicsTolerance}, .laplacian = laplacian},
            threads);
  flow.hold(problem.known.nodes);
  std::int64_t products = answer.temperatures.report.products;
  do {
    Matrix state = padded_matrix(problem.graph.nodes(), problem.classes);
    for (NodeId u = 0; u < problem.graph.nodes(); ++u) state.row(u)[at(now.classes[at(u)])] = 1;
    answer.temperatures = flow.solve(std::move(state));
    products += answer.temperatures.report.products;
    Assignment next = assign(answer.temperatures.values, problem.known, volumes);
    answer.changed = 0;
    for (std::size_t u = 0; u < now.classes.size(); ++u) answer.changed += now.classes[u] != next.classes[u];
    now = std::move(next);
    ++answer.steps;
  } while (answer.changed > 0 && answer.steps < options.steps);
  Matrix& values = answer.temperatures.values;
  for (std::int64_t u = 0; u < values.rows(); ++u) {
    for (std::size_t c = 0; c < now.prices.size(); ++c)
      values.row(u)[c] = static_cast<Real>(static_cast<double>(values.row(u)[c]) - now.prices[c]);
  }
  answer.temperatures.report.products = products;
  answer.classes = std::move(now.classes);
  return answer;
}

}  // namespace heatfront
