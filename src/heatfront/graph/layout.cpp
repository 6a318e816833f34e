// SPDX-License-Identifier: MIT
#include "heatfront/graph/layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/random.h"
#include "heatfront/graph/components.h"
#include "heatfront/graph/packing.h"
#include "heatfront/graph/repulsion.h"

namespace heatfront {
namespace {

constexpr std::int64_t kCoarseRounds = 60;  // for each coarse level
constexpr std::size_t kSmallEnough = 200;   // nodes that unfold from anywhere
constexpr double kStrongest = 10;           // pull of an edge, next to the mean: else its ends fall together
constexpr std::int64_t kRoundsAtOnce = 5;   // before progress is told
constexpr std::int64_t kComponentsAtOnce = 16;

double length(Point p) { return std::sqrt(p.x * p.x + p.y * p.y); }

// What forces act on: edges that pull, in compressed rows, and masses.
struct Springs {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> targets;
  std::vector<double> pulls;
  std::vector<double> masses;

  std::size_t nodes() const { return masses.size(); }
};

// Evenly in a disc, at random; that of an even density of nodes.
std::vector<Point> random_points(std::size_t count, const Random& random) {
  std::vector<Point> points(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double angle = 2 * std::numbers::pi * random.uniform(2 * i);
    const double radius = std::sqrt(static_cast<double>(count) * random.uniform(2 * i + 1));
    points[i] = {radius * std::cos(angle), radius * std::sin(angle)};
  }
  return points;
}

void centre(std::span<Point> points) {
  Point mean;
  for (const Point& p : points) mean = {mean.x + p.x, mean.y + p.y};
  const auto count = static_cast<double>(points.size());
  for (Point& p : points) p = {p.x - mean.x / count, p.y - mean.y / count};
}

// Springs on their way to rest, as ForceAtlas2 moves them: the more all swing the slower, the more one swings the slower that one.
class Motion {
 public:
  Motion(const Springs& springs, std::vector<Point> start, const LayoutOptions& options, Threads& threads)
      : points_(std::move(start)),
        before_(points_.size()),
        forces_(points_.size()),
        gravity_(options.gravity),
        repulsion_(options.opening) {
    scale(springs, threads);
  }

  void round(const Springs& springs, Threads& threads);

  std::span<const Point> points() const { return points_; }

 private:
  // With A = Σ w |x_u − x_v|² over edges + g Σ m |x|² and M = Σ m_u m_v over pairs, the forces are at rest with respect to a change of
  // scale s where s A = M/s.
  void scale(const Springs& springs, Threads& threads);
  void find_forces(const Springs& springs, Threads& threads);
  void find_speed(const Springs& springs, Threads& threads);

  std::vector<Point> points_, before_, forces_;  // before_: the forces of the round before
  double gravity_;
  Repulsion repulsion_;
  double speed_ = 1, efficiency_ = 1;
};

constexpr std::int64_t kNodesAtOnce = 4096;  // in sums, whose blocks have to stay the same

void Motion::scale(const Springs& springs, Threads& threads) {
  centre(points_);
  const auto n = static_cast<std::int64_t>(points_.size());
  struct Sums {
    double pull = 0, mass = 0, mass_squared = 0;
    Sums& operator+=(const Sums& other) {
      pull += other.pull;
      mass += other.mass;
      mass_squared += other.mass_squared;
      return *this;
    }
  };
  const auto sums = threads.sum_blocks<Sums>(n, kNodesAtOnce, [&](std::int64_t begin, std::int64_t end) {
    Sums part;
    for (std::int64_t u = begin; u < end; ++u) {
      const Point p = points_[at(u)];
      const double mass = springs.masses[at(u)];
      for (std::int64_t a = springs.offsets[at(u)]; a < springs.offsets[at(u + 1)]; ++a) {
        const Point q = points_[at(springs.targets[at(a)])];
        part.pull += springs.pulls[at(a)] * ((p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y)) / 2;
      }
      part.mass += mass;
      part.mass_squared += mass * mass;
      part.pull += gravity_ * mass * (p.x * p.x + p.y * p.y);
    }
    return part;
  });
  const double pairs = (sums.mass * sums.mass - sums.mass_squared) / 2;
  if (!(sums.pull > 0) || !(pairs > 0)) return;
  const double factor = std::sqrt(pairs / sums.pull);
  for (Point& p : points_) p = {factor * p.x, factor * p.y};
}

void Motion::find_forces(const Springs& springs, Threads& threads) {
  repulsion_.forces(points_, springs.masses, forces_, threads);
  const auto n = static_cast<std::int64_t>(points_.size());
  threads.for_blocks(n, kNodesAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      const Point p = points_[at(u)];
      Point force = forces_[at(u)];
      for (std::int64_t a = springs.offsets[at(u)]; a < springs.offsets[at(u + 1)]; ++a) {
        const Point q = points_[at(springs.targets[at(a)])];
        force.x += springs.pulls[at(a)] * (q.x - p.x);
        force.y += springs.pulls[at(a)] * (q.y - p.y);
      }
      const double fall = gravity_ * springs.masses[at(u)];
      forces_[at(u)] = {force.x - fall * p.x, force.y - fall * p.y};
    }
  });
}

// The constants are ForceAtlas2's own.
void Motion::find_speed(const Springs& springs, Threads& threads) {
  struct Sums {
    double swing = 0, way = 0;  // by how much forces turn, and go on as before
    Sums& operator+=(const Sums& other) {
      swing += other.swing;
      way += other.way;
      return *this;
    }
  };
  const auto n = static_cast<std::int64_t>(points_.size());
  auto [swing, way] = threads.sum_blocks<Sums>(n, kNodesAtOnce, [&](std::int64_t begin, std::int64_t end) {
    Sums part;
    for (std::int64_t u = begin; u < end; ++u) {
      const Point now = forces_[at(u)], then = before_[at(u)];
      part.swing += springs.masses[at(u)] * length({now.x - then.x, now.y - then.y});
      part.way += springs.masses[at(u)] * length({now.x + then.x, now.y + then.y}) / 2;
    }
    return part;
  });
  if (!(swing > 0)) return;
  const auto count = static_cast<double>(n);
  const double usual = 0.05 * std::sqrt(count);
  double jitter = std::max(std::sqrt(usual), std::min(10.0, usual * way / (count * count)));
  constexpr double kLeastEfficiency = 0.05, kMostSpeed = 1000;
  if (swing > 2 * way) {
    if (efficiency_ > kLeastEfficiency) efficiency_ *= 0.5;
    jitter = std::max(jitter, 1.0);
  }
  const double wanted = jitter * efficiency_ * way / swing;
  if (swing > jitter * way) {
    if (efficiency_ > kLeastEfficiency) efficiency_ *= 0.7;
  } else if (speed_ < kMostSpeed) {
    efficiency_ *= 1.3;
  }
  speed_ += std::min(wanted - speed_, 0.5 * speed_);
}

void Motion::round(const Springs& springs, Threads& threads) {
  find_forces(springs, threads);
  find_speed(springs, threads);
  for (std::size_t u = 0; u < points_.size(); ++u) {
    const Point now = forces_[u], then = before_[u];
    const double swing = springs.masses[u] * length({now.x - then.x, now.y - then.y});
    const double step = speed_ / (1 + std::sqrt(speed_ * swing));
    points_[u] = {points_[u].x + step * now.x, points_[u].y + step * now.y};
  }
  std::swap(forces_, before_);
}

struct Coarser {
  Springs springs;
  std::vector<std::int32_t> group;  // of each node, in `springs`
};

// Groups: a node that has none, in random order, and those of its neighbours that have none.
Coarser coarsened(const Springs& fine, const Random& random) {
  constexpr std::int32_t kNone = -1;
  std::vector<std::int32_t> order(fine.nodes());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, [&](std::int32_t a, std::int32_t b) {
    const std::uint64_t first = random.bits(at(a)), second = random.bits(at(b));
    return first != second ? first < second : a < b;
  });
  Coarser coarse{.group = std::vector<std::int32_t>(fine.nodes(), kNone)};
  std::vector<std::vector<std::int32_t>> members;
  for (const std::int32_t u : order) {
    if (coarse.group[at(u)] != kNone) continue;
    const auto number = static_cast<std::int32_t>(members.size());
    members.push_back({u});
    for (std::int64_t a = fine.offsets[at(u)]; a < fine.offsets[at(u + 1)]; ++a) {
      const std::int32_t v = fine.targets[at(a)];
      if (coarse.group[at(v)] == kNone) members.back().push_back(v);
    }
    for (const std::int32_t v : members.back()) coarse.group[at(v)] = number;
  }
  Springs& springs = coarse.springs;
  std::vector<double> pull_to(members.size());
  for (std::size_t g = 0; g < members.size(); ++g) {
    std::vector<std::int32_t> met;
    double mass = 0;
    for (const std::int32_t u : members[g]) {
      mass += fine.masses[at(u)];
      for (std::int64_t a = fine.offsets[at(u)]; a < fine.offsets[at(u + 1)]; ++a) {
        const std::int32_t other = coarse.group[at(fine.targets[at(a)])];
        if (at(other) == g) continue;
        if (pull_to[at(other)] == 0) met.push_back(other);
        pull_to[at(other)] += fine.pulls[at(a)];
      }
    }
    std::ranges::sort(met);
    for (const std::int32_t other : met) {
      springs.targets.push_back(other);
      springs.pulls.push_back(std::exchange(pull_to[at(other)], 0));
    }
    springs.offsets.push_back(std::ssize(springs.targets));
    springs.masses.push_back(mass);
  }
  return coarse;
}

// Where nodes can begin: around the places of their groups, which are found the same way.
std::vector<Point> unfolded(const Springs& springs, const Random& random, const LayoutOptions& options,
                            Threads& threads) {
  std::vector<Point> points = random_points(springs.nodes(), random);
  if (springs.nodes() <= kSmallEnough) return points;
  const Coarser coarse = coarsened(springs, random);
  if (4 * coarse.springs.nodes() > 3 * springs.nodes()) return points;
  Motion motion(coarse.springs, unfolded(coarse.springs, random.part(springs.nodes()), options, threads),
                options, threads);
  for (std::int64_t i = 0; i < kCoarseRounds; ++i) motion.round(coarse.springs, threads);
  double spread = 0;
  for (const Point& p : motion.points()) spread += p.x * p.x + p.y * p.y;
  const auto groups = static_cast<double>(coarse.springs.nodes());
  const double beside = std::sqrt(2 * spread) / groups / std::sqrt(static_cast<double>(springs.nodes()));
  for (std::size_t u = 0; u < points.size(); ++u) {
    const Point p = motion.points()[at(coarse.group[u])];
    points[u] = {p.x + beside * points[u].x, p.y + beside * points[u].y};
  }
  return points;
}

}  // namespace

class Layout::Component {
 public:
  Component(std::vector<NodeId> nodes, Springs springs)
      : nodes_(std::move(nodes)), springs_(std::move(springs)) {}

  void begin(const Random& random, const LayoutOptions& options, Threads& threads) {
    if (moves()) motion_.emplace(springs_, unfolded(springs_, random, options, threads), options, threads);
  }

  void begin_at(ConstMatrixView places, const LayoutOptions& options, Threads& threads) {
    if (!moves()) return;
    std::vector<Point> points;
    for (const NodeId u : nodes_)
      points.push_back({static_cast<double>(places(u, 0)), static_cast<double>(places(u, 1))});
    motion_.emplace(springs_, std::move(points), options, threads);
  }

  void advance(std::int64_t rounds, Threads& threads) {
    for (std::int64_t i = 0; motion_ && i < rounds; ++i) motion_->round(springs_, threads);
  }

  std::span<const NodeId> nodes() const { return nodes_; }

  // Around 0 and of an even density of nodes: those of a whole disc of radius √n have the mean square n/2.
  std::vector<Point> places() const {
    if (nodes_.size() == 1) return {{0, 0}};
    if (nodes_.size() == 2) return {{-1, 0}, {1, 0}};
    std::vector<Point> points(motion_->points().begin(), motion_->points().end());
    centre(points);
    double squares = 0;
    for (const Point& p : points) squares += p.x * p.x + p.y * p.y;
    const auto count = static_cast<double>(points.size());
    const double factor = squares > 0 ? count / std::sqrt(2 * squares) : 1;
    for (Point& p : points) p = {factor * p.x, factor * p.y};
    return points;
  }

 private:
  bool moves() const { return nodes_.size() > 2; }

  std::vector<NodeId> nodes_;
  Springs springs_;
  std::optional<Motion> motion_;  // none: too small to move
};

OptionFields fields(LayoutOptions& options) {
  return {{"rounds", &options.rounds, "How often all nodes move", from_to(0, 1e6)},
          {"gravity", &options.gravity, "How strongly nodes are pulled to the middle", from_to(0, 1e6)},
          {"opening", &options.opening,
           "Squares of nodes that look smaller push as one, 0: never; smaller is finer and slower",
           from_to(0, 2)},
          {"seed", &options.seed, "Of the places to begin with", at_least(0)}};
}

// Nodes by component, the largest first, of equals the one with the first node, with the edges among them.
void Layout::split(const Graph& graph, std::span<const Real> weights, const LayoutOptions& options) {
  checked(options, "layout");
  require_weights("weights of the layout", weights, graph.arcs());
  const Components found = connected_components(graph, weights);
  std::vector<std::vector<NodeId>> members(at(found.count()));
  std::vector<std::int32_t> place(at(graph.nodes()));
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    std::vector<NodeId>& component = members[at(found.of[at(u)])];
    place[at(u)] = static_cast<std::int32_t>(component.size());
    component.push_back(u);
  }
  std::ranges::stable_sort(members, std::ranges::greater(), [](const auto& nodes) { return nodes.size(); });
  double sum = 0;
  for (const Real w : weights) sum += static_cast<double>(w);
  const double mean = sum > 0 ? sum / static_cast<double>(weights.size()) : 1;
  for (std::vector<NodeId>& nodes : members) {
    Springs springs;
    for (const NodeId u : nodes) {
      for (ArcId a = graph.begin_of(u); a < graph.begin_of(u + 1); ++a) {
        if (!weights.empty() && weights[at(a)] == 0) continue;
        springs.targets.push_back(place[at(graph.targets()[at(a)])]);
        springs.pulls.push_back(
            weights.empty() ? 1 : std::min(kStrongest, static_cast<double>(weights[at(a)]) / mean));
      }
      springs.masses.push_back(static_cast<double>(std::ssize(springs.targets) - springs.offsets.back() + 1));
      springs.offsets.push_back(std::ssize(springs.targets));
    }
    components_.emplace_back(std::move(nodes), std::move(springs));
  }
}

Layout::Layout(const Graph& graph, std::span<const Real> weights, const LayoutOptions& options,
               Threads& threads)
    : nodes_(graph.nodes()) {
  split(graph, weights, options);
  const Random random(static_cast<std::uint64_t>(options.seed));
  threads.for_blocks(std::ssize(components_), kComponentsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) components_[at(i)].begin(random.part(at(i)), options, threads);
  });
}

Layout::Layout(const Graph& graph, std::span<const Real> weights, const LayoutOptions& options,
               ConstMatrixView start, Threads& threads)
    : nodes_(graph.nodes()) {
  if (start.rows != nodes_ || start.cols != 2)
    fail("layout: places are {} × {}; they must be {} × 2, a row per node", start.rows, start.cols, nodes_);
  for (std::int64_t u = 0; u < start.rows; ++u) require_numbers("places of the layout", start.row(u));
  split(graph, weights, options);
  for (Component& component : components_) component.begin_at(start, options, threads);
}

Layout::~Layout() = default;
Layout::Layout(Layout&&) noexcept = default;
Layout& Layout::operator=(Layout&&) noexcept = default;

void Layout::advance(std::int64_t rounds, Threads& threads, const ProgressCallback& progress) {
  for (std::int64_t done = 0; done < rounds;) {
    report(progress, {.stage = "layout", .done = done, .total = rounds, .unit = "rounds"});
    const std::int64_t now = std::min(kRoundsAtOnce, rounds - done);
    threads.for_blocks(std::ssize(components_), kComponentsAtOnce, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) components_[at(i)].advance(now, threads);
    });
    done += now;
    rounds_ += now;
  }
  report(progress, {.stage = "layout", .done = rounds, .total = rounds, .unit = "rounds"});
}

Matrix Layout::positions() const {
  struct Placed {
    const Component* component;
    std::vector<Point> points;
    double radius;
  };
  std::vector<Placed> placed;
  for (const Component& component : components_) {
    placed.push_back({&component, component.places(), 0});
    for (const Point& p : placed.back().points)
      placed.back().radius = std::max(placed.back().radius, length(p));
    placed.back().radius += 1;  // half of what is left free between nodes
  }
  if (!placed.empty())
    std::ranges::stable_sort(placed.begin() + 1, placed.end(), std::ranges::greater(), &Placed::radius);
  std::vector<double> radii;
  for (const Placed& part : placed) radii.push_back(part.radius);
  const std::vector<Point> centres = pack_discs(radii);
  Matrix result(nodes_, 2);
  for (std::size_t i = 0; i < placed.size(); ++i) {
    for (std::size_t k = 0; k < placed[i].points.size(); ++k) {
      const NodeId u = placed[i].component->nodes()[k];
      result(u, 0) = static_cast<Real>(centres[i].x + placed[i].points[k].x);
      result(u, 1) = static_cast<Real>(centres[i].y + placed[i].points[k].y);
    }
  }
  return result;
}

Matrix layout(const Graph& graph, std::span<const Real> weights, const LayoutOptions& options,
              Threads& threads, const ProgressCallback& progress) {
  Layout whole(graph, weights, options, threads);
  whole.advance(options.rounds, threads, progress);
  return whole.positions();
}

}  // namespace heatfront
