// SPDX-License-Identifier: MIT
#include "heatfront/models/layers/attention_rows.h"

#include <algorithm>
#include <type_traits>

#include "heatfront/base/exponential.h"
#include "heatfront/base/simd.h"
#include "heatfront/models/layers/attention_shape.h"

namespace heatfront {
namespace {

// The score s_u + r_v through leaky, of the heads from h on.
template <class Lanes>
[[gnu::always_inline]] inline void leaky_sum(const Real* s, const Real* r, Real slope, Lanes& e) {
  Lanes left, right;
  load(s, left);
  load(r, right);
  e = left + right;
  e = e > slope * e ? e : slope * e;  // the slope is below 1
}

HEATFRONT_CLONES void score(const AttentionKernel& kernel, ConstMatrixView z, MatrixView s, MatrixView r,
                            RowRange rows) {
  with_shape(
      kernel.options, [&](const auto& shape) __attribute__((always_inline)) {
        for (std::int64_t u = rows.begin; u < rows.end; ++u) {
          shape.dots(kernel.receiver, z.data + u * z.stride, s.data + u * s.stride);
          shape.dots(kernel.sender, z.data + u * z.stride, r.data + u * r.stride);
        }
      });
}

// `attention`: of the slots of u.
template <bool keep, class Shape>
[[gnu::always_inline]] inline void average_row(const Shape& shape, const Graph& graph, Real slope,
                                               ConstMatrixView z, ConstMatrixView s, ConstMatrixView r,
                                               NodeId u, Real* attention, MatrixView out) {
  using Lanes = typename Shape::Lanes;
  const std::span<const NodeId> neighbours = graph.neighbours(u);
  const Real* s_u = s.data + u * s.stride;
  Real* out_u = out.data + u * out.stride;
  std::fill_n(out_u, out.stride, Real(0));
  Real most[Shape::kRoom], total[Shape::kRoom], weight[Shape::kRoom];
  shape.for_heads([&](std::int64_t h) __attribute__((always_inline)) {
    Lanes largest, e;
    load(r.data + u * r.stride + h, largest);
    for (NodeId v : neighbours) {
      Lanes other;
      load(r.data + v * r.stride + h, other);
      largest = other > largest ? other : largest;
    }
    store(largest, most + h);
    leaky_sum(s_u + h, most + h, slope, e);  // the largest of all, as leaky is monotone
    store(e, most + h);
    store(Lanes{}, total + h);
  });
  const auto add = [&](NodeId v, Real * slot) __attribute__((always_inline)) {
    shape.for_heads([&](std::int64_t h) __attribute__((always_inline)) {
      Lanes e, largest, sum;
      leaky_sum(s_u + h, r.data + v * r.stride + h, slope, e);
      load(most + h, largest);
      e -= largest;
      exponentiate(e);
      load(total + h, sum);
      store(sum + e, total + h);
      if constexpr (keep) {
        Lanes factor;
        load(slot + h, factor);
        store(factor > Lanes{} ? e : -e, slot + h);
        e *= factor;
      }
      store(e, weight + h);
    });
    shape.add_scaled(weight, z.data + v * z.stride, out_u);
  };
  add(u, attention);
  for (std::size_t i = 0; i < neighbours.size(); ++i)
    add(neighbours[i], keep ? attention + (static_cast<std::int64_t>(i) + 1) * shape.heads() : nullptr);
  for (std::int64_t h = 0; h < shape.heads(); ++h) total[h] = 1 / total[h];
  shape.scale(total, out_u);
  if constexpr (keep) {
    for (std::size_t i = 0; i <= neighbours.size(); ++i, attention += shape.heads()) {
      for (std::int64_t h = 0; h < shape.heads(); ++h) attention[h] *= total[h];
    }
  }
}

HEATFRONT_CLONES void average(const AttentionKernel& kernel, ConstMatrixView z, ConstMatrixView s,
                              ConstMatrixView r, Real* attention, MatrixView out, RowRange rows) {
  const Graph& graph = kernel.graph;
  const Real slope = static_cast<Real>(kernel.options.slope);
  with_shape(
      kernel.options, [&](const auto& shape) __attribute__((always_inline)) {
        for (NodeId u = static_cast<NodeId>(rows.begin); u < rows.end; ++u) {
          if (attention == nullptr) {
            average_row<false>(shape, graph, slope, z, s, r, u, nullptr, out);
          } else {
            average_row<true>(shape, graph, slope, z, s, r, u,
                              attention + (graph.begin_of(u) + u) * shape.heads(), out);
          }
        }
      });
}

HEATFRONT_CLONES void total(const AttentionKernel& kernel, ConstMatrixView out, ConstMatrixView d_out,
                            MatrixView d_total, RowRange rows) {
  with_shape(
      kernel.options, [&](const auto& shape) __attribute__((always_inline)) {
        for (std::int64_t u = rows.begin; u < rows.end; ++u)
          shape.dots(out.data + u * out.stride, d_out.data + u * d_out.stride,
                     d_total.data + u * d_total.stride);
      });
}

template <class Shape>
[[gnu::always_inline]] inline void pull_row(const Shape& shape, const Graph& graph, const ArcId* reverse,
                                            Real slope, Real scale, ConstMatrixView d_out, NodeId v,
                                            GraphAttention::StepWorkspace& work, MatrixView d_z) {
  using Lanes = typename Shape::Lanes;
  const std::span<const NodeId> neighbours = graph.neighbours(v);
  const ConstMatrixView s = work.s, r = work.r, d_total = work.d_total, z = work.z;
  Real* const attention = work.attention.data();
  Real* d_r_v = work.d_r.row(v).data();
  Real* d_z_v = d_z.data + v * d_z.stride;
  std::fill_n(d_r_v, shape.heads(), Real(0));
  std::fill_n(d_z_v, d_z.stride, Real(0));
  Real factor[Shape::kRoom], dot[Shape::kRoom];
  const auto pull = [&](NodeId u, std::int64_t slot) __attribute__((always_inline)) {
    Real* const alpha = attention + slot * shape.heads();
    shape.dots(d_out.data + u * d_out.stride, z.data + v * z.stride, dot);
    shape.for_heads([&](std::int64_t h) __attribute__((always_inline)) {
      Lanes a, kept, product, total, left, right, sum;
      load(alpha + h, a);
      load(dot + h, product);
      load(d_total.data + u * d_total.stride + h, total);
      load(s.data + u * s.stride + h, left);
      load(r.data + v * r.stride + h, right);
      load(d_r_v + h, sum);
      kept = scale * (a > Lanes{} ? a : Lanes{});
      a = a > -a ? a : -a;
      Lanes d = kept * product - a * total;
      d = left + right > Lanes{} ? d : slope * d;
      store(d, alpha + h);
      store(sum + d, d_r_v + h);
      store(kept, factor + h);
    });
    shape.add_scaled(factor, d_out.data + u * d_out.stride, d_z_v);
  };
  if (v < d_out.rows) pull(v, graph.begin_of(v) + v);
  for (std::size_t i = 0; i < neighbours.size() && neighbours[i] < d_out.rows; ++i) {
    const NodeId u = neighbours[i];
    pull(u, reverse[static_cast<std::size_t>(graph.begin_of(v)) + i] + u + 1);
  }
}

HEATFRONT_CLONES void pull(const AttentionKernel& kernel, const ArcId* reverse, Real scale,
                           ConstMatrixView d_out, GraphAttention::StepWorkspace& work, MatrixView d_z,
                           RowRange rows) {
  const Real slope = static_cast<Real>(kernel.options.slope);
  with_shape(
      kernel.options, [&](const auto& shape) __attribute__((always_inline)) {
        for (NodeId v = static_cast<NodeId>(rows.begin); v < rows.end; ++v)
          pull_row(shape, kernel.graph, reverse, slope, scale, d_out, v, work, d_z);
      });
}

HEATFRONT_CLONES void add_gradients(const AttentionKernel& kernel, ConstMatrixView z,
                                    const GraphAttention::StepWorkspace& work, MatrixView d_z,
                                    Real* d_receiver, Real* d_sender, RowRange rows) {
  with_shape(
      kernel.options, [&](const auto& shape) __attribute__((always_inline)) {
        Real d_s[std::remove_cvref_t<decltype(shape)>::kRoom];
        for (NodeId u = static_cast<NodeId>(rows.begin); u < rows.end; ++u) {
          const Real* d_r = work.d_r.row(u).data();
          const Real* z_u = z.data + u * z.stride;
          Real* d_z_u = d_z.data + u * d_z.stride;
          shape.add_scaled(d_r, kernel.sender, d_z_u);
          shape.add_scaled(d_r, z_u, d_sender);
          if (u >= work.d_total.rows()) continue;
          const Real* d_e = work.attention.data() + (kernel.graph.begin_of(u) + u) * shape.heads();
          for (std::int64_t h = 0; h < shape.heads(); ++h) d_s[h] = d_e[h];
          for (NodeId i = 0; i < kernel.graph.degree(u); ++i) {
            d_e += shape.heads();
            for (std::int64_t h = 0; h < shape.heads(); ++h) d_s[h] += d_e[h];
          }
          shape.add_scaled(d_s, kernel.receiver, d_z_u);
          shape.add_scaled(d_s, z_u, d_receiver);
        }
      });
}

}  // namespace

void score_rows(const AttentionKernel& kernel, ConstMatrixView z, MatrixView s, MatrixView r, RowRange rows) {
  score(kernel, z, s, r, rows);
}

void average_rows(const AttentionKernel& kernel, ConstMatrixView z, ConstMatrixView s, ConstMatrixView r,
                  Real* attention, MatrixView out, RowRange rows) {
  average(kernel, z, s, r, attention, out, rows);
}

void total_rows(const AttentionKernel& kernel, ConstMatrixView out, ConstMatrixView d_out, MatrixView d_total,
                RowRange rows) {
  total(kernel, out, d_out, d_total, rows);
}

void pull_rows(const AttentionKernel& kernel, const ArcId* reverse, Real scale, ConstMatrixView d_out,
               GraphAttention::StepWorkspace& work, MatrixView d_z, RowRange rows) {
  pull(kernel, reverse, scale, d_out, work, d_z, rows);
}

void add_score_gradients(const AttentionKernel& kernel, ConstMatrixView z,
                         const GraphAttention::StepWorkspace& work, MatrixView d_z, Real* d_receiver,
                         Real* d_sender, RowRange rows) {
  add_gradients(kernel, z, work, d_z, d_receiver, d_sender, rows);
}

}  // namespace heatfront
