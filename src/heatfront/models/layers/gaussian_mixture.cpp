// SPDX-License-Identifier: MIT
#include "heatfront/models/layers/gaussian_mixture.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "heatfront/base/linear_algebra.h"
#include "heatfront/models/layers/mixture_rows.h"

namespace heatfront {
namespace {

constexpr std::size_t kDimensions = 2;  // of p and q
using Coordinates = std::array<double, kDimensions>;
constexpr std::int64_t kTableCost = 64;  // of a number of the table, in additions

Coordinates coordinates(const DegreePairs& pairs, std::int64_t pair) {
  return {1 / std::sqrt(static_cast<double>(pairs.first[at(pair)])),
          1 / std::sqrt(static_cast<double>(pairs.second[at(pair)]))};
}

// A parameter in double precision: the table is small, and its rounding would be that of all arcs.
class Numbers {
 public:
  Numbers(const Parameter& parameter, std::span<const Real> block) : view_(parameter.in(block)) {}
  double operator()(std::int64_t i, std::size_t j) const {
    return static_cast<double>(view_(i, static_cast<std::int64_t>(j)));
  }

 private:
  ConstMatrixView view_;
};

}  // namespace

OptionFields fields(GaussianMixtureOptions& options) {
  return {{"kernels", &options.kernels, "Gaussian kernels", at_least(1)},
          {"width", &options.width, "Units of a kernel", at_least(1)}};
}

GaussianMixture::GaussianMixture(const DegreePairs& pairs, const GaussianMixtureOptions& options,
                                 const std::string& name, ParameterLayout& layout)
    : pairs_(pairs), options_(checked(options, "mixture")) {
  projection_ = layout.add(name + ".projection", kDimensions, kDimensions);
  offset_ = layout.add(name + ".offset", 1, kDimensions);
  mean_ = layout.add(name + ".mean", options.kernels, kDimensions);
  sharpness_ = layout.add(name + ".sharpness", options.kernels, kDimensions);
}

void GaussianMixture::initialise(const Random& random, std::span<Real> parameters) const {
  std::uint64_t index = 0;
  const auto fill = [&](const Parameter& parameter, const auto& number) {
    for (std::int64_t i = 0; i < parameter.rows; ++i) {
      for (Real& x : parameter.in(parameters).row(i)) x = static_cast<Real>(number(index++));
    }
  };
  const auto even = [&](std::uint64_t i) { return (2 * random.uniform(i) - 1) / std::sqrt(kDimensions); };
  fill(projection_, even);
  fill(offset_, even);
  fill(mean_, [&](std::uint64_t i) { return 0.1 * random.part(0).normal(i); });
  fill(sharpness_, [](std::uint64_t) { return 1.0; });
}

GaussianMixture::Weights GaussianMixture::weights() const {
  const std::size_t pairs = at(pairs_.pairs()), size = pairs * at(options_.kernels);
  return {.q = std::vector<double>(pairs * kDimensions),
          .g = std::vector<double>(size),
          .forth = std::vector<Real>(size),
          .back = std::vector<Real>(size)};
}

void GaussianMixture::weigh(std::span<const Real> parameters, Weights& weights, Threads& threads) const {
  const Numbers projection(projection_, parameters), offset(offset_, parameters), mean(mean_, parameters),
      sharpness(sharpness_, parameters);
  const std::int64_t pairs = pairs_.pairs(), kernels = options_.kernels;
  threads.for_blocks(pairs, rows_at_once(pairs, kTableCost * kernels),
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t pair = begin; pair < end; ++pair) {
                         const auto p = coordinates(pairs_, pair);
                         double* q = weights.q.data() + pair * static_cast<std::int64_t>(kDimensions);
                         for (std::size_t j = 0; j < kDimensions; ++j)
                           q[j] = std::tanh(p[0] * projection(0, j) + p[1] * projection(1, j) + offset(0, j));
                         for (std::int64_t k = 0; k < kernels; ++k) {
                           double exponent = 0;
                           for (std::size_t j = 0; j < kDimensions; ++j) {
                             const double distance = sharpness(k, j) * (q[j] - mean(k, j));
                             exponent -= distance * distance / 2;
                           }
                           const double g = (options_.mean ? p[0] * p[0] : 1) * std::exp(exponent);
                           weights.g[at(pair * kernels + k)] = g;
                           weights.forth[at(pair * kernels + k)] = static_cast<Real>(g);
                           weights.back[at(pairs_.mirror[at(pair)] * kernels + k)] = static_cast<Real>(g);
                         }
                       }
                     });
}

std::int64_t GaussianMixture::block() const { return padded_width(options_.width); }

GaussianMixture::JudgeWorkspace GaussianMixture::judge_workspace(std::int64_t rows) const {
  return {.z = repacks() ? Matrix(rows, options_.kernels * block()) : Matrix()};
}

GaussianMixture::StepWorkspace GaussianMixture::step_workspace(const DegreePairs& pairs,
                                                               std::int64_t rows) const {
  return {.z = judge_workspace(rows).z,
          .d_z = judge_workspace(rows).z,
          .d_slots = std::vector<Real>(pairs.of_slot.size() * at(options_.kernels)),
          .d_pairs = std::vector<double>(at(pairs_.pairs() * options_.kernels)),
          .d_mean = std::vector<Coordinates>(at(options_.kernels)),
          .d_sharpness = std::vector<Coordinates>(at(options_.kernels))};
}

// z with its blocks at whole words.
ConstMatrixView GaussianMixture::packed(ConstMatrixView z, Matrix& store, Threads& threads) const {
  if (!repacks()) return z;
  threads.for_blocks(z.rows, rows_at_once(z.rows, z.stride), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t u = begin; u < end; ++u) {
      for (std::int64_t k = 0; k < options_.kernels; ++k)
        std::copy_n(z.row(u).data() + k * options_.width, options_.width, store.row(u).data() + k * block());
    }
  });
  return store;
}

void GaussianMixture::average(const Slots& slots, ConstMatrixView z, const Weights& weights, MatrixView out,
                              Threads& threads) const {
  const MixtureKernel kernel{slots.graph, slots.pairs.of_slot.data(), weights.forth.data(), options_.kernels,
                             block()};
  threads.for_blocks(out.rows,
                     rows_at_once(out.rows, options_.kernels * block() * slots_a_row(slots.graph, out.rows)),
                     [&](std::int64_t begin, std::int64_t end) { mix_rows(kernel, z, out, begin, end); });
}

void GaussianMixture::judge(const Slots& slots, ConstMatrixView z, const Weights& weights,
                            JudgeWorkspace& work, MatrixView out, Threads& threads) const {
  average(slots, packed(z, work.z, threads), weights, out, threads);
}

void GaussianMixture::forward(const Slots& slots, ConstMatrixView z, const Weights& weights,
                              StepWorkspace& work, MatrixView out, Threads& threads) const {
  average(slots, packed(z, work.z, threads), weights, out, threads);
}

void GaussianMixture::backward(const Slots& slots, ConstMatrixView z, const Weights& weights,
                               std::span<const Real> parameters, ConstMatrixView d_out, StepWorkspace& work,
                               MatrixView d_z, std::span<Real> gradient, Threads& threads) const {
  const MixtureKernel kernel{slots.graph, slots.pairs.of_slot.data(), weights.back.data(), options_.kernels,
                             block()};
  const ConstMatrixView blocks = repacks() ? work.z.view() : z;
  const MatrixView d_blocks = repacks() ? work.d_z.view() : d_z;
  threads.for_blocks(z.rows,
                     rows_at_once(z.rows, 2 * options_.kernels * block() * slots_a_row(slots.graph, z.rows)),
                     [&](std::int64_t begin, std::int64_t end) {
                       pull_mixed_rows(kernel, blocks, d_out, d_blocks, work.d_slots.data(), begin, end);
                       for (std::int64_t v = begin; repacks() && v < end; ++v) {
                         for (std::int64_t k = 0; k < options_.kernels; ++k)
                           std::copy_n(d_blocks.row(v).data() + k * block(), options_.width,
                                       d_z.row(v).data() + k * options_.width);
                       }
                     });
  sum_pairs(slots.pairs, work, threads);
  parameter_gradient(weights, parameters, work, gradient);
}

// ∂L/∂(c g) of every pair: the sum over the slots of its mirror.
void GaussianMixture::sum_pairs(const DegreePairs& list, StepWorkspace& work, Threads& threads) const {
  const std::int64_t pairs = list.pairs(), kernels = options_.kernels;
  const std::int64_t slots_a_pair = std::ssize(list.slots) / std::max<std::int64_t>(1, pairs);
  threads.for_blocks(pairs, rows_at_once(pairs, slots_a_pair * kernels),
                     [&](std::int64_t begin, std::int64_t end) {
                       for (std::int64_t pair = begin; pair < end; ++pair) {
                         double* sums = work.d_pairs.data() + list.mirror[at(pair)] * kernels;
                         std::fill_n(sums, kernels, 0);
                         for (std::int64_t i = list.begins[at(pair)]; i < list.begins[at(pair) + 1]; ++i) {
                           const Real* d_slot = work.d_slots.data() + list.slots[at(i)] * kernels;
                           for (std::int64_t k = 0; k < kernels; ++k)
                             sums[k] += static_cast<double>(d_slot[k]);
                         }
                       }
                     });
}

// With e_k = ∂L/∂(c g_k) c g_k for each pair:
//
//     ∂L/∂μ_kj = Σ e_k τ_kj² (q_j − μ_kj),   ∂L/∂τ_kj = −Σ e_k τ_kj (q_j − μ_kj)²
//     ∂L/∂b_j = Σ a_j,   ∂L/∂P_ij = Σ p_i a_j,   a_j = −(1 − q_j²) Σ_k e_k τ_kj² (q_j − μ_kj)
void GaussianMixture::parameter_gradient(const Weights& weights, std::span<const Real> parameters,
                                         StepWorkspace& work, std::span<Real> gradient) const {
  const Numbers mean(mean_, parameters), sharpness(sharpness_, parameters);
  std::array<Coordinates, kDimensions> d_projection = {};
  Coordinates d_offset = {};
  std::ranges::fill(work.d_mean, Coordinates{});
  std::ranges::fill(work.d_sharpness, Coordinates{});
  for (std::int64_t pair = 0; pair < pairs_.pairs(); ++pair) {
    const auto p = coordinates(pairs_, pair);
    for (std::size_t j = 0; j < kDimensions; ++j) {
      const double q = weights.q[at(pair) * kDimensions + j];
      double d_q = 0;
      for (std::int64_t k = 0; k < options_.kernels; ++k) {
        const std::size_t i = at(pair * options_.kernels + k);
        const double e = work.d_pairs[i] * weights.g[i], distance = q - mean(k, j), tau = sharpness(k, j);
        work.d_mean[at(k)][j] += e * tau * tau * distance;
        work.d_sharpness[at(k)][j] -= e * tau * distance * distance;
        d_q -= e * tau * tau * distance;
      }
      const double d_argument = (1 - q * q) * d_q;
      d_offset[j] += d_argument;
      for (std::size_t i = 0; i < kDimensions; ++i) d_projection[i][j] += p[i] * d_argument;
    }
  }
  for (std::int64_t j = 0; j < static_cast<std::int64_t>(kDimensions); ++j) {
    offset_.in(gradient)(0, j) = static_cast<Real>(d_offset[at(j)]);
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(kDimensions); ++i)
      projection_.in(gradient)(i, j) = static_cast<Real>(d_projection[at(i)][at(j)]);
    for (std::int64_t k = 0; k < options_.kernels; ++k) {
      mean_.in(gradient)(k, j) = static_cast<Real>(work.d_mean[at(k)][at(j)]);
      sharpness_.in(gradient)(k, j) = static_cast<Real>(work.d_sharpness[at(k)][at(j)]);
    }
  }
}

}  // namespace heatfront
