// SPDX-License-Identifier: MIT
// The nearest found so far of every point, by distances in single precision: lists of one width, each in order of
// distance, then of number. What a list has at last does not depend on the order in which it was offered.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "heatfront/base/types.h"

namespace heatfront::knn {

struct Near {
  float squared = std::numeric_limits<float>::infinity();
  NodeId id = -1;  // −1: no more

  bool operator<(const Near& other) const {
    return squared < other.squared || (squared == other.squared && id < other.id);
  }
};

// Puts `near` in its place and drops the last, if it is nearer than that; returns whether it is.
inline bool insert(const Near& near, std::span<Near> list) {
  if (!(near < list.back())) return false;
  std::size_t place = list.size() - 1;
  for (; place > 0 && near < list[place - 1]; --place) list[place] = list[place - 1];
  list[place] = near;
  return true;
}

class NearLists {
 public:
  NearLists(std::int64_t points, std::int64_t width) : width_(at(width)), nears_(at(points * width)) {}

  std::size_t width() const { return width_; }
  std::span<Near> of(std::int64_t u) { return std::span(nears_).subspan(at(u) * width_, width_); }
  std::span<const Near> of(std::int64_t u) const { return std::span(nears_).subspan(at(u) * width_, width_); }

 private:
  std::size_t width_;
  std::vector<Near> nears_;
};

}  // namespace heatfront::knn
