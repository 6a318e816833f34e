// SPDX-License-Identifier: MIT
#include "heatfront/flow/latent_flow.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::int64_t kSpeedsAtOnce = 4096;  // speeds a thread computes at once
constexpr double kFastest = 0.5;
constexpr double kSlowest = 1e-12;  // of σ(α): the metric of the operator divides by it

SourceSeries series_for(const Laplacian& laplacian, const LatentFlowOptions& options) {
  const double reach = -laplacian.lowest() + (options.mixing ? 1 : 0);
  return SourceSeries(ChebyshevRecurrence::half_width(laplacian), reach, options.time, options.tolerance);
}

// by_row_u += ⟨a, next − 2 t + before⟩_u, for rows begin … end−1.
HEATFRONT_CLONES void add_row_products(ConstMatrixView a, ConstMatrixView next, ConstMatrixView t,
                                       ConstMatrixView before, double* by_row, std::int64_t begin,
                                       std::int64_t end) {
  const std::int64_t stride = a.stride;
  for (std::int64_t u = begin; u < end; ++u) {
    Vector4 sum = {};
    for (std::int64_t i = u * stride; i < (u + 1) * stride; i += 4) {
      Vector4 left, above, middle, below;
      load(a.data + i, left);
      load(next.data + i, above);
      load(t.data + i, middle);
      load(before.data + i, below);
      sum += left * ((above - middle) - (middle - below));
    }
    by_row[u] += static_cast<double>((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
}

// Whether a row is zero, without a choice in the loop.
HEATFRONT_CLONES bool is_zero(const Real* x, std::int64_t width) {
  int others = 0;
  for (std::int64_t j = 0; j < width; ++j) others |= x[j] != 0 ? 1 : 0;
  return others == 0;
}

}  // namespace

LatentFlow::LatentFlow(const Graph& graph, std::span<const Real> weights, std::int64_t width,
                       const LatentFlowOptions& options, Threads& threads)
    : threads_(threads),
      width_(width),
      source_gradient_(options.source_gradient),
      laplacian_(graph, weights, {.kind = LaplacianKind::symmetric, .self_loop = options.self_loop}, kFastest,
                 threads),
      series_(series_for(laplacian_, options)),
      speeds_(at(graph.nodes()), Real(1)) {
  laplacian_.prepare_products();
  if (options.mixing) mixed_.emplace(series_, width);
}

void LatentFlow::set(std::span<const Real> alpha, std::span<const double> mixing) {
  assert(alpha.size() == speeds_.size());
  threads_.for_blocks(std::ssize(alpha), kSpeedsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::size_t u = at(begin); u < at(end); ++u)
      speeds_[u] = static_cast<Real>(std::max(1 / (1 + std::exp(-static_cast<double>(alpha[u]))), kSlowest));
  });
  laplacian_.set_row_speeds(speeds_);
  if (mixed_) mixed_->set(mixing);
}

LatentFlow::StepWorkspace LatentFlow::workspace() const {
  const std::int64_t n = laplacian_.rows();
  const Matrix state = padded_matrix(n, width_);
  StepWorkspace work{.recurrence = {},
                     .states = std::vector<Matrix>(at(series_.degree() + 1), state),
                     .rows = {},
                     .sources = state,
                     .weighted = state,
                     .gathered = state,
                     .by_row = std::vector<double>(at(n)),
                     .mixing = {}};
  work.rows.reserve(at(n));
  if (mixed_) work.mixing = mixed_->workspace();
  return work;
}

// keep(k, T_k)
template <class Keep>
void LatentFlow::flow(ConstMatrixView start, ChebyshevRecurrence& recurrence, MatrixView end,
                      const Keep& keep) const {
  copy(start, end, threads_);
  laplacian_.enter(end);
  if (mixed_) {
    recurrence.visit(laplacian_, series_.degree(), end, [&](std::int64_t k, ConstMatrixView t_k) {
      keep(k, t_k);
      if (k == 0) {
        multiply(t_k, mixed_->coefficients()[k], end, threads_);
      } else {
        add_product(t_k, mixed_->coefficients()[k], end, threads_);
      }
    });
  } else {
    recurrence.sum(laplacian_, series_.coefficients(), end, keep);
  }
  laplacian_.leave(end);
}

void LatentFlow::forward(ConstMatrixView start, StepWorkspace& work, MatrixView end) const {
  flow(start, work.recurrence, end,
       [&](std::int64_t k, ConstMatrixView t_k) { copy(t_k, work.states[at(k)], threads_); });
}

void LatentFlow::judge(ConstMatrixView start, ChebyshevRecurrence& work, MatrixView end) const {
  flow(start, work, end, [](std::int64_t, ConstMatrixView) {});
}

// Losses see few rows: where most of G is zero, products with it are cheap.
void LatentFlow::take_sources(ConstMatrixView gradient, StepWorkspace& work) const {
  work.rows.clear();
  for (NodeId u = 0; u < gradient.rows; ++u) {
    if (is_zero(gradient.data + u * gradient.stride, gradient.stride)) continue;
    const std::int64_t i = std::ssize(work.rows);
    work.rows.push_back(u);
    const auto metric = static_cast<Real>(laplacian_.metric_at(u));
    for (std::int64_t c = 0; c < gradient.cols; ++c) {
      work.sources(i, c) = gradient(u, c);
      work.weighted(i, c) = metric * gradient(u, c);
    }
  }
}

// a_k += G C_kᵀ
void LatentFlow::add_source(std::int64_t k, StepWorkspace& work, MatrixView a_k) const {
  const std::int64_t count = std::ssize(work.rows);
  const MatrixView gathered = work.gathered.view().rows_between(0, count);
  const ConstMatrixView sources = std::as_const(work.sources).view().rows_between(0, count);
  if (mixed_) multiply_by_transposed(sources, mixed_->coefficients()[k], gathered, threads_);
  const ConstMatrixView rows = mixed_ ? gathered : sources;
  const Real factor = mixed_ ? 1 : static_cast<Real>(series_.coefficients()[at(k)]);
  for (std::int64_t i = 0; i < count; ++i) {
    Real* to = a_k.data + work.rows[at(i)] * a_k.stride;
    for (std::int64_t c = 0; c < width_; ++c) to[c] += factor * rows.data[i * rows.stride + c];
  }
}

// ∂L/∂C_k = T_kᵀ G
void LatentFlow::mixing_gradient(StepWorkspace& work, std::span<double> d_mixing) const {
  const std::int64_t count = std::ssize(work.rows);
  for (std::int64_t k = 0; k <= series_.degree(); ++k) {
    for (std::int64_t i = 0; i < count; ++i)
      std::ranges::copy(work.states[at(k)].row(work.rows[at(i)]), work.gathered.row(i).begin());
    multiply_transposed(work.gathered.view().rows_between(0, count),
                        work.weighted.view().rows_between(0, count), work.mixing->d_coefficients[k],
                        threads_);
  }
  mixed_->backward(*work.mixing, d_mixing);
}

// gradient: G → e^{tA} G e^{tM}, in the operator's coordinates, where A is its own adjoint.
void LatentFlow::start_gradient(StepWorkspace& work, MatrixView gradient) const {
  if (mixed_) {
    const std::int64_t count = std::ssize(work.rows);
    multiply(work.sources.view().rows_between(0, count), mixed_->exponential(),
             work.gathered.view().rows_between(0, count), threads_);
    for (std::int64_t i = 0; i < count; ++i)
      std::ranges::copy(work.gathered.row(i), gradient.row(work.rows[at(i)]).begin());
  }
  work.recurrence.sum(laplacian_, series_.sourceless(), gradient, [](std::int64_t, ConstMatrixView) {});
}

void LatentFlow::backward(StepWorkspace& work, MatrixView gradient, std::span<Real> d_alpha,
                          std::span<double> d_mixing) const {
  laplacian_.enter_adjoint(gradient);
  take_sources(gradient, work);
  if (mixed_) mixing_gradient(work, d_mixing);

  std::ranges::fill(work.by_row, 0.0);
  const auto by_row = [&](std::int64_t k, ConstMatrixView a_next) {
    const Matrix &next = work.states[at(k + 1)], &t = work.states[at(k)];
    const Matrix& before = k == 0 ? t : work.states[at(k - 1)];
    threads_.for_blocks(gradient.rows, rows_at_once(gradient.rows, gradient.stride),
                        [&](std::int64_t begin, std::int64_t end) {
                          add_row_products(a_next, next, t, before, work.by_row.data(), begin, end);
                        });
  };
  const ConstMatrixView a_0 = work.recurrence.backward(
      laplacian_, series_.degree(), gradient,
      [&](std::int64_t k, MatrixView a_k) { add_source(k, work, a_k); }, by_row);
  if (source_gradient_) {
    copy(a_0, gradient, threads_);
  } else {
    start_gradient(work, gradient);
  }
  laplacian_.leave_adjoint(gradient);
  for (std::size_t u = 0; u < d_alpha.size(); ++u) {
    const double slope = (1 - static_cast<double>(speeds_[u])) * laplacian_.metric_at(static_cast<NodeId>(u));
    d_alpha[u] = static_cast<Real>(slope * work.by_row[u]);
  }
}

}  // namespace heatfront
