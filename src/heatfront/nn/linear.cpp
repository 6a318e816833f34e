// SPDX-License-Identifier: MIT
#include "heatfront/nn/linear.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "heatfront/base/find_named.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"
#include "heatfront/base/sparse_product.h"

namespace heatfront {

std::span<const InitialiserName> initialisers() {
  static constexpr std::array<InitialiserName, 2> kTable = {
      {{"kaiming", Initialiser::kaiming}, {"glorot", Initialiser::glorot}}};
  return kTable;
}

Initialiser initialiser_named(std::string_view name) {
  return find_named(initialisers(), name, "initialiser").initialiser;
}

double initial_bound(Initialiser initialiser, std::int64_t in, std::int64_t out) {
  if (initialiser == Initialiser::glorot) return std::sqrt(6 / static_cast<double>(in + out));
  return 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(in, 1)));
}

void fill_uniform(const Random& random, double bound, MatrixView values) {
  for (std::int64_t i = 0; i < values.rows; ++i) {
    for (std::int64_t j = 0; j < values.cols; ++j) {
      const auto index = static_cast<std::uint64_t>(i * values.cols + j);
      values(i, j) = static_cast<Real>(bound * (2 * random.uniform(index) - 1));
    }
  }
}

namespace {

constexpr std::int64_t kRowsAtOnce = 128;

}  // namespace

Linear::Linear(const std::string& name, std::int64_t in, std::int64_t out, Bias bias, ParameterLayout& layout)
    : weight_(layout.add(name + ".weight", in, out)),
      bias_(bias == Bias::yes ? layout.add(name + ".bias", 1, out) : Parameter{}) {}

void Linear::initialise(Initialiser initialiser, const Random& random, std::uint64_t part,
                        std::span<Real> parameters) const {
  fill_uniform(random.part(part), initial_bound(initialiser, in(), out()), weight_.in(parameters));
  if (bias_.rows > 0)
    fill_uniform(random.part(part + 1), initial_bound(Initialiser::kaiming, in(), out()),
                 bias_.in(parameters));
}

void Linear::forward(const InputView& x, std::span<const Real> parameters, MatrixView z,
                     Threads& threads) const {
  const ConstMatrixView weight = weight_.in(parameters);
  const ConstMatrixView bias = bias_.rows == 0 ? ConstMatrixView() : bias_.in(parameters);
  if (x.is_sparse()) {
    sparse_times_dense(x.sparse, weight, {bias.data, static_cast<std::size_t>(bias.stride)}, z, threads);
    return;
  }
  threads.for_blocks(z.rows, kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
    multiply_here(x.dense.rows_between(begin, end), weight, z.rows_between(begin, end));
    if (bias.rows > 0) add_to_rows(bias.row(0), z.rows_between(begin, end));
  });
}

void Linear::backward(const InputView& x, ConstMatrixView dz, std::span<Real> gradient,
                      Threads& threads) const {
  if (bias_.rows > 0) column_sums(dz, bias_.in(gradient), threads);
  if (x.is_sparse()) {
    sparse_times_dense(x.transposed, dz, {}, weight_.in(gradient), threads);
  } else {
    multiply_transposed(x.dense, dz, weight_.in(gradient), threads);
  }
}

void Linear::backward_input(ConstMatrixView dz, std::span<const Real> parameters, MatrixView dx,
                            Threads& threads) const {
  multiply_by_transposed(dz, weight_.in(parameters), dx, threads);
}

}  // namespace heatfront
