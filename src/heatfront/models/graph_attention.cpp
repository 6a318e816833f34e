// SPDX-License-Identifier: MIT
#include "heatfront/models/graph_attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <type_traits>

#include "heatfront/base/exponential.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/simd.h"

namespace heatfront {
namespace {

constexpr std::uint64_t kAttentionPart = 0, kFeaturePart = 1;  // of the seed
constexpr std::int64_t kDrawnAtOnce = 256;                     // factors of attention
constexpr std::int64_t kSumRows = 256;                         // nodes in a block of d_vectors
constexpr std::int64_t kExpCost = 16;                          // in additions

// Σ of the numbers of each of eight words: sums_h = Σ_j words_h[j].
[[gnu::always_inline]] inline void add_across(const Vector8 (&words)[8], Vector8& sums) {
  Vector8 pairs[4], fours[2];
  unrolled<4>([&](auto i) __attribute__((always_inline)) {
    const Vector8 &x = words[2 * i], &y = words[2 * i + 1];
    pairs[i] = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14) +
               __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
  });
  unrolled<2>([&](auto i) __attribute__((always_inline)) {
    const Vector8 &x = pairs[2 * i], &y = pairs[2 * i + 1];
    fours[i] = __builtin_shufflevector(x, y, 0, 1, 8, 9, 4, 5, 12, 13) +
               __builtin_shufflevector(x, y, 2, 3, 10, 11, 6, 7, 14, 15);
  });
  sums = __builtin_shufflevector(fours[0], fours[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(fours[0], fours[1], 4, 5, 6, 7, 12, 13, 14, 15);
}

// What the loops below know when they are compiled; 0: only when they run.
template <std::int64_t kHeads, std::int64_t kWidth>
struct Shape {
  std::int64_t heads_now, width_now;

  std::int64_t heads() const { return kHeads > 0 ? kHeads : heads_now; }
  std::int64_t width() const { return kWidth > 0 ? kWidth : width_now; }

  // Where there is one number a head, eight heads are worked on at once.
  using Lanes = std::conditional_t<kHeads == 8, Vector8, Real>;
  static constexpr std::int64_t kRoom = kHeads > 0 ? kHeads : GraphAttention::kMostHeads;

  // each(h) for the first head of each Lanes.
  template <class Each>
  [[gnu::always_inline]] void for_heads(const Each& each) const {
    for (std::int64_t h = 0; h < heads(); h += static_cast<std::int64_t>(sizeof(Lanes) / sizeof(Real)))
      each(h);
  }

  using Word = std::conditional_t<kWidth == 8, Vector8, Vector4>;
  static constexpr auto kWord = static_cast<std::int64_t>(sizeof(Word) / sizeof(Real));

  // y ← factors ∘ y, a factor a head.
  [[gnu::always_inline]] void scale(const Real* factors, Real* y) const {
    for (std::int64_t h = 0; h < heads(); ++h, y += width()) {
      std::int64_t j = 0;
      for (; j + kWord <= width(); j += kWord) {
        Word word;
        load(y + j, word);
        word *= factors[h];
        store(word, y + j);
      }
      for (; j < width(); ++j) y[j] *= factors[h];
    }
  }

  // y ← y + factors ∘ x, a factor a head.
  [[gnu::always_inline]] void add_scaled(const Real* factors, const Real* x, Real* y) const {
    for (std::int64_t h = 0; h < heads(); ++h, x += width(), y += width()) {
      std::int64_t j = 0;
      for (; j + kWord <= width(); j += kWord) {
        Word from, to;
        load(x + j, from);
        load(y + j, to);
        to += factors[h] * from;
        store(to, y + j);
      }
      for (; j < width(); ++j) y[j] += factors[h] * x[j];
    }
  }

  // dots_h ← ⟨x_h, y_h⟩.
  [[gnu::always_inline]] void dots(const Real* x, const Real* y, Real* dots) const {
    if constexpr (kHeads == 8 && kWidth == 8) {
      Vector8 products[8], sums;
      unrolled<8>([&](auto h) __attribute__((always_inline)) {
        Vector8 left, right;
        load(x + 8 * h, left);
        load(y + 8 * h, right);
        products[h] = left * right;
      });
      add_across(products, sums);
      return store(sums, dots);
    }
    for (std::int64_t h = 0; h < heads(); ++h, x += width(), y += width()) {
      Vector4 sums = {};
      std::int64_t j = 0;
      for (; j + 4 <= width(); j += 4) {
        Vector4 left, right;
        load(x + j, left);
        load(y + j, right);
        sums += left * right;
      }
      Real sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
      for (; j < width(); ++j) sum += x[j] * y[j];
      dots[h] = sum;
    }
  }
};

// The shapes of the original, by name. One head may take its padding along.
template <class Run>
[[gnu::always_inline]] inline void with_shape(const GraphAttentionOptions& options, const Run& run) {
  if (options.heads == 8 && options.width == 8) return run(Shape<8, 8>{8, 8});
  if (options.heads == 8 && options.width == 3) return run(Shape<8, 3>{8, 3});
  if (options.heads == 8) return run(Shape<8, 0>{8, options.width});
  if (options.heads == 1) return run(Shape<1, 0>{1, padded_width(options.width)});
  return run(Shape<0, 0>{options.heads, options.width});
}

// The score s_u + r_v through leaky, of the heads from h on.
template <class Lanes>
[[gnu::always_inline]] inline void leaky_sum(const Real* s, const Real* r, Real slope, Lanes& e) {
  Lanes left, right;
  load(s, left);
  load(r, right);
  e = left + right;
  e = e > slope * e ? e : slope * e;  // the slope is below 1
}

struct Range {
  std::int64_t begin, end;
};

HEATFRONT_CLONES void score_rows(const GraphAttentionOptions& options, ConstMatrixView z,
                                 const Real* receiver, const Real* sender, MatrixView s, MatrixView r,
                                 Range rows) {
  with_shape(
      options, [&](const auto& shape) __attribute__((always_inline)) {
        for (std::int64_t u = rows.begin; u < rows.end; ++u) {
          shape.dots(receiver, z.data + u * z.stride, s.data + u * s.stride);
          shape.dots(sender, z.data + u * z.stride, r.data + u * r.stride);
        }
      });
}

// out_u ← Σ_v α_uv z_v. `attention` has the factors of the slots and gets α; none: all are kept, and nothing is
// written down.
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

HEATFRONT_CLONES void average_rows(const GraphAttentionOptions& options, const Graph& graph,
                                   ConstMatrixView z, ConstMatrixView s, ConstMatrixView r, Real* attention,
                                   MatrixView out, Range rows) {
  const Real slope = static_cast<Real>(options.slope);
  with_shape(
      options, [&](const auto& shape) __attribute__((always_inline)) {
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

// Σ_v α_uv ∂L/∂α_uv = ⟨∂L/∂out_u, out_u⟩, a head at a time.
HEATFRONT_CLONES void total_rows(const GraphAttentionOptions& options, ConstMatrixView out,
                                 ConstMatrixView d_out, MatrixView d_total, Range rows) {
  with_shape(
      options, [&](const auto& shape) __attribute__((always_inline)) {
        for (std::int64_t u = rows.begin; u < rows.end; ++u)
          shape.dots(out.data + u * out.stride, d_out.data + u * d_out.stride,
                     d_total.data + u * d_total.stride);
      });
}

// For a node v and all u that average it, with m the factors of dropout:
//
//     ∂L/∂(m_v z_v) = Σ_u m_uv α_uv ∂L/∂out_u
//     ∂L/∂e_uv = α_uv (m_uv ⟨∂L/∂out_u, m_v z_v⟩ − Σ_w α_uw ∂L/∂α_uw),   ∂L/∂r_v = Σ_u ∂L/∂e_uv leaky'
//
// ∂L/∂e_uv leaky' takes the place of α_uv.
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
  pull(v, graph.begin_of(v) + v);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const NodeId u = neighbours[i];
    pull(u, reverse[static_cast<std::size_t>(graph.begin_of(v)) + i] + u + 1);
  }
}

HEATFRONT_CLONES void pull_rows(const GraphAttentionOptions& options, const Graph& graph,
                                const ArcId* reverse, Real scale, ConstMatrixView d_out,
                                GraphAttention::StepWorkspace& work, MatrixView d_z, Range rows) {
  const Real slope = static_cast<Real>(options.slope);
  with_shape(
      options, [&](const auto& shape) __attribute__((always_inline)) {
        for (NodeId v = static_cast<NodeId>(rows.begin); v < rows.end; ++v)
          pull_row(shape, graph, reverse, slope, scale, d_out, v, work, d_z);
      });
}

// The part of the scores: ∂L/∂s_u = Σ_v ∂L/∂(s_u + r_v), then ∂L/∂z_u += a ∂L/∂s_u + a' ∂L/∂r_u, and the block's
// share Σ_u z_u ∂L/∂s_u, Σ_u z_u ∂L/∂r_u of the vectors' gradient.
HEATFRONT_CLONES void add_score_gradients(const GraphAttentionOptions& options, const Graph& graph,
                                          const Real* receiver, const Real* sender, ConstMatrixView z,
                                          GraphAttention::StepWorkspace& work, MatrixView d_z,
                                          Real* d_receiver, Real* d_sender, Range rows) {
  with_shape(
      options, [&](const auto& shape) __attribute__((always_inline)) {
        Real d_s[std::remove_cvref_t<decltype(shape)>::kRoom];
        for (NodeId u = static_cast<NodeId>(rows.begin); u < rows.end; ++u) {
          const Real* d_e = work.attention.data() + (graph.begin_of(u) + u) * shape.heads();
          for (std::int64_t h = 0; h < shape.heads(); ++h) d_s[h] = d_e[h];
          for (NodeId i = 0; i < graph.degree(u); ++i) {
            d_e += shape.heads();
            for (std::int64_t h = 0; h < shape.heads(); ++h) d_s[h] += d_e[h];
          }
          const Real* d_r = work.d_r.view().data + u * work.d_r.stride();
          const Real* z_u = z.data + u * z.stride;
          shape.add_scaled(d_s, receiver, d_z.data + u * d_z.stride);
          shape.add_scaled(d_r, sender, d_z.data + u * d_z.stride);
          shape.add_scaled(d_s, z_u, d_receiver);
          shape.add_scaled(d_r, z_u, d_sender);
        }
      });
}

const Real* numbers(const Parameter& parameter, std::span<const Real> block) {
  return block.data() + parameter.offset;
}

}  // namespace

GraphAttention::GraphAttention(const Graph& graph, std::span<const ArcId> reverse,
                               const GraphAttentionOptions& options, const std::string& name,
                               ParameterLayout& layout)
    : graph_(graph),
      reverse_(reverse),
      options_(options),
      attention_dropout_(options.attention_dropout),
      feature_dropout_(options.feature_dropout) {
  if (options.heads < 1 || options.heads > kMostHeads)
    fail("heads {}: there must be 1 to {}", options.heads, kMostHeads);
  if (options.width < 1) fail("a head has {} units; it must have at least 1", options.width);
  for (double share : {options.attention_dropout, options.feature_dropout})
    if (!(share >= 0 && share < 1)) fail("dropout {}: it must be in [0, 1)", share);
  if (!(options.slope >= 0 && options.slope < 1)) fail("slope {}: it must be in [0, 1)", options.slope);
  receiver_ = layout.add(name + ".receiver", 1, cols());
  sender_ = layout.add(name + ".sender", 1, cols());
}

void GraphAttention::initialise(const Random& random, std::span<Real> parameters) const {
  const double bound = std::sqrt(6 / (static_cast<double>(options_.width) + 1));
  std::uint64_t index = 0;
  for (const Parameter* vector : {&receiver_, &sender_}) {
    for (Real& x : vector->in(parameters).row(0))
      x = static_cast<Real>(bound * (2 * random.uniform(index++) - 1));
  }
}

GraphAttention::JudgeWorkspace GraphAttention::judge_workspace() const {
  return {.s = Matrix(graph_.nodes(), options_.heads), .r = Matrix(graph_.nodes(), options_.heads)};
}

GraphAttention::StepWorkspace GraphAttention::step_workspace() const {
  const Matrix by_head(graph_.nodes(), options_.heads);
  const std::int64_t drawn = (graph_.arcs() + graph_.nodes()) * options_.heads;
  const std::int64_t whole = (drawn + kDrawnAtOnce - 1) / kDrawnAtOnce * kDrawnAtOnce;
  return {.s = by_head,
          .r = by_head,
          .z = padded_matrix(graph_.nodes(), cols()),
          .attention = std::vector<Real>(static_cast<std::size_t>(whole)),
          .d_r = by_head,
          .d_total = by_head,
          .d_vectors = Matrix((graph_.nodes() + kSumRows - 1) / kSumRows, 2 * padded_width(cols()))};
}

std::int64_t GraphAttention::rows_a_thread(std::int64_t cost_of_slot) const {
  const std::int64_t rows = std::max<std::int64_t>(1, graph_.nodes());
  return rows_at_once(rows, cost_of_slot * (graph_.arcs() + rows) / rows);
}

void GraphAttention::judge(ConstMatrixView z, std::span<const Real> parameters, JudgeWorkspace& work,
                           MatrixView out, Threads& threads) const {
  threads.for_blocks(z.rows, rows_at_once(z.rows, 2 * cols()), [&](std::int64_t begin, std::int64_t end) {
    score_rows(options_, z, numbers(receiver_, parameters), numbers(sender_, parameters), work.s, work.r,
               {begin, end});
  });
  threads.for_blocks(z.rows, rows_a_thread(cols() + kExpCost * options_.heads),
                     [&](std::int64_t begin, std::int64_t end) {
                       average_rows(options_, graph_, z, work.s, work.r, nullptr, out, {begin, end});
                     });
}

void GraphAttention::forward(ConstMatrixView z, std::span<const Real> parameters, std::uint64_t seed,
                             StepWorkspace& work, MatrixView out, Threads& threads) const {
  work.seed = seed;
  const Random for_attention = Random(seed).part(kAttentionPart),
               for_features = Random(seed).part(kFeaturePart);
  const std::int64_t draws = std::ssize(work.attention) / kDrawnAtOnce;
  threads.for_blocks(draws, rows_at_once(draws, 2 * kDrawnAtOnce), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      attention_dropout_.factors(
          for_attention, i,
          std::span(work.attention).subspan(static_cast<std::size_t>(i * kDrawnAtOnce), kDrawnAtOnce));
    }
  });
  threads.for_blocks(z.rows, rows_at_once(z.rows, 4 * cols()), [&](std::int64_t begin, std::int64_t end) {
    score_rows(options_, z, numbers(receiver_, parameters), numbers(sender_, parameters), work.s, work.r,
               {begin, end});
    for (std::int64_t u = begin; u < end; ++u) {
      const std::span<Real> dropped = work.z.row(u);
      feature_dropout_.factors(for_features, u, dropped);
      for (std::size_t c = 0; c < dropped.size(); ++c) dropped[c] *= z.row(u)[c];
    }
  });
  threads.for_blocks(
      z.rows, rows_a_thread(cols() + kExpCost * options_.heads), [&](std::int64_t begin, std::int64_t end) {
        average_rows(options_, graph_, work.z, work.s, work.r, work.attention.data(), out, {begin, end});
      });
}

void GraphAttention::backward(ConstMatrixView z, ConstMatrixView out, std::span<const Real> parameters,
                              ConstMatrixView d_out, StepWorkspace& work, MatrixView d_z,
                              std::span<Real> gradient, Threads& threads) const {
  threads.for_blocks(z.rows, rows_at_once(z.rows, cols()), [&](std::int64_t begin, std::int64_t end) {
    total_rows(options_, out, d_out, work.d_total, {begin, end});
  });
  const Random for_features = Random(work.seed).part(kFeaturePart);
  threads.for_blocks(z.rows, rows_a_thread(2 * cols()), [&](std::int64_t begin, std::int64_t end) {
    pull_rows(options_, graph_, reverse_.data(), attention_dropout_.scale(), d_out, work, d_z, {begin, end});
    for (std::int64_t v = begin; v < end; ++v) {
      const std::span<Real> factors = work.z.row(v);  // of v alone, and no longer needed
      feature_dropout_.factors(for_features, v, factors);
      for (std::size_t c = 0; c < factors.size(); ++c) d_z.row(v)[c] *= factors[c];
    }
  });
  const std::int64_t half = work.d_vectors.cols() / 2;
  threads.for_blocks(z.rows, kSumRows, [&](std::int64_t begin, std::int64_t end) {
    const std::span<Real> sums = work.d_vectors.row(begin / kSumRows);
    std::ranges::fill(sums, Real(0));
    add_score_gradients(options_, graph_, numbers(receiver_, parameters), numbers(sender_, parameters), z,
                        work, d_z, sums.data(), sums.data() + half, {begin, end});
  });
  for (const Parameter* vector : {&receiver_, &sender_}) {
    const std::span<Real> sum = vector->in(gradient).row(0);
    std::ranges::fill(sum, Real(0));
    for (std::int64_t block = 0; block < work.d_vectors.rows(); ++block)
      add_row(work.d_vectors.row(block).data() + (vector == &sender_ ? half : 0), sum.data(),
              std::ssize(sum));
  }
}

}  // namespace heatfront
