// SPDX-License-Identifier: MIT
#include "heatfront/models/features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "heatfront/base/find_named.h"

namespace heatfront {
namespace {

constexpr std::array<OptionChoice, 11> kFeatureViews = {
    {{"auto",
      "row-lengths where most are zero or the features are stored sparse, else standardised, and "
      "neighbourhood without features"},
     {"as-given"},
     {"binarised"},
     {"row-sums", "rows scaled to sum 1"},
     {"row-lengths", "columns in units of their own, then rows scaled to length 1"},
     {"standardised", "columns to mean 0 and deviation 1"},
     {kProductFeatures, "standardised, and the products of each two of these columns"},
     {"neighbourhood", "who a node's neighbours are"},
     {"l2", "rows scaled to length 1"},
     {"tfidf", "rare entries count more, then rows scaled to length 1"},
     {kIdentityFeatures, "each node alone"}}};

bool scales_rows(std::string_view view) { return view == "row-lengths" || view == "l2" || view == "tfidf"; }

SparseMatrix identity(NodeId nodes) {
  SparseMatrix matrix{.rows = nodes, .cols = nodes};
  for (NodeId u = 0; u < nodes; ++u) {
    matrix.columns.push_back(u);
    matrix.offsets.push_back(u + 1);
  }
  return matrix;
}

// `rows` here and below: so many first ones are measured, the others only change with them.
std::size_t entries_of(std::int64_t rows, const SparseMatrix& matrix) { return at(matrix.offsets[at(rows)]); }

// By how few nodes have an entry, not by how large it is.
void weigh_by_rarity(std::int64_t rows, SparseMatrix& matrix) {
  std::vector<std::int64_t> nodes(at(matrix.cols));
  for (std::int32_t j : std::span(matrix.columns).first(entries_of(rows, matrix))) ++nodes[at(j)];
  matrix.values.resize(matrix.columns.size());
  for (std::size_t k = 0; k < matrix.columns.size(); ++k)
    matrix.values[k] = static_cast<Real>(
        std::log((1 + static_cast<double>(rows)) / (1 + static_cast<double>(nodes[at(matrix.columns[k])]))) +
        1);
}

SparseMatrix neighbourhoods(const Graph& graph, NodeId columns) {
  SparseMatrix matrix{.rows = graph.nodes(), .cols = columns, .offsets = {0}};
  for (NodeId u = 0; u < graph.nodes(); ++u) {
    const auto all = graph.neighbours(u);
    const std::span neighbours(all.begin(), std::ranges::lower_bound(all, columns));
    const auto after = std::ranges::lower_bound(neighbours, u);
    matrix.columns.insert(matrix.columns.end(), neighbours.begin(), after);
    if (u < columns) matrix.columns.push_back(u);
    matrix.columns.insert(matrix.columns.end(), after, neighbours.end());
    matrix.offsets.push_back(std::ssize(matrix.columns));
  }
  return matrix;
}

void scale_to_sum(std::span<Real> row) {
  double sum = 0;
  for (Real x : row) sum += std::abs(static_cast<double>(x));
  if (sum == 0) return;
  for (Real& x : row) x = static_cast<Real>(static_cast<double>(x) / sum);
}

void scale_to_length(std::span<Real> row) {
  double squares = 0;
  for (Real x : row) squares += static_cast<double>(x) * static_cast<double>(x);
  if (squares == 0) return;
  for (Real& x : row) x = static_cast<Real>(static_cast<double>(x) / std::sqrt(squares));
}

// A column that never changes becomes zero.
void standardise(std::int64_t rows, Matrix& matrix) {
  const auto n = static_cast<double>(std::max<std::int64_t>(1, rows));
  for (std::int64_t j = 0; j < matrix.cols(); ++j) {
    double largest = 0, mean = 0, square = 0;
    for (std::int64_t u = 0; u < rows; ++u)
      largest = std::max(largest, std::abs(static_cast<double>(matrix(u, j))));
    const double unit = largest > 0 ? 1 / largest : 1;
    for (std::int64_t u = 0; u < rows; ++u) mean += unit * static_cast<double>(matrix(u, j)) / n;
    for (std::int64_t u = 0; u < rows; ++u) {
      const double difference = unit * static_cast<double>(matrix(u, j)) - mean;
      square += difference * difference / n;
    }
    const double deviation = std::sqrt(square);
    for (std::int64_t u = 0; u < matrix.rows(); ++u) {
      const double difference = unit * static_cast<double>(matrix(u, j)) - mean;
      matrix(u, j) = static_cast<Real>(deviation > 1e-7 ? difference / deviation : 0);
    }
  }
}

Matrix with_products(std::int64_t rows, Matrix columns, const std::string& name) {
  const std::int64_t d = columns.cols();
  if (d > kMostInProducts)
    fail("{}: features=products is for at most {} columns; there are {}", name, kMostInProducts, d);
  standardise(rows, columns);
  const auto pairs = columns_of_products(d);
  Matrix result(columns.rows(), std::ssize(pairs));
  for (std::int64_t u = 0; u < columns.rows(); ++u)
    for (std::size_t k = 0; k < pairs.size(); ++k)
      result.row(u)[k] =
          columns(u, pairs[k].first) * columns(u, pairs[k].second);  // those of the columns are written below
  standardise(rows, result);
  const Real unit = 1 / std::sqrt(static_cast<Real>(d));
  for (std::int64_t u = 0; u < columns.rows(); ++u) {
    const auto row = result.row(u);
    for (Real& x : row) x *= unit;
    std::ranges::copy(columns.row(u), row.begin());
  }
  return result;
}

enum class Among { rows, entries };

// Columns to root mean square 1: of all rows, or of the stored entries alone.
void scale_columns(std::int64_t rows, SparseMatrix& matrix, Among among) {
  const std::size_t measured = entries_of(rows, matrix);
  std::vector<double> largest(at(matrix.cols)), squares(at(matrix.cols)), entries(at(matrix.cols));
  for (std::size_t k = 0; k < measured; ++k) {
    double& most = largest[at(matrix.columns[k])];
    most = std::max(most, std::abs(static_cast<double>(matrix.values[k])));
  }
  const auto ratio = [&](std::size_t k) {
    const double most = largest[at(matrix.columns[k])];
    return most > 0 ? static_cast<double>(matrix.values[k]) / most : 0;
  };
  for (std::size_t k = 0; k < measured; ++k) {
    squares[at(matrix.columns[k])] += ratio(k) * ratio(k);
    ++entries[at(matrix.columns[k])];
  }
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    const auto j = at(matrix.columns[k]);
    const double count = among == Among::rows ? static_cast<double>(rows) : entries[j];
    matrix.values[k] = static_cast<Real>(squares[j] > 0 ? ratio(k) / std::sqrt(squares[j] / count) : 0);
  }
}

SparseMatrix without_zeros(const Matrix& dense) {
  SparseMatrix matrix{.rows = dense.rows(), .cols = dense.cols()};
  for (std::int64_t u = 0; u < dense.rows(); ++u) {
    for (std::int64_t j = 0; j < dense.cols(); ++j) {
      if (dense(u, j) == 0) continue;
      matrix.columns.push_back(static_cast<std::int32_t>(j));
      matrix.values.push_back(dense(u, j));
    }
    matrix.offsets.push_back(matrix.entries());
  }
  return matrix;
}

bool mostly_zeros(std::int64_t rows, const Matrix& matrix) {
  std::int64_t zeros = 0;
  for (std::int64_t u = 0; u < rows; ++u) zeros += std::ranges::count(matrix.row(u), Real(0));
  return 2 * zeros > rows * matrix.cols();
}

void change(const std::string& how, std::int64_t rows, Matrix& matrix) {
  if (how == "standardised") return standardise(rows, matrix);
  for (std::int64_t u = 0; u < matrix.rows(); ++u) {
    if (how == "row-sums") scale_to_sum(matrix.row(u));
    if (how != "binarised") continue;
    for (Real& x : matrix.row(u)) x = x != 0 ? Real(1) : Real(0);
  }
}

void change(const std::string& how, std::int64_t rows, SparseMatrix& matrix) {
  if (how == "standardised") scale_columns(rows, matrix, Among::rows);
  if (how == "row-lengths") scale_columns(rows, matrix, Among::entries);
  if (how == "binarised") matrix.values.assign(matrix.columns.size(), Real(1));
  if (how == "tfidf") weigh_by_rarity(rows, matrix);
  for (std::int64_t u = 0; u < matrix.rows; ++u) {
    const auto begin = at(matrix.offsets[at(u)]), end = at(matrix.offsets[at(u + 1)]);
    const auto row = std::span(matrix.values).subspan(begin, end - begin);
    if (how == "row-sums") scale_to_sum(row);
    if (scales_rows(how)) scale_to_length(row);
  }
}

}  // namespace

OptionField features_field(std::string& features) {
  return {"features",
          &features,
          "What is seen of the features",
          {.choices = {kFeatureViews.begin(), kFeatureViews.end()}}};
}

std::string resolve_features(const std::string& how, const Dataset& dataset) {
  if (how != "auto") return how;
  if (!dataset.features.present()) return "neighbourhood";
  const Matrix* dense = dataset.features.dense();
  return dense != nullptr && !mostly_zeros(dataset.nodes() - dataset.added, *dense) ? "standardised"
                                                                                    : "row-lengths";
}

std::vector<std::pair<std::int64_t, std::int64_t>> columns_of_products(std::int64_t d) {
  std::vector<std::pair<std::int64_t, std::int64_t>> result;
  for (std::int64_t i = 0; i < d; ++i) result.emplace_back(i, i);
  for (std::int64_t i = 0; i < d; ++i)
    for (std::int64_t j = i; j < d; ++j) result.emplace_back(i, j);
  return result;
}

NetworkInput network_input(const std::string& how, const Dataset& dataset) {
  const std::string resolved = resolve_features(how, dataset);
  find_named(std::span<const OptionChoice>(kFeatureViews), resolved, "features");
  const NodeId rows = dataset.nodes() - dataset.added;
  if (resolved == kProductFeatures) {
    const Matrix* columns = dataset.features.dense();
    if (columns == nullptr) fail("{}: features=products needs dense features", dataset.name);
    return NetworkInput(with_products(rows, *columns, dataset.name).view());
  }
  if (resolved == "neighbourhood") return NetworkInput(neighbourhoods(dataset.graph, rows));
  if (resolved == kIdentityFeatures) return NetworkInput(identity(dataset.nodes()));
  if (const Matrix* dense = dataset.features.dense()) {
    if (scales_rows(resolved)) {
      SparseMatrix matrix = without_zeros(*dense);
      change(resolved, rows, matrix);
      return NetworkInput(std::move(matrix));
    }
    Matrix matrix = *dense;
    change(resolved, rows, matrix);
    return NetworkInput(matrix.view());
  }
  if (const SparseMatrix* sparse = dataset.features.sparse()) {
    SparseMatrix matrix = *sparse;
    change(resolved, rows, matrix);
    return NetworkInput(std::move(matrix));
  }
  fail("{} has no features to be {}; set features=neighbourhood", dataset.name, resolved);
}

}  // namespace heatfront
