// SPDX-License-Identifier: MIT
#include "heatfront/graph/repulsion.h"

#include <algorithm>

#include "heatfront/base/types.h"

namespace heatfront {
namespace {

constexpr int kLevels = 21;           // of the tree, and bits per coordinate
constexpr std::int32_t kLeafful = 8;  // bodies that are not worth another square
constexpr double kTouching = 1e-12;   // of a distance squared: bodies at one place push each other nowhere

// The bits of x at every second place.
std::uint64_t spread(std::uint64_t x) {
  x = (x | (x << 16)) & 0x0000FFFF0000FFFFu;
  x = (x | (x << 8)) & 0x00FF00FF00FF00FFu;
  x = (x | (x << 4)) & 0x0F0F0F0F0F0F0F0Fu;
  x = (x | (x << 2)) & 0x3333333333333333u;
  return (x | (x << 1)) & 0x5555555555555555u;
}

void add_push(Point from, double mass, Point at, Point& sum) {
  const double dx = at.x - from.x, dy = at.y - from.y;
  const double push = mass / (dx * dx + dy * dy + kTouching);
  sum.x += push * dx;
  sum.y += push * dy;
}

}  // namespace

void Repulsion::sort(std::span<const Point> bodies, std::span<const double> masses) {
  Point least = bodies[0], most = bodies[0];
  for (const Point& p : bodies) {
    least = {std::min(least.x, p.x), std::min(least.y, p.y)};
    most = {std::max(most.x, p.x), std::max(most.y, p.y)};
  }
  constexpr double kPlaces = (std::uint64_t{1} << kLevels) - 1;
  side_ = std::max({most.x - least.x, most.y - least.y, 1e-9});
  const auto code_of = [&](const Point& p) {
    const auto column = static_cast<std::uint64_t>((p.x - least.x) / side_ * kPlaces);
    const auto row = static_cast<std::uint64_t>((p.y - least.y) / side_ * kPlaces);
    return spread(column) | (spread(row) << 1);
  };
  if (places_.size() != bodies.size()) {
    places_.resize(bodies.size());
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i].body = static_cast<std::int32_t>(i);
  }
  for (Place& place : places_) place.code = code_of(bodies[at(place.body)]);
  std::ranges::sort(places_, [](const Place& a, const Place& b) {
    return a.code != b.code ? a.code < b.code : a.body < b.body;
  });
  sorted_.resize(bodies.size());
  for (std::size_t i = 0; i < places_.size(); ++i)
    sorted_[i] = {bodies[at(places_[i].body)], masses[at(places_[i].body)]};
}

// The square of the bodies begin … end − 1, which share the first `level` pairs of bits, and what is inside it.
void Repulsion::add_cell(std::int32_t begin, std::int32_t end, int level) {
  const std::size_t index = cells_.size();
  cells_.push_back({.side = side_ / static_cast<double>(std::uint64_t{1} << level),
                    .begin = begin,
                    .end = end,
                    .leaf = end - begin <= kLeafful || level == kLevels});
  Cell cell = cells_[index];
  for (std::int32_t i = begin; i < end; ++i) {
    const Body& body = sorted_[at(i)];
    cell.mass += body.mass;
    cell.centre.x += body.mass * body.at.x;
    cell.centre.y += body.mass * body.at.y;
  }
  cell.centre = {cell.centre.x / cell.mass, cell.centre.y / cell.mass};
  if (!cell.leaf) {
    const int shift = 2 * (kLevels - 1 - level);
    for (std::int32_t from = begin; from < end;) {
      const std::uint64_t quarter = places_[at(from)].code >> shift;
      std::int32_t to = from + 1;
      while (to < end && places_[at(to)].code >> shift == quarter) ++to;
      add_cell(from, to, level + 1);
      from = to;
    }
  }
  cell.next = static_cast<std::int32_t>(cells_.size());
  cells_[index] = cell;
}

Point Repulsion::push_on(std::int32_t place) const {
  const Point here = sorted_[at(place)].at;
  const double far = opening_ * opening_;
  Point sum;
  for (std::size_t i = 0; i < cells_.size();) {
    const Cell& cell = cells_[i];
    if (cell.leaf) {
      for (std::int32_t j = cell.begin; j < cell.end; ++j) {
        if (j != place) add_push(sorted_[at(j)].at, sorted_[at(j)].mass, here, sum);
      }
    } else {
      const double dx = here.x - cell.centre.x, dy = here.y - cell.centre.y;
      if (cell.side * cell.side >= far * (dx * dx + dy * dy)) {
        ++i;
        continue;
      }
      add_push(cell.centre, cell.mass, here, sum);
    }
    i = at(cell.next);
  }
  return sum;
}

void Repulsion::forces(std::span<const Point> bodies, std::span<const double> masses, std::span<Point> forces,
                       Threads& threads) {
  if (bodies.empty()) return;
  sort(bodies, masses);
  cells_.clear();
  const auto n = static_cast<std::int32_t>(bodies.size());
  add_cell(0, n, 0);
  constexpr std::int64_t kCostPerBody = 1000;  // of the loop over cells, in additions
  threads.for_blocks(n, rows_at_once(n, kCostPerBody), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Point push = push_on(static_cast<std::int32_t>(i));
      const double mass = sorted_[at(i)].mass;
      forces[at(places_[at(i)].body)] = {mass * push.x, mass * push.y};
    }
  });
}

}  // namespace heatfront
