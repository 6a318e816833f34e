// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/posterior.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/cholesky.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"

namespace heatfront {
namespace {

std::vector<double> column_of(ConstMatrixView matrix, std::int64_t column) {
  std::vector<double> values;
  for (std::int64_t k = 0; k < matrix.rows; ++k) values.push_back(static_cast<double>(matrix(k, column)));
  return values;
}

// ⟨a_c, b_c⟩ of every column.
std::vector<double> column_products(ConstMatrixView a, ConstMatrixView b) {
  std::vector<double> sums(at(a.cols));
  for (std::int64_t k = 0; k < a.rows; ++k) {
    for (std::size_t c = 0; c < sums.size(); ++c)
      sums[c] += static_cast<double>(a.row(k)[c]) * static_cast<double>(b.row(k)[c]);
  }
  return sums;
}

// b ← (L Lᵀ)⁻¹ b for numbers that lie row by row.
void solve_rows(const Matrix& factor, std::vector<double>& b, std::int64_t columns) {
  solve_by_factor(factor, {b.data(), factor.rows(), columns, columns});
}

// The factor of gram/κ + λ, made in double precision and kept in the one that the gram matrix has.
Matrix ridge_factor(ConstMatrixView gram, double kappa, double ridge) {
  const std::int64_t n = gram.rows;
  std::vector<double> system(at(n * n));
  const BasicMatrixView<double> a{system.data(), n, n, n};
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j <= i; ++j) a(i, j) = static_cast<double>(gram(i, j)) / kappa;
    a(i, i) += ridge;
  }
  if (!cholesky(a))
    fail("ridge {}: too small for these features in this precision; take a larger one", ridge);
  Matrix factor(n, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) factor(i, j) = static_cast<Real>(a(i, j));
  return factor;
}

}  // namespace

Posteriors::Posteriors(FrontKernels& kernels, std::vector<Ridge> ridges, std::vector<NodeId> nodes,
                       Threads& threads, std::int64_t most_stored)
    : kernels_(kernels), threads_(threads), nodes_(std::move(nodes)) {
  assert(ridges.size() == kernels.size());
  const std::int64_t labels = std::ssize(nodes_);
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const std::int64_t features = kernels.features(k).cols();
    of_.push_back({ridges[k], features < labels && features <= most_stored ? Form::by_features
                              : labels <= most_stored                      ? Form::by_labels
                                                                           : Form::by_iteration});
  }
  if (std::ranges::any_of(of_, [](const One& one) { return one.form != Form::by_iteration; })) make_factors();
}

void Posteriors::make_factors() {
  kernels_.for_rows(nodes_, [&](std::size_t k, const Matrix& rows) {
    One& one = of_[k];
    if (one.form == Form::by_iteration) return;
    const std::int64_t size = one.form == Form::by_labels ? rows.cols() : rows.rows();
    Matrix gram(size, size);
    if (one.form == Form::by_labels) {
      multiply_by_itself(rows, gram, threads_);
    } else {
      multiply_by_transposed(rows, rows, gram, threads_);
    }
    one.factor = ridge_factor(gram, one.ridge.kappa, one.ridge.ridge);
  });
}

std::vector<Matrix> Posteriors::with(Form form, std::span<const Matrix> from) const {
  std::vector<Matrix> result(of_.size());
  for (std::size_t k = 0; k < of_.size(); ++k)
    if (of_[k].form == form) result[k] = from[k];
  return result;
}

std::vector<Matrix> Posteriors::applied_as_made(std::span<const Matrix> z) {
  std::vector<Matrix> result(of_.size()), heat = kernels_.at_nodes(with(Form::by_labels, z));
  threads_.for_blocks(std::ssize(of_), 1, [&](std::int64_t which, std::int64_t) {
    const std::size_t k = at(which);
    const One& one = of_[k];
    const std::int64_t columns = z[k].cols();
    if (columns == 0 || one.form == Form::by_iteration) return;
    std::vector<double> b;
    if (one.form == Form::by_features) {
      for (std::int64_t i = 0; i < z[k].rows(); ++i)
        for (Real value : z[k].row(i)) b.push_back(static_cast<double>(value));
      solve_rows(one.factor, b, columns);
      result[k] = padded_matrix(z[k].rows(), columns);
      for (std::int64_t i = 0; i < z[k].rows(); ++i)
        for (std::int64_t c = 0; c < columns; ++c)
          result[k](i, c) = static_cast<Real>(b[at(i * columns + c)]);
    } else {
      for (NodeId u : nodes_)
        for (Real value : std::as_const(heat[k]).row(u))
          b.push_back(static_cast<double>(value) / one.ridge.kappa);
      solve_rows(one.factor, b, columns);
      heat[k] = padded_matrix(heat[k].rows(), columns);
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (std::int64_t c = 0; c < columns; ++c)
          heat[k](nodes_[i], c) = static_cast<Real>(b[i * at(columns) + at(c)]);
    }
  });
  const std::vector<Matrix> back = kernels_.to_features(std::move(heat));
  for (std::size_t k = 0; k < of_.size(); ++k) {
    if (of_[k].form != Form::by_labels || z[k].cols() == 0) continue;
    result[k] = padded_matrix(z[k].rows(), z[k].cols());
    for (std::int64_t i = 0; i < z[k].rows(); ++i)
      for (std::int64_t c = 0; c < z[k].cols(); ++c)
        result[k](i, c) = static_cast<Real>(
            (static_cast<double>(z[k](i, c)) - static_cast<double>(back[k](i, c))) / of_[k].ridge.ridge);
  }
  iterate(with(Form::by_iteration, z), result);
  return result;
}

std::vector<Matrix> Posteriors::apply(std::span<const Matrix> z) {
  std::vector<Matrix> result = applied_as_made(z);
  threads_.for_blocks(std::ssize(of_), 1, [&](std::int64_t k, std::int64_t) {
    for (std::int64_t c = 0; c < z[at(k)].cols(); ++c)
      bring_up_to_date(at(k), changes(at(k)), z[at(k)], result[at(k)], c);
  });
  return result;
}

void Posteriors::bring_up_to_date(std::size_t kernel, std::size_t since, ConstMatrixView z, MatrixView p_z,
                                  std::int64_t column) const {
  const std::vector<Change>& later = of_[kernel].later;
  if (since == 0) return;
  const std::vector<double> from = column_of(z, column);
  std::vector<double> to = column_of(p_z, column);
  for (const Change& change : std::span(later).last(since))
    add_to(-change.factor * dot(change.v, from.data()), change.v, to.data());
  for (std::int64_t i = 0; i < p_z.rows; ++i) p_z(i, column) = static_cast<Real>(to[at(i)]);
}

void Posteriors::add(std::size_t kernel, ConstMatrixView z, ConstMatrixView p_z, std::int64_t column) {
  change(kernel, 1, z, p_z, column);
}

void Posteriors::remove(std::size_t kernel, ConstMatrixView z, ConstMatrixView p_z, std::int64_t column) {
  change(kernel, -1, z, p_z, column);
}

void Posteriors::change(std::size_t kernel, double sign, ConstMatrixView z, ConstMatrixView p_z,
                        std::int64_t column) {
  Change made{.v = {}, .factor = 0};
  for (std::int64_t i = 0; i < p_z.rows; ++i) made.v.push_back(p_z(i, column));
  const double length = dot(made.v, column_of(z, column).data());
  made.factor = 1 / (sign * of_[kernel].ridge.kappa + length);
  of_[kernel].later.push_back(std::move(made));
}

std::vector<Matrix> Posteriors::spread(std::span<const NodeId> nodes, ConstMatrixView y) const {
  Matrix start = padded_matrix(kernels_.nodes(), y.cols);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    std::ranges::copy(y.row(static_cast<std::int64_t>(i)), start.row(nodes[i]).begin());
  return std::vector<Matrix>(of_.size(), start);
}

std::vector<Matrix> Posteriors::fitted(std::span<const NodeId> nodes, ConstMatrixView y) {
  // P Z_Lᵀ = Z_Lᵀ G: by labels, one flow does.
  const auto at_once = [&](const One& one) { return one.form == Form::by_labels && one.later.empty(); };
  std::vector<Matrix> start = spread(nodes, y);
  threads_.for_blocks(std::ssize(of_), 1, [&](std::int64_t which, std::int64_t) {
    const std::size_t k = at(which);
    if (!at_once(of_[k])) return;
    std::vector<double> alpha;
    for (NodeId u : nodes_)
      for (Real value : std::as_const(start[k]).row(u)) alpha.push_back(static_cast<double>(value));
    solve_rows(of_[k].factor, alpha, y.cols);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      for (std::int64_t c = 0; c < y.cols; ++c)
        start[k](nodes_[i], c) = static_cast<Real>(alpha[i * at(y.cols) + at(c)]);
  });
  std::vector<Matrix> w = kernels_.to_features(std::move(start)), rest(of_.size());
  for (std::size_t k = 0; k < of_.size(); ++k)
    if (!at_once(of_[k])) rest[k] = std::move(w[k]);
  rest = apply(rest);
  for (std::size_t k = 0; k < of_.size(); ++k) {
    if (!at_once(of_[k])) w[k] = std::move(rest[k]);
    scale(1 / of_[k].ridge.kappa, w[k], threads_);
  }
  return w;
}

// (Z_Lᵀ Z_L / κ + λ) x.
std::vector<Matrix> Posteriors::times_system(std::span<const Matrix> x) {
  std::vector<Matrix> heat = kernels_.at_nodes(x);
  for (Matrix& state : heat) {
    Matrix held = padded_matrix(state.rows(), state.cols());
    for (NodeId u : nodes_)
      if (state.cols() > 0) std::ranges::copy(std::as_const(state).row(u), held.row(u).begin());
    state = std::move(held);
  }
  std::vector<Matrix> result = kernels_.to_features(std::move(heat));
  for (std::size_t k = 0; k < of_.size(); ++k) {
    const auto [kappa, ridge] = of_[k].ridge;
    for (std::int64_t i = 0; i < x[k].rows(); ++i) {
      for (std::int64_t c = 0; c < x[k].cols(); ++c)
        result[k](i, c) = static_cast<Real>(static_cast<double>(result[k](i, c)) / kappa +
                                            ridge * static_cast<double>(x[k](i, c)));
    }
  }
  return result;
}

// x = (Z_Lᵀ Z_L / κ + λ)⁻¹ z by conjugate gradients, each column of each kernel on its own way.
void Posteriors::iterate(std::span<const Matrix> z, std::vector<Matrix>& x) {
  constexpr int kMostIterations = 500;
  constexpr double kTolerance = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  struct Way {
    Matrix residual;
    std::vector<double> squares, first;
  };
  std::vector<Way> ways(z.size());
  std::vector<Matrix> direction(z.size());
  bool any = false;
  for (std::size_t k = 0; k < z.size(); ++k) {
    if (z[k].cols() == 0) continue;
    any = true;
    x[k] = padded_matrix(z[k].rows(), z[k].cols());
    direction[k] = z[k];
    ways[k] = {.residual = z[k], .squares = column_products(z[k], z[k]), .first = {}};
    ways[k].first = ways[k].squares;
  }
  for (int i = 0; i < kMostIterations && any; ++i) {
    const std::vector<Matrix> image = times_system(direction);
    any = false;
    for (std::size_t k = 0; k < z.size(); ++k) {
      if (z[k].cols() == 0) continue;
      Way& way = ways[k];
      const std::vector<double> lengths = column_products(direction[k], image[k]);
      std::vector<double> step(lengths.size()), back(lengths.size()), turn(lengths.size());
      for (std::size_t c = 0; c < step.size(); ++c) {
        const bool open = way.squares[c] > kTolerance * kTolerance * way.first[c];
        step[c] = open && lengths[c] > 0 ? way.squares[c] / lengths[c] : 0;
        back[c] = -step[c];
        any = any || step[c] > 0;
      }
      add_scaled_columns(step, direction[k], x[k], threads_);
      add_scaled_columns(back, image[k], way.residual, threads_);
      const std::vector<double> next = column_products(way.residual, way.residual);
      for (std::size_t c = 0; c < turn.size(); ++c) turn[c] = step[c] > 0 ? next[c] / way.squares[c] : 0;
      scale_columns(turn, direction[k], threads_);
      add_scaled(1, way.residual, direction[k], threads_);
      way.squares = next;
    }
  }
}

}  // namespace heatfront
