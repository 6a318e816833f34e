// SPDX-License-Identifier: MIT
// Gradients against central differences; meaningful in double precision only.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "heatfront/base/matrix.h"
#include "support/precision.h"

namespace heatfront::test {

// All numbers of a matrix, with those that fill up its rows.
inline std::span<Real> numbers(Matrix& matrix) {
  return {matrix.view().data, static_cast<std::size_t>(matrix.rows() * matrix.stride())};
}

// Compares gradient[i] with (loss(x + h e_i) − loss(x − h e_i)) / 2h for every `stride`-th i.
template <class Loss>
void expect_gradient(std::span<Real> x, std::span<const Real> gradient, const Loss& loss,
                     double tolerance = 1e-6, std::size_t stride = 1) {
  constexpr double kStep = 1e-5;
  for (std::size_t i = 0; i < x.size(); i += stride) {
    const Real before = x[i];
    x[i] = static_cast<Real>(static_cast<double>(before) + kStep);
    const double above = loss();
    x[i] = static_cast<Real>(static_cast<double>(before) - kStep);
    const double below = loss();
    x[i] = before;
    const double expected = (above - below) / (2 * kStep);
    EXPECT_NEAR(static_cast<double>(gradient[i]), expected, tolerance * (1 + std::abs(expected)))
        << "at " << i;
  }
}

}  // namespace heatfront::test
