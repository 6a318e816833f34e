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
      far_apart_(is_far_apart(graph)),
      inside_(graph.inside),
      boundary_(graph.boundary) {
  if (!(lambda > 0 && std::isfinite(lambda))) fail("lambda {}: it must be above 0, and finite", lambda);
  if (!(options.self_loop >= 0 && std::isfinite(options.self_loop)))
    fail("self_loop {}: it must be 0 or more, and finite", options.self_loop);
  for (std::vector<Real>* values : {&degrees_, &roots_, &inverse_roots_, &scale_, &shift_})
    values->resize(at(rows()));
  set_degrees();
  ArcId most_arcs = 0;
  for_blocks([&](const RowBlock& block, std::int64_t) {
    for (std::int64_t i = 0; i < block.rows(); ++i)
      most_arcs = std::max(most_arcs, block.offsets[at(i) + 1] - block.offsets[at(i)]);
  });
  sum_roundings_ = roundings_of_sum(static_cast<ArcId>(ranks().largest(static_cast<double>(most_arcs))));
  bound_.sweeps_due = kBoundingSweeps;
}

// each(block, its first row): those inside, then the boundary.
template <class Each>
void RankLaplacian::for_blocks(const Each& each) const {
  for (const RowBlock& block : inside_) each(block, block.first);
  each(boundary_, graph_.inside_rows);
}

void RankLaplacian::set_weights(std::span<const Real> weights) {
  require_count("weights", std::ssize(weights), graph_.arcs, "one per arc");
  const auto take = [&](RowBlock& block) {
    block.weights = weights.first(block.targets.size());
    weights = weights.subspan(block.targets.size());
  };
  for (RowBlock& block : inside_) take(block);
  take(boundary_);
  set_degrees();
  bound_.sweeps_due = std::max(bound_.sweeps_due, kLaterSweeps);
}

void RankLaplacian::set_degrees() {
  for_blocks([&](const RowBlock& block, std::int64_t first_row) {
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
    }
  });
}

// What the boundary reads of a number per row.
std::vector<double> RankLaplacian::strip_of(const std::vector<double>& rows) const {
  std::vector<double> strip(at(graph_.strip_rows()));
  fetch_rows<double>(*halo_, rows, std::span(strip).subspan(at(graph_.first_ghost())));
  std::copy(rows.begin() + graph_.inside_rows, rows.end(), strip.begin());
  for (std::size_t i = 0; i < graph_.kept.size(); ++i)
    strip[at(graph_.first_kept()) + i] = rows[at(graph_.kept[i])];
  return strip;
}

// As Laplacian::bound_spectrum() does it, where the reason stands.
void RankLaplacian::bound_spectrum() const {
  std::vector<double>& y = bound_.y;
  y.resize(at(rows()), 1.0);
  std::vector<double> next(y.size());
  double bound = 0;
  for (int sweep = 0; sweep < bound_.sweeps_due; ++sweep) {
    const std::vector<double> strip = strip_of(y);
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
    for (const RowBlock& block : inside_) sweep_block(block, block.first, y);
    sweep_block(boundary_, graph_.inside_rows, strip);
    const double found = ranks().largest(most);
    bound = sweep == 0 ? found : std::min(bound, found);
    if (bound == 0) break;
    for (std::size_t u = 0; u < y.size(); ++u) y[u] = next_bounding(next[u], bound, y[u]);
  }
  bound_.lowest = lowest_by(bound);
  bound_.sweeps_due = 0;
}

double RankLaplacian::lowest() const {
  if (bound_.sweeps_due > 0) bound_spectrum();
  return bound_.lowest;
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

// As Laplacian has them.
void RankLaplacian::enter_adjoint(MatrixView gradient) const {
  if (!kind_.by_degree) return;
  scale_rows(inverse_roots_, gradient, threads_);
  if (!kind_.root_coordinates) scale_rows(inverse_roots_, gradient, threads_);
}

void RankLaplacian::leave_adjoint(MatrixView gradient) const {
  if (!kind_.by_degree) return;
  scale_rows(roots_, gradient, threads_);
  if (!kind_.root_coordinates) scale_rows(roots_, gradient, threads_);
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
  for (const RowBlock& block : inside_) inside(block);
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
      [&](ConstMatrixView strip) { run_block(boundary_, graph_.inside_rows, strip); });
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
      [&](ConstMatrixView strip) { add_block(boundary_, graph_.inside_rows, strip); });
}

// As Laplacian::weight_gradient(), where the formula stands.
void RankLaplacian::weight_gradient(const OperatorGradient& gradient, ConstMatrixView start,
                                    ConstMatrixView d_start, ConstMatrixView end, ConstMatrixView d_end,
                                    ArcPairs& pairs, Laplacian::WeightGradient& result) const {
  std::vector<double>& by_degree = result.by_degree;
  by_degree.resize(at(rows()));
  result.edges.resize(at(graph_.arcs));
  const FlowEnds ends{start, d_start, end, d_end};
  ArcId first_arc = 0;
  for_blocks([&](const RowBlock& block, std::int64_t first_row) {
    threads_.for_blocks(block.rows(), kRowsAtOnce, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const std::size_t begin = at(block.offsets[at(i)]), arcs = at(block.offsets[at(i) + 1]) - begin;
        const std::int64_t u = first_row + i;
        by_degree[at(u)] = gradient_by_degree(
            kind_, self_loop_, lambda_, static_cast<double>(degrees_[at(u)]),
            static_cast<double>(gradient.diagonal[at(u)]),
            std::span(gradient.entries).subspan(at(first_arc) + begin, arcs),
            block.weights.empty() ? block.weights : block.weights.subspan(begin, arcs), ends, u);
      }
    });
    first_arc += std::ssize(block.targets);
  });
  result.self_loop = 0;
  for (std::size_t u = 0; u < by_degree.size() && kind_.by_degree; ++u)
    result.self_loop += lambda_ * static_cast<double>(gradient.diagonal[u]) + by_degree[u];
  result.self_loop = ranks().sum(result.self_loop);

  const std::vector<double> of_strip = strip_of(by_degree);
  const std::span<const Real> entries = pairs.with_others(gradient.entries);
  first_arc = 0;
  const auto add_block = [&](const RowBlock& block, std::int64_t first_row,
                             const std::vector<double>& of_target) {
    threads_.for_blocks(block.rows(), kRowsAtOnce, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        for (ArcId arc = block.offsets[at(i)]; arc < block.offsets[at(i) + 1]; ++arc) {
          const std::size_t here = at(first_arc + arc);
          const double both =
              static_cast<double>(entries[here]) + static_cast<double>(entries[at(pairs.reverse()[here])]);
          result.edges[here] = static_cast<Real>(lambda_ * both + by_degree[at(first_row + i)] +
                                                 of_target[at(block.first + block.targets[at(arc)])]);
        }
      }
    });
    first_arc += std::ssize(block.targets);
  };
  for (const RowBlock& block : inside_) add_block(block, block.first, by_degree);
  add_block(boundary_, graph_.inside_rows, of_strip);
}

OperatorGradient RankLaplacian::zero_gradient() const {
  return {std::vector<Real>(at(graph_.arcs)), std::vector<Real>(at(rows()))};
}

}  // namespace heatfront
