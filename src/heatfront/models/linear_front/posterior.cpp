// SPDX-License-Identifier: MIT
#include "heatfront/models/linear_front/posterior.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

#include "heatfront/base/cholesky.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"

namespace heatfront {
namespace {

// A symmetric matrix in double precision that grows and shrinks by rows and columns, with room for some more.
class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(std::int64_t size) : size_(size), stride_(size), values_(at(size * size)) {}

  double& operator()(std::int64_t i, std::int64_t j) { return values_[at(i * stride_ + j)]; }
  std::span<const double> row(std::int64_t i) const {
    return std::span(values_).subspan(at(i * stride_), at(size_));
  }
  BasicMatrixView<double> view() { return {values_.data(), size_, size_, stride_}; }

  // this ← this + a v vᵀ.
  void add_square(double a, std::span<const double> v, Threads& threads) {
    threads.for_blocks(size_, rows_at_once(size_, size_), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const double factor = a * v[at(i)];
        double* const to = values_.data() + i * stride_;
        for (std::int64_t j = 0; j < size_; ++j) to[j] += factor * v[at(j)];
      }
    });
  }

  // Row after row is added, which it can be as the matrix is symmetric; reads 8 bytes per entry.
  std::vector<double> times(std::span<const double> v, Threads& threads) const {
    std::vector<double> result(at(size_));
    threads.for_blocks(size_, 256, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t j = 0; j < size_; ++j) {
        const double factor = v[at(j)];
        const double* const from = values_.data() + j * stride_;
        for (std::int64_t i = begin; i < end; ++i) result[at(i)] += factor * from[i];
      }
    });
    return result;
  }

  void append(std::span<const double> last) {
    if (size_ == stride_) make_room();
    for (std::int64_t i = 0; i < size_; ++i) (*this)(i, size_) = (*this)(size_, i) = last[at(i)];
    (*this)(size_, size_) = last[at(size_)];
    ++size_;
  }

  void erase(std::int64_t which) {
    for (std::int64_t i = 0; i < size_; ++i) {
      const auto begin = values_.begin() + i * stride_;
      std::copy(begin + which + 1, begin + size_, begin + which);
    }
    for (std::int64_t i = which; i + 1 < size_; ++i)
      std::copy_n(values_.begin() + (i + 1) * stride_, size_ - 1, values_.begin() + i * stride_);
    --size_;
  }

 private:
  void make_room() {
    const std::int64_t stride = size_ + size_ / 16 + 16;
    std::vector<double> grown(at(stride * stride));
    for (std::int64_t i = 0; i < size_; ++i)
      std::copy_n(values_.begin() + i * stride_, size_, grown.begin() + i * stride);
    values_ = std::move(grown);
    stride_ = stride;
  }

  std::int64_t size_, stride_;
  std::vector<double> values_;
};

// gram/κ + λ, inverted.
SymmetricMatrix inverse_of(ConstMatrixView gram, double kappa, double ridge, Threads& threads) {
  SymmetricMatrix matrix(gram.rows), factor(gram.rows);
  for (std::int64_t i = 0; i < gram.rows; ++i) {
    for (std::int64_t j = 0; j < gram.rows; ++j) matrix(i, j) = static_cast<double>(gram(i, j)) / kappa;
    matrix(i, i) += ridge;
  }
  if (!invert_factor(matrix.view(), factor.view()))
    fail("ridge {}: too small for these features in this precision; take a larger one", ridge);
  // G = Xᵀ X, a strip of rows at a time up to the diagonal; of Xᵀ only what is above its diagonal is not zero.
  SymmetricMatrix transposed(gram.rows);
  const BasicMatrixView<double> x = factor.view(), xt = transposed.view(), g = matrix.view();
  const auto part = [](BasicMatrixView<double> m, std::int64_t row, std::int64_t rows, std::int64_t col) {
    return BasicMatrixView<double>{m.data + row * m.stride + col, rows, m.cols - col, m.stride};
  };
  threads.for_blocks(x.rows, 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t k = i; k < x.rows; ++k) xt(i, k) = x(k, i);
  });
  threads.for_blocks(x.rows, 64, [&](std::int64_t begin, std::int64_t end) {
    multiply_by_transposed_here(
        part(xt, begin, end - begin, begin), part(xt, 0, end, begin),
        BasicMatrixView<double>{g.data + begin * g.stride, end - begin, end, g.stride});
  });
  for (std::int64_t i = 0; i < x.rows; ++i)
    for (std::int64_t j = 0; j < i; ++j) g(j, i) = g(i, j);
  return matrix;
}

double dot(ConstMatrixView a, ConstMatrixView b) {
  double sum = 0;
  for (std::int64_t k = 0; k < a.rows; ++k)
    sum += static_cast<double>(a(k, 0)) * static_cast<double>(b(k, 0));
  return sum;
}

class ByLabels : public Posterior {
 public:
  ByLabels(FrontKernel& kernel, double kappa, double ridge, std::span<const NodeId> nodes, Threads& threads)
      : kernel_(kernel),
        kappa_(kappa),
        ridge_(ridge),
        nodes_(nodes.begin(), nodes.end()),
        threads_(threads),
        inverse_(make(kernel, kappa, ridge, nodes, threads)) {}

  Matrix apply(ConstMatrixView z) override {
    const Matrix heat = kernel_.at_nodes(z);  // (n, m)
    Matrix spread = padded_matrix(heat.rows(), z.cols);
    for (std::int64_t c = 0; c < z.cols; ++c) {
      const std::vector<double> weights = inverse_.times(at_labels(heat, c), threads_);
      for (std::size_t i = 0; i < nodes_.size(); ++i) spread(nodes_[i], c) = static_cast<Real>(weights[i]);
      if (z.cols == 1) last_ = {column(z), weights};
    }
    Matrix result = kernel_.to_features(std::move(spread));
    for (std::int64_t k = 0; k < z.rows; ++k) {
      for (std::int64_t c = 0; c < z.cols; ++c)
        result(k, c) =
            static_cast<Real>((static_cast<double>(z(k, c)) - static_cast<double>(result(k, c))) / ridge_);
    }
    return result;
  }

  // G grows by a border: with g = G k, k = Z_L z/κ and σ = λ + |z|²/κ − kᵀg = λ (1 + zᵀPz/κ).
  void add(NodeId node, ConstMatrixView z, ConstMatrixView p_z) override {
    const double sigma = ridge_ * (1 + dot(z, p_z) / kappa_);
    std::vector<double> g = last_.z == column(z)
                                ? std::move(last_.g)
                                : inverse_.times(at_labels(kernel_.at_nodes(z), 0), threads_);
    last_ = {};
    inverse_.add_square(1 / sigma, g, threads_);
    for (double& value : g) value = -value / sigma;
    g.push_back(1 / sigma);
    inverse_.append(g);
    nodes_.push_back(node);
  }

  void remove(NodeId node, ConstMatrixView, ConstMatrixView) override {
    const auto place = std::ranges::find(nodes_, node) - nodes_.begin();
    assert(place < std::ssize(nodes_));
    const auto row = inverse_.row(place);
    const std::vector<double> g(row.begin(), row.end());
    last_ = {};
    inverse_.add_square(-1 / g[at(place)], g, threads_);
    inverse_.erase(place);
    nodes_.erase(nodes_.begin() + place);
  }

 private:
  static SymmetricMatrix make(FrontKernel& kernel, double kappa, double ridge, std::span<const NodeId> nodes,
                              Threads& threads) {
    const Matrix rows = kernel.rows(nodes);
    Matrix gram(std::ssize(nodes), std::ssize(nodes));
    multiply_by_itself(rows, gram, threads);
    return inverse_of(gram, kappa, ridge, threads);
  }

  static std::vector<Real> column(ConstMatrixView z) {
    std::vector<Real> values;
    for (std::int64_t k = 0; k < z.rows; ++k) values.push_back(z(k, 0));
    return values;
  }

  // Z_L z/κ from Z z.
  std::vector<double> at_labels(ConstMatrixView heat, std::int64_t c) const {
    std::vector<double> values;
    for (NodeId u : nodes_) values.push_back(static_cast<double>(heat(u, c)) / kappa_);
    return values;
  }

  // A label that comes is applied first and added then: both need G Z_L z/κ.
  struct Applied {
    std::vector<Real> z;
    std::vector<double> g;
  };

  FrontKernel& kernel_;
  double kappa_, ridge_;
  std::vector<NodeId> nodes_;
  Threads& threads_;
  SymmetricMatrix inverse_;  // G
  Applied last_;
};

class ByFeatures : public Posterior {
 public:
  ByFeatures(FrontKernel& kernel, double kappa, double ridge, std::span<const NodeId> nodes, Threads& threads)
      : kappa_(kappa), threads_(threads), inverse_(make(kernel, kappa, ridge, nodes, threads)) {}

  Matrix apply(ConstMatrixView z) override {
    Matrix result = padded_matrix(z.rows, z.cols);
    std::vector<double> column(at(z.rows));
    for (std::int64_t c = 0; c < z.cols; ++c) {
      for (std::int64_t k = 0; k < z.rows; ++k) column[at(k)] = static_cast<double>(z(k, c));
      const std::vector<double> product = inverse_.times(column, threads_);
      for (std::int64_t k = 0; k < z.rows; ++k) result(k, c) = static_cast<Real>(product[at(k)]);
    }
    return result;
  }

  void add(NodeId, ConstMatrixView z, ConstMatrixView p_z) override {
    change(-1 / (kappa_ + dot(z, p_z)), p_z);
  }
  void remove(NodeId, ConstMatrixView z, ConstMatrixView p_z) override {
    change(1 / (kappa_ - dot(z, p_z)), p_z);
  }

 private:
  static SymmetricMatrix make(FrontKernel& kernel, double kappa, double ridge, std::span<const NodeId> nodes,
                              Threads& threads) {
    Matrix gram(kernel.features(), kernel.features());
    const Matrix rows = kernel.rows(nodes);
    multiply_by_transposed(rows, rows, gram, threads);
    return inverse_of(gram, kappa, ridge, threads);
  }

  void change(double factor, ConstMatrixView p_z) {
    std::vector<double> v(at(p_z.rows));
    for (std::int64_t k = 0; k < p_z.rows; ++k) v[at(k)] = static_cast<double>(p_z(k, 0));
    inverse_.add_square(factor, v, threads_);
  }

  double kappa_;
  Threads& threads_;
  SymmetricMatrix inverse_;  // P
};

// (Z_Lᵀ Z_L / κ + λ) x = z by conjugate gradients, each column on its own way.
class ByIteration : public Posterior {
 public:
  ByIteration(FrontKernel& kernel, double kappa, double ridge, std::span<const NodeId> nodes)
      : kernel_(kernel), kappa_(kappa), ridge_(ridge), nodes_(nodes.begin(), nodes.end()) {}

  Matrix apply(ConstMatrixView z) override {
    constexpr int kMostIterations = 500;
    constexpr double kTolerance = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
    Matrix x = padded_matrix(z.rows, z.cols), residual = x, direction = x;
    for (std::int64_t k = 0; k < z.rows; ++k) {
      std::ranges::copy(z.row(k), residual.row(k).begin());
      std::ranges::copy(z.row(k), direction.row(k).begin());
    }
    std::vector<double> squares = products(residual, residual);
    const std::vector<double> first = squares;
    for (int i = 0; i < kMostIterations; ++i) {
      const Matrix image = times_matrix(direction);
      const std::vector<double> lengths = products(direction, image);
      std::vector<double> step(squares.size()), turn(squares.size());
      bool done = true;
      for (std::size_t c = 0; c < step.size(); ++c) {
        const bool open = squares[c] > kTolerance * kTolerance * first[c];
        step[c] = open && lengths[c] > 0 ? squares[c] / lengths[c] : 0;
        done = done && step[c] == 0;
      }
      if (done) break;
      add_columns(step, direction, 1, x);
      add_columns(step, image, -1, residual);
      const std::vector<double> next = products(residual, residual);
      for (std::size_t c = 0; c < turn.size(); ++c) turn[c] = step[c] > 0 ? next[c] / squares[c] : 0;
      for (std::int64_t k = 0; k < x.rows(); ++k) {
        for (std::size_t c = 0; c < turn.size(); ++c) {
          Real& value = direction.row(k)[c];
          value = static_cast<Real>(static_cast<double>(residual.row(k)[c]) +
                                    turn[c] * static_cast<double>(value));
        }
      }
      squares = next;
    }
    return x;
  }

  void add(NodeId node, ConstMatrixView, ConstMatrixView) override { nodes_.push_back(node); }
  void remove(NodeId node, ConstMatrixView, ConstMatrixView) override { std::erase(nodes_, node); }

 private:
  static std::vector<double> products(const Matrix& a, const Matrix& b) {
    std::vector<double> sums(at(a.cols()));
    for (std::int64_t k = 0; k < a.rows(); ++k) {
      for (std::size_t c = 0; c < sums.size(); ++c)
        sums[c] += static_cast<double>(a.row(k)[c]) * static_cast<double>(b.row(k)[c]);
    }
    return sums;
  }

  static void add_columns(std::span<const double> factors, const Matrix& from, double sign, Matrix& to) {
    for (std::int64_t k = 0; k < to.rows(); ++k) {
      for (std::size_t c = 0; c < factors.size(); ++c)
        to.row(k)[c] = static_cast<Real>(static_cast<double>(to.row(k)[c]) +
                                         sign * factors[c] * static_cast<double>(from.row(k)[c]));
    }
  }

  Matrix times_matrix(const Matrix& x) {
    const Matrix heat = kernel_.at_nodes(x);
    Matrix held = padded_matrix(heat.rows(), heat.cols());
    for (NodeId u : nodes_) std::ranges::copy(heat.row(u), held.row(u).begin());
    Matrix result = kernel_.to_features(std::move(held));
    for (std::int64_t k = 0; k < result.rows(); ++k) {
      for (std::size_t c = 0; c < at(result.cols()); ++c)
        result.row(k)[c] = static_cast<Real>(static_cast<double>(result.row(k)[c]) / kappa_ +
                                             ridge_ * static_cast<double>(x.row(k)[c]));
    }
    return result;
  }

  FrontKernel& kernel_;
  double kappa_, ridge_;
  std::vector<NodeId> nodes_;
};

}  // namespace

std::unique_ptr<Posterior> make_posterior(FrontKernel& kernel, double kappa, double ridge,
                                          std::span<const NodeId> nodes, Threads& threads) {
  const std::int64_t labels = std::ssize(nodes);
  if (kernel.features() < labels && kernel.features() <= kMostStored)
    return std::make_unique<ByFeatures>(kernel, kappa, ridge, nodes, threads);
  if (labels <= kMostStored) return std::make_unique<ByLabels>(kernel, kappa, ridge, nodes, threads);
  return make_posterior_by_iteration(kernel, kappa, ridge, nodes);
}

std::unique_ptr<Posterior> make_posterior_by_iteration(FrontKernel& kernel, double kappa, double ridge,
                                                       std::span<const NodeId> nodes) {
  return std::make_unique<ByIteration>(kernel, kappa, ridge, nodes);
}

}  // namespace heatfront
