// SPDX-License-Identifier: MIT
// How bodies in the plane push each other away, each by the masses of both and the distance:
//
//     force(u) = Σ_v m_u m_v (x_u − x_v) / |x_u − x_v|²
//
// after Barnes and Hut (1986): bodies are sorted along a Morton curve into a tree of squares, and a square that looks small from u (its side
// less than `opening` times its distance) pushes as one body in its centre of mass. About n log n instead of n²; with opening 0 it is the
// whole sum.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heatfront/base/parallel.h"

namespace heatfront {

struct Point {
  double x = 0, y = 0;
};

class Repulsion {
 public:
  explicit Repulsion(double opening) : opening_(opening) {}

  // forces[u] = the sum above, for every body. Keeps its arrays for the next call.
  void forces(std::span<const Point> bodies, std::span<const double> masses, std::span<Point> forces,
              Threads& threads);

 private:
  // Cells stand in depth-first order: children follow their parent, and `next` is the first cell that is not inside.
  struct Cell {
    Point centre;  // of mass
    double mass = 0;
    double side = 0;
    std::int32_t begin = 0, end = 0;  // of sorted_
    std::int32_t next = 0;
    bool leaf = false;
  };

  void sort(std::span<const Point> bodies, std::span<const double> masses);
  void add_cell(std::int32_t begin, std::int32_t end, int level);
  Point push_on(std::int32_t place) const;

  struct Body {
    Point at;
    double mass;
  };

  struct Place {
    std::uint64_t code;
    std::int32_t body;
  };

  double opening_;
  double side_ = 0;            // of the square around all
  std::vector<Place> places_;  // along the curve
  std::vector<Body> sorted_;   // the bodies in that order
  std::vector<Cell> cells_;
};

}  // namespace heatfront
