// SPDX-License-Identifier: MIT
#include "heatfront/flow/laplacian.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include "heatfront/base/checks.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/flow/laplacian_row.h"
#include "heatfront/flow/row_kernel.h"

namespace heatfront {
namespace {

constexpr std::int64_t kSmall = 1 << 20;  // additions, some 100 µs: for fewer no thread is woken
constexpr std::int64_t kLeastWidth = 16;  // narrower states take as long an arc

// The rows of each block by degree: the number of turns of the inner loop is then nearly always the one expected,
// and a processor that guesses wrong loses as much time as several neighbours take.
std::vector<NodeId> rows_by_degree(const Graph& graph, Threads& threads) {
  std::vector<NodeId> order(at(graph.nodes()));
  std::iota(order.begin(), order.end(), NodeId(0));
  threads.for_blocks(graph.nodes(), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    std::stable_sort(order.begin() + begin, order.begin() + end,
                     [&](NodeId u, NodeId v) { return graph.degree(u) < graph.degree(v); });
  });
  return order;
}

// Larger states wait for memory, not for the guesses of the processor.
bool can_be_in_a_cache(const Graph& graph) {
  return graph.nodes() * padded_width(1) * static_cast<std::int64_t>(sizeof(Real)) <= kCachedBytes;
}

// Most arcs lead to rows that are far away in memory.
bool is_far_apart(const Graph& graph, Threads& threads) {
  if (graph.nodes() <= kNearRows) return false;
  const auto far =
      threads.sum_blocks<ArcId>(graph.nodes(), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
        ArcId count = 0;
        for (auto u = static_cast<NodeId>(begin); u < end; ++u) {
          for (NodeId v : graph.neighbours(u)) count += std::abs(v - u) > kNearRows;
        }
        return count;
      });
  return 2 * far > graph.arcs();
}

}  // namespace

Laplacian::Laplacian(const Graph& graph, std::span<const Real> weights, const LaplacianOptions& options,
                     double lambda, Threads& threads, std::span<const Real> loops)
    : graph_(graph),
      weights_(weights),
      loops_(loops),
      kind_(entry_of(options.kind)),
      self_loop_(options.self_loop),
      lambda_(lambda),
      threads_(threads) {
  require_weights("weights", weights, graph.arcs());
  if (!loops.empty()) require_count("loops", std::ssize(loops), graph.nodes(), "one per node");
  if (!(lambda > 0 && std::isfinite(lambda))) fail("lambda {}: it must be above 0, and finite", lambda);
  if (!(options.self_loop >= 0 && std::isfinite(options.self_loop)))
    fail("self_loop {}: it must be 0 or more, and finite", options.self_loop);
  const std::size_t n = at(rows());
  for (std::vector<Real>* values : {&degrees_, &roots_, &inverse_roots_, &scale_, &shift_}) values->resize(n);
  set_degrees();
  ArcId most_arcs = 0;
  for (NodeId u = 0; u < graph.nodes(); ++u) most_arcs = std::max<ArcId>(most_arcs, graph.degree(u));
  sum_roundings_ = roundings_of_sum(most_arcs);
  bound_.sweeps_due = kBoundingSweeps;
}

void Laplacian::set_weights(std::span<const Real> weights) {
  if (!weights.empty()) require_count("weights", std::ssize(weights), graph_.arcs(), "one per arc");
  weights_ = weights;
  set_degrees();
  bound_.sweeps_due = std::max(bound_.sweeps_due, kLaterSweeps);
}

void Laplacian::set_row_speeds(std::span<const Real> speeds) {
  require_count("speeds", std::ssize(speeds), rows(), "one per node");
  speeds_ = speeds;
  inverse_speeds_.resize(speeds.size());
  for (std::size_t u = 0; u < speeds.size(); ++u) {
    assert(speeds[u] > 0 && speeds[u] <= 1);
    inverse_speeds_[u] = 1 / speeds[u];
  }
  metric_.resize(speeds.size());
  set_degrees();
}

void Laplacian::set_degrees() {
  threads_.for_blocks(rows(), kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      const ArcId first = graph_.begin_of(static_cast<NodeId>(u)),
                  last = graph_.begin_of(static_cast<NodeId>(u) + 1);
      const double loop = self_loop_ + (loops_.empty() ? 0 : static_cast<double>(loops_[at(u)]));
      double to_others = weights_.empty() ? static_cast<double>(last - first) : 0;
      for (ArcId arc = first; arc < last && !weights_.empty(); ++arc)
        to_others += static_cast<double>(weights_[at(arc)]);
      const double speed = speeds_.empty() ? lambda_ : lambda_ * static_cast<double>(speeds_[at(u)]);
      const LaplacianRow row = laplacian_row(kind_, loop, to_others, speed);
      degrees_[at(u)] = row.degree;
      roots_[at(u)] = row.root;
      inverse_roots_[at(u)] = row.inverse_root;
      scale_[at(u)] = row.scale;
      shift_[at(u)] = row.shift;
      if (!metric_.empty()) metric_[at(u)] = static_cast<Real>(lambda_ / speed / row.share);
    }
  });
}

// Every eigenvalue is at least −ρ(B) with B_uu = b_u, B_uv = a_u w_uv ≥ 0, and ρ(B) ≤ max_u (B y)_u / y_u for
// any y > 0 (Collatz and Wielandt): with y = 1 this is Gershgorin's bound, and power steps on y tighten it. Of
// weights that change little, one step from the last y is enough. Slower rows make B smaller in every entry, so the bound
// is that of full speed.
void Laplacian::bound_spectrum() const {
  std::vector<double>&y = bound_.y, &next = bound_.next;
  y.resize(at(rows()), 1.0);
  next.resize(at(rows()));
  bound_.by_block.resize(at((rows() + kRowsAtOnce - 1) / kRowsAtOnce));
  double bound = 0;
  for (int sweep = 0; sweep < bound_.sweeps_due; ++sweep) {
    threads_.for_blocks(rows(), rows_a_block(1), [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t begin = first; begin < last; begin += kRowsAtOnce) {
        double most = 0;
        for (std::int64_t u = begin; u < std::min(begin + kRowsAtOnce, last); ++u) {
          double sum = 0;
          for (ArcId arc = graph_.begin_of(static_cast<NodeId>(u));
               arc < graph_.begin_of(static_cast<NodeId>(u) + 1); ++arc) {
            const double value = y[at(graph_.targets()[at(arc)])];
            sum += weights_.empty() ? value : static_cast<double>(weights_[at(arc)]) * value;
          }
          const double at_full_speed =
              inverse_speeds_.empty() ? 1 : static_cast<double>(inverse_speeds_[at(u)]);
          const double image = at_full_speed * (static_cast<double>(shift_[at(u)]) * y[at(u)] +
                                                static_cast<double>(scale_[at(u)]) * sum);
          most = std::max(most, image / y[at(u)]);
          next[at(u)] = image;
        }
        bound_.by_block[at(begin / kRowsAtOnce)] = most;
      }
    });
    const double found = ranks().largest(bound_.by_block.empty() ? 0 : std::ranges::max(bound_.by_block));
    bound = sweep == 0 ? found : std::min(bound, found);
    if (bound == 0) break;
    for (std::size_t u = 0; u < y.size(); ++u) y[u] = next_bounding(next[u], bound, y[u]);
  }
  bound_.lowest = lowest_by(bound);
  bound_.sweeps_due = 0;
}

double Laplacian::lowest() const {
  if (bound_.sweeps_due > 0) bound_spectrum();
  return bound_.lowest;
}

void Laplacian::clamp(std::span<const NodeId> nodes) {
  require_ids("clamped nodes", nodes, 0, rows());
  clamped_.assign(nodes.empty() ? 0 : at(rows()), 0);
  for (NodeId u : nodes) clamped_[at(u)] = 1;
}

void Laplacian::enter(MatrixView state) const {
  if (kind_.root_coordinates) scale_rows(inverse_roots_, state, threads_);
}

void Laplacian::leave(MatrixView state) const {
  if (kind_.root_coordinates) scale_rows(roots_, state, threads_);
}

// With metric m and ∂L/∂x = m x̂: √d/d in root coordinates, 1/d otherwise, each times s; only s where the metric is 1.
void Laplacian::enter_adjoint(MatrixView gradient) const {
  if (!speeds_.empty()) scale_rows(speeds_, gradient, threads_);
  if (!kind_.by_degree) return;
  scale_rows(inverse_roots_, gradient, threads_);
  if (!kind_.root_coordinates) scale_rows(inverse_roots_, gradient, threads_);
}

void Laplacian::leave_adjoint(MatrixView gradient) const {
  if (!speeds_.empty()) scale_rows(inverse_speeds_, gradient, threads_);
  if (!kind_.by_degree) return;
  scale_rows(roots_, gradient, threads_);
  if (!kind_.root_coordinates) scale_rows(roots_, gradient, threads_);
}

std::span<const Real> Laplacian::row_scale() const {
  return kind_.root_coordinates ? std::span<const Real>(roots_) : std::span<const Real>();
}

std::span<const Real> Laplacian::metric() const {
  if (!metric_.empty()) return metric_;
  return kind_.by_degree ? std::span<const Real>(degrees_) : std::span<const Real>();
}

// All rows where the product is small.
std::int64_t Laplacian::rows_a_block(std::int64_t stride) const {
  const bool small = (graph_.arcs() + rows()) * std::max(stride, kLeastWidth) < kSmall;
  return small ? std::max<std::int64_t>(1, rows()) : kRowsAtOnce;
}

const Laplacian::RowPlan& Laplacian::row_plan() const {
  if (!plan_) {
    plan_ = RowPlan{.far_apart = is_far_apart(graph_, threads_), .order = {}};
    if (!plan_->far_apart && can_be_in_a_cache(graph_)) plan_->order = rows_by_degree(graph_, threads_);
  }
  return *plan_;
}

RowKernel Laplacian::row_kernel(std::int64_t stride) const {
  const std::int64_t bytes = rows() * stride * static_cast<std::int64_t>(sizeof(Real));
  const RowPlan& plan = row_plan();
  return {.offsets = graph_.offsets().data(),
          .targets = graph_.targets().data(),
          .weights = weights_.empty() ? nullptr : weights_.data(),
          .scale = scale_.data(),
          .shift = shift_.data(),
          .clamped = clamps() ? clamped_.data() : nullptr,
          .order = plan.order.empty() ? nullptr : plan.order.data(),
          .far_apart = plan.far_apart && bytes > kCachedBytes};
}

void Laplacian::apply(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const {
  const RowKernel kernel = row_kernel(x.stride);
  threads_.for_blocks(rows(), rows_a_block(x.stride), [&](std::int64_t begin, std::int64_t end) {
    apply_rows(kernel, step, x, y, sum, begin, end);
  });
}

void Laplacian::apply_adjoint(const Step& step, ConstMatrixView x, MatrixView y, MatrixView sum) const {
  if (!clamps()) return apply(step, x, y, sum);
  Matrix free(x.rows, x.cols, x.stride);
  copy(x, free, threads_);
  clear_clamped_rows(*this, free);
  RowKernel kernel = row_kernel(x.stride);
  kernel.clamped = nullptr;
  threads_.for_blocks(rows(), rows_a_block(x.stride), [&](std::int64_t begin, std::int64_t end) {
    apply_rows(kernel, {.alpha = step.alpha, .beta = step.beta, .gamma = step.gamma}, free, y, {}, begin,
               end);
  });
  for_clamped_rows(*this, [&](std::int64_t u) {
    for (std::int64_t c = 0; c < x.cols; ++c) y(u, c) += static_cast<Real>(step.beta) * x(u, c);
  });
  if (sum.data != nullptr) add_scaled(step.delta, y, sum, threads_);
}

void Laplacian::add_gradient(double scale, ConstMatrixView a, ConstMatrixView x,
                             OperatorGradient& gradient) const {
  const RowKernel kernel = row_kernel(x.stride);
  threads_.for_blocks(rows(), rows_a_block(x.stride), [&](std::int64_t begin, std::int64_t end) {
    add_row_gradients(kernel, scale, a, x, gradient.entries.data(), gradient.diagonal.data(), begin, end);
  });
}

void require_representable(const Laplacian& laplacian, ConstMatrixView state) {
  require_representable(laplacian, laplacian.degrees(), state);
}

void require_representable(const Operator& a, std::span<const Real> degrees, ConstMatrixView state) {
  constexpr double kMost = 1e37, kLeast = 1e-30;
  // A row sums up weights times temperatures before λ, which may be small, scales it.
  double strength = std::max(1.0, fastest_outflow(a));
  for (Real degree : degrees) strength = std::max(strength, static_cast<double>(degree));
  strength = a.ranks().largest(strength);
  std::vector<double> largest(at(state.cols));
  for (std::int64_t u = 0; u < state.rows; ++u) {
    for (std::int64_t c = 0; c < state.cols; ++c)
      largest[at(c)] = std::max(largest[at(c)], std::abs(static_cast<double>(state(u, c))));
  }
  a.ranks().largest(largest);
  for (double most : largest) {
    if (most == 0 || (most >= kLeast && most * strength <= kMost)) continue;
    fail(
        "temperatures of {:.1e} and edges as strong as {:.1e} leave the range of numbers; bring both nearer "
        "to 1",
        most, strength);
  }
}

OperatorGradient Laplacian::zero_gradient() const {
  return {std::vector<Real>(at(graph_.arcs())), std::vector<Real>(at(rows()))};
}

}  // namespace heatfront
