// SPDX-License-Identifier: MIT
#include "heatfront/models/layers/graph_attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/graph/degree_pairs.h"
#include "heatfront/models/layers/attention_rows.h"

namespace heatfront {
namespace {

constexpr std::uint64_t kAttentionPart = 0, kFeaturePart = 1;  // of the seed
constexpr std::int64_t kDrawnAtOnce = 256;                     // factors of attention
constexpr std::int64_t kSumRows = 256;                         // nodes in a block of d_vectors
constexpr std::int64_t kExpCost = 16;                          // in additions

const Real* numbers(const Parameter& parameter, std::span<const Real> block) {
  return block.data() + parameter.offset;
}

void score(const AttentionKernel& kernel, ConstMatrixView z, MatrixView s, MatrixView r, Threads& threads) {
  threads.for_blocks(z.rows, rows_at_once(z.rows, 2 * z.cols), [&](std::int64_t begin, std::int64_t end) {
    score_rows(kernel, z, s, r, {begin, end});
  });
}

}  // namespace

OptionFields fields(GraphAttentionOptions& options) {
  return {{"heads", &options.heads, "Heads", from_to(1, GraphAttention::kMostHeads)},
          {"width", &options.width, "Units of a head", at_least(1)},
          {"slope", &options.slope, "Slope of the leaky rectifier below 0", from_to_below(0, 1)},
          {"attention_dropout", &options.attention_dropout, "Share of the attention weights dropped",
           from_to_below(0, 1)},
          {"feature_dropout", &options.feature_dropout, "Share of what is averaged that is dropped",
           from_to_below(0, 1)}};
}

GraphAttention::GraphAttention(const GraphAttentionOptions& options, const std::string& name,
                               ParameterLayout& layout)
    : options_(checked(options, "attention")),
      attention_dropout_(options.attention_dropout),
      feature_dropout_(options.feature_dropout) {
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

GraphAttention::JudgeWorkspace GraphAttention::judge_workspace(std::int64_t rows) const {
  return {.s = Matrix(rows, options_.heads), .r = Matrix(rows, options_.heads)};
}

GraphAttention::StepWorkspace GraphAttention::step_workspace(const Graph& graph, std::int64_t rows,
                                                             std::int64_t rows_out) const {
  const Matrix by_head(rows, options_.heads);
  const std::int64_t drawn = (graph.begin_of(static_cast<NodeId>(rows_out)) + rows_out) * options_.heads;
  const std::int64_t whole = (drawn + kDrawnAtOnce - 1) / kDrawnAtOnce * kDrawnAtOnce;
  return {.s = by_head,
          .r = by_head,
          .z = padded_matrix(rows, cols()),
          .attention = std::vector<Real>(static_cast<std::size_t>(whole)),
          .d_r = by_head,
          .d_total = Matrix(rows_out, options_.heads),
          .d_vectors = Matrix((rows + kSumRows - 1) / kSumRows, 2 * padded_width(cols()))};
}

AttentionKernel GraphAttention::kernel(const Graph& graph, std::span<const Real> parameters) const {
  return {.graph = graph,
          .options = options_,
          .receiver = numbers(receiver_, parameters),
          .sender = numbers(sender_, parameters)};
}

void GraphAttention::judge(const Graph& graph, ConstMatrixView z, std::span<const Real> parameters,
                           JudgeWorkspace& work, MatrixView out, Threads& threads) const {
  assert(out.rows <= z.rows && z.rows <= graph.nodes() && z.cols == cols() && out.cols == cols());
  const AttentionKernel kernel = this->kernel(graph, parameters);
  score(kernel, z, work.s, work.r, threads);
  threads.for_blocks(
      out.rows, rows_at_once(out.rows, (cols() + kExpCost * options_.heads) * slots_a_row(graph, out.rows)),
      [&](std::int64_t begin, std::int64_t end) {
        average_rows(kernel, z, work.s, work.r, nullptr, out, {begin, end});
      });
}

void GraphAttention::forward(const Graph& graph, ConstMatrixView z, std::span<const Real> parameters,
                             std::uint64_t seed, StepWorkspace& work, MatrixView out,
                             Threads& threads) const {
  assert(out.rows <= z.rows && z.rows <= graph.nodes() && z.cols == cols() && out.cols == cols());
  const AttentionKernel kernel = this->kernel(graph, parameters);
  work.seed = seed;
  draw_attention(work, threads);
  drop(feature_dropout_, Random(seed).part(kFeaturePart), z, work.z, threads);
  score(kernel, z, work.s, work.r, threads);
  threads.for_blocks(
      out.rows, rows_at_once(out.rows, (cols() + kExpCost * options_.heads) * slots_a_row(graph, out.rows)),
      [&](std::int64_t begin, std::int64_t end) {
        average_rows(kernel, work.z, work.s, work.r, work.attention.data(), out, {begin, end});
      });
}

// In runs of a fixed length, whatever the slots they fall on.
void GraphAttention::draw_attention(StepWorkspace& work, Threads& threads) const {
  const Random random = Random(work.seed).part(kAttentionPart);
  const std::int64_t runs = std::ssize(work.attention) / kDrawnAtOnce;
  threads.for_blocks(runs, rows_at_once(runs, 2 * kDrawnAtOnce), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      Real* first = work.attention.data() + i * kDrawnAtOnce;
      attention_dropout_.factors(random, i, {first, kDrawnAtOnce});
    }
  });
}

void GraphAttention::backward(const Graph& graph, std::span<const ArcId> reverse, ConstMatrixView z,
                              ConstMatrixView out, std::span<const Real> parameters, ConstMatrixView d_out,
                              StepWorkspace& work, MatrixView d_z, std::span<Real> gradient,
                              Threads& threads) const {
  const AttentionKernel kernel = this->kernel(graph, parameters);
  threads.for_blocks(out.rows, rows_at_once(out.rows, cols()), [&](std::int64_t begin, std::int64_t end) {
    total_rows(kernel, out, d_out, work.d_total, {begin, end});
  });
  threads.for_blocks(
      z.rows, rows_at_once(z.rows, 2 * cols() * slots_a_row(graph, z.rows)),
      [&](std::int64_t begin, std::int64_t end) {
        pull_rows(kernel, reverse.data(), attention_dropout_.scale(), d_out, work, d_z, {begin, end});
      });
  drop(feature_dropout_, Random(work.seed).part(kFeaturePart), d_z, d_z, threads);
  const std::int64_t half = work.d_vectors.cols() / 2;
  threads.for_blocks(z.rows, kSumRows, [&](std::int64_t begin, std::int64_t end) {
    const std::span<Real> sums = work.d_vectors.row(begin / kSumRows);
    std::ranges::fill(sums, Real(0));
    add_score_gradients(kernel, z, work, d_z, sums.data(), sums.data() + half, {begin, end});
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
