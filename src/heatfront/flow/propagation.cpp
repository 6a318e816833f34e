// SPDX-License-Identifier: MIT
#include "heatfront/flow/propagation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/find_named.h"
#include "heatfront/base/linear_algebra.h"

namespace heatfront {

std::span<const NormalisationName> normalisations() {
  static constexpr std::array<NormalisationName, 3> kTable = {{{Normalisation::symmetric, "symmetric"},
                                                               {Normalisation::row, "row"},
                                                               {Normalisation::column, "column"}}};
  return kTable;
}

Normalisation normalisation_named(std::string_view name) {
  return find_named(normalisations(), name, "normalisation").normalisation;
}

Propagation::Propagation(const Graph& graph, std::span<const Real> weights, Normalisation normalisation,
                         double self_loop, Threads& threads)
    : walk_(graph, weights, {.kind = LaplacianKind::random_walk, .self_loop = self_loop}, 1, threads) {
  if (normalisation == Normalisation::row) return;
  for (Real degree : walk_.degrees()) {
    const double d = static_cast<double>(degree);
    const double scale = normalisation == Normalisation::symmetric ? std::sqrt(d) : d;
    scale_.push_back(static_cast<Real>(scale));
    inverse_scale_.push_back(static_cast<Real>(1 / scale));
  }
}

void Propagation::check_state(ConstMatrixView state) const {
  if (state.rows != walk_.rows() || state.stride != padded_width(state.cols))
    fail("state of {} rows, {} apart: it must have {}, one per node, as padded_matrix makes them", state.rows,
         state.stride, walk_.rows());
}

void Propagation::enter(MatrixView state) {
  if (!inverse_scale_.empty()) scale_rows(inverse_scale_, state, walk_.threads());
}

void Propagation::leave(MatrixView state) {
  if (!scale_.empty()) scale_rows(scale_, state, walk_.threads());
}

void Propagation::multiply(MatrixView x, MatrixView y) {
  enter(x);
  walk_.apply({.alpha = 1, .beta = 1}, x, y, {});
  leave(y);
  ++products_;
}

void Propagation::spread(double a, std::int64_t steps, ConstMatrixView x, MatrixView f,
                         std::span<const NodeId> held) {
  check_state(x);
  check_state(f);
  if (steps < 0) fail("steps {}: it must be 0 or more", steps);
  require_ids("held nodes", held, 0, walk_.rows());
  shape_like(start_, x);
  copy(x, start_, walk_.threads());
  enter(start_);
  shape_like(other_, x);
  // The states take turns, so that the last one written is f.
  MatrixView from = steps % 2 == 0 ? f : other_.view(), to = steps % 2 == 0 ? other_.view() : f;
  copy(start_, from, walk_.threads());
  for (std::int64_t step = 0; step < steps; ++step) {
    copy(start_, to, walk_.threads());
    walk_.apply({.alpha = a, .beta = a, .gamma = 1 - a}, from, to, {});
    for (NodeId u : held) std::ranges::copy(start_.row(u), to.row(u).begin());
    std::swap(from, to);
  }
  leave(f);
  products_ += steps;
}

}  // namespace heatfront
