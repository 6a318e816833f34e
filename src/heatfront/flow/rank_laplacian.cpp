// SPDX-License-Identifier: MIT
#include "heatfront/flow/rank_laplacian.h"

#include <algorithm>
#include <cmath>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/laplacian_row.h"
#include "heatfront/flow/row_kernel.h"

namespace heatfront {
namespace {

// Most arcs lead to rows that are far away in memory.
bool is_far_apart(const RankGraph& graph) {
  ArcId far = 0, all = 0;
  const auto count = [&](const RowBlock& block) {
    for (std::int64_t i = 0; i < block.rows(); ++i) {
      for (ArcId arc = block.offsets[at(i)]; arc < block.offsets[at(i) + 1]; ++arc)
        far += std::abs(block.targets[at(arc)] - i) > kNearRows;
    }
    all += std::ssize(block.targets);
  };
  for (const RowBlock& block : graph.inside) count(block);
  count(graph.boundary);
  return 2 * far > all;
}

}  // namespace

RankLaplacian::RankLaplacian(const RankGraph& graph, const LaplacianOptions& options, double lambda,
                             const Cluster& cluster, Threads& threads)
    : graph_(graph),
      cluster_(cluster),
      kind_(entry_of(options.kind)),
      self_loop_(options.self_loop),
      lambda_(lambda),
      threads_(threads),
      halo_(cluster.halo(graph.rows, graph.ghosts)),
      far_apart_(is_far_apart(graph)) {
  if (!(lambda > 0 && std::isfinite(lambda))) fail("lambda {}: it must be above 0, and finite", lambda);
  if (!(options.self_loop >= 0 && std::isfinite(options.self_loop)))
    fail("self_loop {}: it must be 0 or more, and finite", options.self_loop);
  set_degrees();
  bound_spectrum();
}

void RankLaplacian::set_degrees() {
  for (std::vector<Real>* values : {&degrees_, &roots_, &inverse_roots_, &scale_, &shift_})
    values->resize(at(rows()));
  ArcId most_arcs = 0;
  const auto set_block = [&](const RowBlock& block, std::int64_t first_row) {
    for (std::int64_t i = 0; i < block.rows(); ++i) {
      const ArcId begin = block.offsets[at(i)], end = block.offsets[at(i) + 1];
      double to_others = block.weights.empty() ? static_cast<double>(end - begin) : 0;
      for (ArcId arc = begin; arc < end && !block.weights.empty(); ++arc)
        to_others += static_cast<double>(block.weights[at(arc)]);
      const LaplacianRow row = laplacian_row(kind_, self_loop_, to_others, lambda_);
      const std::size_t u = at(first_row + i);
      degrees_[u] = row.degree;
      roots_[u] = row.root;
      inverse_roots_[u] = row.inverse_root;
      scale_[u] = row.scale;
      shift_[u] = row.shift;
      most_arcs = std::max(most_arcs, end - begin);
    }
  };
  for (const RowBlock& block : graph_.inside) set_block(block, block.first);
  set_block(graph_.boundary, graph_.inside_rows);
  sum_roundings_ = roundings_of_sum(static_cast<ArcId>(ranks().largest(static_cast<double>(most_arcs))));
}

// As Laplacian::bound_spectrum() does it, where the reason stands.
void RankLaplacian::bound_spectrum() {
  std::vector<double> y(at(rows()), 1.0), next(y.size()), strip(at(graph_.strip_rows()));
  double bound = 0;
  for (int sweep = 0; sweep < kBoundingSweeps; ++sweep) {
    fetch_rows<double>(*halo_, y, std::span(strip).subspan(at(graph_.first_ghost())));
    std::copy(y.begin() + graph_.inside_rows, y.end(), strip.begin());
    for (std::size_t i = 0; i < graph_.kept.size(); ++i)
      strip[at(graph_.first_kept()) + i] = y[at(graph_.kept[i])];
    double most = 0;
    const auto sweep_block = [&](const RowBlock& block, std::int64_t first_row,
                                 const std::vector<double>& values) {
      std::vector<double> by_rows(at((block.rows() + kRowsAtOnce - 1) / kRowsAtOnce));
      threads_.for_blocks(block.rows(), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
        double& highest = by_rows[at(begin / kRowsAtOnce)];
        for (std::int64_t i = begin; i < end; ++i) {
          double sum = 0;
          for (ArcId arc = block.offsets[at(i)]; arc < block.offsets[at(i) + 1]; ++arc) {
            const double value = values[at(block.first + block.targets[at(arc)])];
            sum += block.weights.empty() ? value : static_cast<double>(block.weights[at(arc)]) * value;
          }
          const std::size_t u = at(first_row + i);
          const double image =
              1.0 * (static_cast<double>(shift_[u]) * y[u] + static_cast<double>(scale_[u]) * sum);
          highest = std::max(highest, image / y[u]);
          next[u] = image;
        }
      });
      for (double highest : by_rows) most = std::max(most, highest);
    };
    for (const RowBlock& block : graph_.inside) sweep_block(block, block.first, y);
    sweep_block(graph_.boundary, graph_.inside_rows, strip);
    const double found = ranks().largest(most);
    bound = sweep == 0 ? found : std::min(bound, found);
    if (bound == 0) break;
    for (std::size_t u = 0; u < y.size(); ++u) y[u] = next_bounding(next[u], bound, y[u]);
  }
  lowest_ = lowest_by(bound);
}

void RankLaplacian::clamp(std::span<const NodeId> rows) {
  require_ids("clamped rows", rows, 0, this->rows());
  clamped_.assign(rows.empty() ? 0 : at(this->rows()), 0);
  for (NodeId u : rows) clamped_[at(u)] = 1;
  clamps_ = ranks().largest(rows.empty() ? 0 : 1) > 0;
}

void RankLaplacian::enter(MatrixView state) const {
  if (kind_.root_coordinates) scale_rows(inverse_roots_, state, threads_);
}

void RankLaplacian::leave(MatrixView state) const {
  if (kind_.root_coordinates) scale_rows(roots_, state, threads_);
}

std::span<const Real> RankLaplacian::row_scale() const {
  return kind_.root_coordinates ? std::span<const Real>(roots_) : std::span<const Real>();
}

std::span<const Real> RankLaplacian::metric() const {
  return kind_.by_degree ? std::span<const Real>(degrees_) : std::span<const Real>();
}

RowKernel RankLaplacian::kernel_of(const RowBlock& block, std::int64_t first_row, std::int64_t stride,
                                   bool clamped) const {
  const std::int64_t bytes = rows() * stride * static_cast<std::int64_t>(sizeof(Real));
  return {.offsets = block.offsets.data(),
          .targets = block.targets.data(),
          .weights = block.weights.empty() ? nullptr : block.weights.data(),
          .scale = scale_.data() + first_row,
          .shift = shift_.data() + first_row,
          .clamped = clamped && !clamped_.empty() ? clamped_.data() + first_row : nullptr,
          .order = nullptr,
          .far_apart = far_apart_ && bytes > kCachedBytes};
}

// inside(block, its first row) while rows travel, then boundary(the strip that it reads).
template <class Inside, class Boundary>
void RankLaplacian::exchange(ConstMatrixView x, const Inside& inside, const Boundary& boundary) const {
  if (strip_.stride() != x.stride || strip_.cols() != x.cols)
    strip_ = Matrix(graph_.strip_rows(), x.cols, x.stride);
  const MatrixView strip = strip_.view();
  const auto numbers = [&](std::int64_t first, std::int64_t end) {
    return std::span(strip.data + first * x.stride, at((end - first) * x.stride));
  };
  halo_->begin(std::as_bytes(std::span(x.data, at(x.rows * x.stride))),
               std::as_writable_bytes(numbers(graph_.first_ghost(), graph_.strip_rows())),
               x.stride * static_cast<std::int64_t>(sizeof(Real)));
  for (const RowBlock& block : graph_.inside) inside(block);
  threads_.for_blocks(graph_.first_ghost(), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t row =
          i < graph_.first_kept() ? graph_.inside_rows + i : graph_.kept[at(i - graph_.first_kept())];
      std::copy_n(x.data + row * x.stride, x.stride, strip.data + i * x.stride);
    }
  });
  halo_->end();
  boundary(ConstMatrixView(strip));
}

void RankLaplacian::run(const Step& step, bool clamped, ConstMatrixView x, MatrixView y,
                        MatrixView sum) const {
  const auto rows_of = [](MatrixView view, std::int64_t first, std::int64_t count) {
    return view.data == nullptr ? view : view.rows_between(first, first + count);
  };
  // A block sees states from its first row on: targets are counted from there, backwards as well.
  const auto run_block = [&](const RowBlock& block, std::int64_t first_row, ConstMatrixView from) {
    const RowKernel kernel = kernel_of(block, first_row, x.stride, clamped);
    const MatrixView to = rows_of(y, first_row, block.rows()), total = rows_of(sum, first_row, block.rows());
    threads_.for_blocks(block.rows(), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
      apply_rows(kernel, step, from, to, total, begin, end);
    });
  };
  exchange(
      x,
      [&](const RowBlock& block) {
        run_block(block, block.first, x.rows_between(block.first, block.first + block.rows()));
      },
      [&](ConstMatrixView strip) { run_block(graph_.boundary, graph_.inside_rows, strip); });
}

void RankLaplacian::apply(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const {
  run(step, true, x, y, sum);
}

void RankLaplacian::apply_adjoint(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const {
  if (!clamps()) return apply(step, x, y, sum);
  Matrix free(x.rows, x.cols, x.stride);
  copy(x, free, threads_);
  clear_clamped_rows(*this, free);
  run({.alpha = step.alpha, .beta = step.beta, .gamma = step.gamma}, false, free, y, {});
  for_clamped_rows(*this, [&](std::int64_t u) {
    for (std::int64_t c = 0; c < x.cols; ++c) y(u, c) += static_cast<Real>(step.beta) * x(u, c);
  });
  if (sum.data != nullptr) add_scaled(step.delta, y, sum, threads_);
}

void RankLaplacian::add_gradient(double scale, ConstMatrixView a, ConstMatrixView x,
                                 OperatorGradient& gradient) const {
  Real* entries = gradient.entries.data();
  const auto add_block = [&](const RowBlock& block, std::int64_t first_row, ConstMatrixView from) {
    const RowKernel kernel = kernel_of(block, first_row, x.stride, true);
    threads_.for_blocks(block.rows(), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
      add_row_gradients(kernel, scale, a.rows_between(first_row, first_row + block.rows()), from, entries,
                        gradient.diagonal.data() + first_row, begin, end);
    });
    entries += std::ssize(block.targets);
  };
  exchange(
      x,
      [&](const RowBlock& block) {
        add_block(block, block.first, x.rows_between(block.first, block.first + block.rows()));
      },
      [&](ConstMatrixView strip) { add_block(graph_.boundary, graph_.inside_rows, strip); });
}

OperatorGradient RankLaplacian::zero_gradient() const {
  return {std::vector<Real>(at(graph_.arcs)), std::vector<Real>(at(rows()))};
}

}  // namespace heatfront
