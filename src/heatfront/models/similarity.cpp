// SPDX-License-Identifier: MIT
#include "heatfront/models/similarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/fail.h"
#include "heatfront/base/linear_algebra.h"
#include "heatfront/base/matrix_product.h"
#include "heatfront/models/features.h"
#include "heatfront/nn/linear.h"
#include "heatfront/nn/network_input.h"

namespace heatfront {
namespace {

constexpr std::int64_t kAxes = 32, kRank = 8;  // q, r
constexpr int kIterations = 8;                 // towards the principal axes
constexpr std::uint64_t kAxesSeed = 1;
constexpr Real kLeastSimilarity = -60;  // no weight is so small that a model with it could not be read again
constexpr double kFirstBias = 2;        // sigmoid(2) = 0.88: near the data's own weights
constexpr std::string_view kColumns = "similarity.columns", kAxesName = "similarity.axes",
                           kCentre = "similarity.centre", kProjection = "similarity.projection",
                           kFactors = "similarity.factors", kBias = "similarity.bias";

void require_features(const Dataset& dataset) {
  if (!dataset.features.present())
    fail("{} has no features, by which edge_weights=features weighs edges; set edge_weights=free or none",
         dataset.name);
}

// Mean and 1/deviation of every column; 0 where a column never changes.
Matrix column_units(const Matrix& dense) {
  Matrix units(2, dense.cols());
  const auto n = static_cast<double>(std::max<std::int64_t>(1, dense.rows()));
  for (std::int64_t j = 0; j < dense.cols(); ++j) {
    double mean = 0, square = 0, largest = 0;
    for (std::int64_t u = 0; u < dense.rows(); ++u) {
      mean += static_cast<double>(dense(u, j)) / n;
      largest = std::max(largest, std::abs(static_cast<double>(dense(u, j))));
    }
    for (std::int64_t u = 0; u < dense.rows(); ++u) {
      const double gap = static_cast<double>(dense(u, j)) - mean;
      square += gap * gap / n;
    }
    const double deviation = std::sqrt(square);
    units(0, j) = static_cast<Real>(mean);
    units(1, j) = static_cast<Real>(deviation > 1e-7 * largest ? 1 / deviation : 0);
  }
  return units;
}

// X̂.
NetworkInput scaled_features(const Matrix& columns, const Dataset& dataset) {
  if (columns.rows() == 0) return network_input("l2", dataset);
  const Matrix* dense = dataset.features.dense();
  if (dense == nullptr)
    fail("{}: its features are sparse, but those that the weights were learned by were dense", dataset.name);
  Matrix scaled = *dense;
  for (std::int64_t u = 0; u < scaled.rows(); ++u) {
    for (std::int64_t j = 0; j < scaled.cols(); ++j)
      scaled(u, j) = (scaled(u, j) - columns(0, j)) * columns(1, j);
  }
  return NetworkInput(scaled.view());
}

// The mean row of y, which is taken from all of its rows.
Matrix centred(Matrix& y) {
  Matrix centre = padded_matrix(1, y.cols());
  std::vector<double> sums(at(y.cols()));
  for (std::int64_t u = 0; u < y.rows(); ++u)
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += static_cast<double>(y.row(u)[k]);
  for (std::size_t k = 0; k < sums.size(); ++k)
    centre.row(0)[k] = static_cast<Real>(sums[k] / static_cast<double>(std::max<std::int64_t>(1, y.rows())));
  for (std::int64_t u = 0; u < y.rows(); ++u)
    for (std::size_t k = 0; k < sums.size(); ++k) y.row(u)[k] -= centre.row(0)[k];
  return centre;
}

// Columns of length 1, each orthogonal to those before it (Gram and Schmidt); those that depend on them become 0.
void make_orthonormal(Matrix& x) {
  constexpr double kDependent = 1e-5;
  std::vector<std::vector<double>> columns(at(x.cols()), std::vector<double>(at(x.rows())));
  const auto inner = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  for (std::size_t k = 0; k < columns.size(); ++k) {
    auto& column = columns[k];
    for (std::size_t i = 0; i < column.size(); ++i)
      column[i] = static_cast<double>(x.row(static_cast<std::int64_t>(i))[k]);
    const double before = std::sqrt(inner(column, column));
    for (std::size_t j = 0; j < k; ++j) {
      const double share = inner(column, columns[j]);
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= share * columns[j][i];
    }
    const double length = std::sqrt(inner(column, column));
    const double factor = length > kDependent * before ? 1 / length : 0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      column[i] *= factor;
      x.row(static_cast<std::int64_t>(i))[k] = static_cast<Real>(column[i]);
    }
  }
}

// The first principal axes of the rows, by iterating with X̂ᵀX̂ on as many of any directions: (d, q).
Matrix principal_axes(const InputView& x, Threads& threads) {
  Matrix axes = padded_matrix(x.cols(), std::min(kAxes, x.cols()));
  const bool all = axes.cols() == x.cols();
  const Random random(kAxesSeed);
  for (std::int64_t j = 0; j < axes.rows(); ++j) {
    for (std::int64_t k = 0; k < axes.cols(); ++k)
      axes(j, k) = all ? Real(j == k) : random.bits(at(j * kAxes + k)) >> 63 == 0 ? Real(1) : Real(-1);
  }
  for (int iteration = 0; iteration < kIterations && !all; ++iteration) {
    Matrix y = product_of(x, axes, threads);
    centred(y);
    axes = transposed_product_of(x, y, threads);
    make_orthonormal(axes);
  }
  return axes;
}

void scale_rows_to_one(MatrixView y) {
  for (std::int64_t u = 0; u < y.rows; ++u) {
    double squares = 0;
    for (Real value : y.row(u)) squares += static_cast<double>(value) * static_cast<double>(value);
    const double factor = squares > 0 ? 1 / std::sqrt(squares) : 0;
    for (Real& value : y.row(u)) value = static_cast<Real>(static_cast<double>(value) * factor);
  }
}

// Of a block of nodes: Σ h_uk m_uk, and Σ g in the last.
struct Sums {
  std::array<double, kRank + 1> values = {};
  Sums& operator+=(const Sums& other) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += other.values[i];
    return *this;
  }
};

std::int64_t nodes_at_once(const Graph& graph) {
  const std::int64_t arcs_a_node = graph.arcs() / std::max<std::int64_t>(1, graph.nodes()) + 1;
  return rows_at_once(graph.nodes(), arcs_a_node * 3 * kRank);
}

const Matrix* find_matrix(const TrainedModel& model, std::string_view name) {
  const auto found = std::ranges::find(model.network, name, &NamedMatrix::name);
  return found == model.network.end() ? nullptr : &found->values;
}

void copy_into(MatrixView to, const Matrix& from) {
  for (std::int64_t i = 0; i < to.rows; ++i) std::ranges::copy(from.row(i), to.row(i).begin());
}

// Error unless it is there with this shape and finite.
const Matrix& need_matrix(const TrainedModel& model, std::string_view name, std::int64_t rows,
                          std::int64_t cols) {
  const Matrix* const matrix = find_matrix(model, name);
  if (matrix == nullptr || matrix->rows() != rows || matrix->cols() != cols)
    fail("{}: weights by features need '{}' with shape ({}, {}), which the model does not have",
         model.data.name, name, rows, cols);
  for (std::int64_t i = 0; i < matrix->rows(); ++i)
    require_numbers(fmt::format("{}: '{}'", model.data.name, name), matrix->row(i));
  return *matrix;
}

}  // namespace

SimilarityAxes similarity_axes(const Dataset& dataset, Threads& threads) {
  require_features(dataset);
  SimilarityAxes result;
  if (resolve_features("auto", dataset) == "standardised")
    result.columns = column_units(*dataset.features.dense());
  const NetworkInput x = scaled_features(result.columns, dataset);
  result.axes = principal_axes(x, threads);
  Matrix y = product_of(x, result.axes, threads);
  result.centre = centred(y);
  return result;
}

Matrix compared_features(const SimilarityAxes& axes, const Dataset& dataset, Threads& threads) {
  require_features(dataset);
  if (dataset.features.cols() != axes.axes.rows())
    fail("{} has {} features, but the weights of its edges were learned by {}", dataset.name,
         dataset.features.cols(), axes.axes.rows());
  Matrix y = product_of(scaled_features(axes.columns, dataset), axes.axes, threads);
  for (std::int64_t u = 0; u < y.rows(); ++u)
    for (std::int64_t k = 0; k < y.cols(); ++k) y(u, k) -= axes.centre(0, k);
  scale_rows_to_one(y);
  return y;
}

Similarity::Similarity(const Dataset& dataset, Matrix compared, ParameterLayout& layout, Threads& threads)
    : dataset_(dataset),
      threads_(threads),
      compared_(std::move(compared)),
      projection_(layout.add(std::string(kProjection), compared_.cols(), kRank)),
      factors_(layout.add(std::string(kFactors), 1, kRank)),
      bias_(layout.add(std::string(kBias), 1, 1)),
      hidden_(spread_matrix(compared_.rows(), kRank)),
      d_hidden_(spread_matrix(compared_.rows(), kRank)) {}

// So that Σ_k h_uk h_vk is about ⟨y_u, y_v⟩ to begin with.
void Similarity::initialise(const Random& random, std::span<Real> parameters) const {
  fill_uniform(random, std::sqrt(3.0 / kRank), projection_.in(parameters));
  std::ranges::fill(factors_.in(parameters).row(0), Real(1));
  bias_.in(parameters)(0, 0) = Real(kFirstBias);
}

void Similarity::forward(std::span<const Real> parameters, std::span<Real> weights) {
  multiply(compared_, projection_.in(parameters), hidden_, threads_);
  const auto factors = factors_.in(parameters).row(0);
  const Real bias = bias_.in(parameters)(0, 0);
  const Graph& graph = dataset_.graph;
  threads_.for_blocks(graph.nodes(), nodes_at_once(graph), [&](std::int64_t begin, std::int64_t end) {
    for (auto u = static_cast<NodeId>(begin); u < end; ++u) {
      const auto h_u = hidden_.row(u);
      for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
        const auto h_v = hidden_.row(graph.targets()[at(arc)]);
        Real s = bias;
        for (std::size_t k = 0; k < kRank; ++k) s += factors[k] * (h_u[k] * h_v[k]);
        weights[at(arc)] = (dataset_.weights.empty() ? Real(1) : dataset_.weights[at(arc)]) /
                           (1 + std::exp(-std::max(s, kLeastSimilarity)));
      }
    }
  });
}

void Similarity::backward(std::span<const Real> parameters, std::span<const Real> weights,
                          std::span<const Real> d_weights, std::span<Real> gradient) {
  const auto factors = factors_.in(parameters).row(0);
  const Graph& graph = dataset_.graph;
  const Sums sums = threads_.sum_blocks<Sums>(
      graph.nodes(), nodes_at_once(graph), [&](std::int64_t begin, std::int64_t end) {
        Sums part;
        for (auto u = static_cast<NodeId>(begin); u < end; ++u) {
          std::array<Real, kRank> m = {};
          double sum = 0;
          for (ArcId arc = graph.begin_of(u); arc < graph.begin_of(u + 1); ++arc) {
            const Real most = dataset_.weights.empty() ? Real(1) : dataset_.weights[at(arc)];
            const Real g =
                most > 0 ? d_weights[at(arc)] * weights[at(arc)] * (1 - weights[at(arc)] / most) : Real(0);
            const auto h_v = hidden_.row(graph.targets()[at(arc)]);
            for (std::size_t k = 0; k < kRank; ++k) m[k] += g * h_v[k];
            sum += static_cast<double>(g);
          }
          const auto h_u = hidden_.row(u);
          const auto d_h = d_hidden_.row(u);
          for (std::size_t k = 0; k < kRank; ++k) {
            d_h[k] = factors[k] * m[k];
            part.values[k] += static_cast<double>(h_u[k]) * static_cast<double>(m[k]);
          }
          part.values[kRank] += sum;
        }
        return part;
      });
  const auto d_factors = factors_.in(gradient).row(0);
  for (std::size_t k = 0; k < kRank; ++k) d_factors[k] = static_cast<Real>(sums.values[k] / 2);
  bias_.in(gradient)(0, 0) = static_cast<Real>(sums.values[kRank] / 2);
  multiply_transposed(compared_, d_hidden_, projection_.in(gradient), threads_);
}

void keep(const SimilarityAxes& axes, std::vector<NamedMatrix>& matrices) {
  if (axes.columns.rows() > 0) matrices.push_back({std::string(kColumns), axes.columns});
  matrices.push_back({std::string(kAxesName), axes.axes});
  matrices.push_back({std::string(kCentre), axes.centre});
}

std::vector<Real> similar_weights(const TrainedModel& model, const Dataset& dataset, Threads& threads) {
  if (std::ranges::none_of(model.network,
                           [](const NamedMatrix& matrix) { return matrix.name == kProjection; }))
    return dataset.weights;
  SimilarityAxes axes;
  const std::int64_t cols = dataset.features.cols();
  if (find_matrix(model, kColumns) != nullptr) axes.columns = need_matrix(model, kColumns, 2, cols);
  const std::int64_t q = std::min(kAxes, cols);
  axes.axes = padded_matrix(cols, q);
  copy_into(axes.axes, need_matrix(model, kAxesName, cols, q));
  axes.centre = need_matrix(model, kCentre, 1, q);

  ParameterLayout layout;
  Similarity similarity(dataset, compared_features(axes, dataset, threads), layout, threads);
  ParameterBlock parameters = layout.zeros();
  for (const Parameter& parameter : layout.parameters())
    copy_into(parameter.in(std::span<Real>(parameters)),
              need_matrix(model, parameter.name, parameter.rows, parameter.cols));
  std::vector<Real> weights(dataset.graph.targets().size());
  similarity.forward(parameters, weights);
  return weights;
}

}  // namespace heatfront
