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

SparseMatrix identity(NodeId rows, std::span<const NodeId> ids, const Ranks& ranks) {
  SparseMatrix matrix{.rows = rows, .cols = static_cast<std::int64_t>(ranks.sum(rows))};
  for (NodeId u = 0; u < rows; ++u) {
    matrix.columns.push_back(ids.empty() ? u : ids[at(u)]);
    matrix.offsets.push_back(u + 1);
  }
  return matrix;
}

// `rows` here and below: so many first ones are measured, the others only change with them.
std::size_t entries_of(std::int64_t rows, const SparseMatrix& matrix) { return at(matrix.offsets[at(rows)]); }

// By how few nodes have an entry, not by how large it is.
void weigh_by_rarity(std::int64_t rows, SparseMatrix& matrix, const Ranks& ranks) {
  std::vector<double> nodes(at(matrix.cols));
  for (std::int32_t j : std::span(matrix.columns).first(entries_of(rows, matrix))) ++nodes[at(j)];
  ranks.sum(nodes);
  const double all = ranks.sum(static_cast<double>(rows));
  matrix.values.resize(matrix.columns.size());
  for (std::size_t k = 0; k < matrix.columns.size(); ++k)
    matrix.values[k] = static_cast<Real>(std::log((1 + all) / (1 + nodes[at(matrix.columns[k])])) + 1);
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
void standardise(std::int64_t rows, Matrix& matrix, const Ranks& ranks) {
  const double n = std::max(1.0, ranks.sum(static_cast<double>(rows)));
  std::vector<double> unit(at(matrix.cols())), mean(unit.size()), square(unit.size());
  const auto measure = [&](const auto& each) {
    for (std::int64_t u = 0; u < rows; ++u) {
      for (std::size_t j = 0; j < unit.size(); ++j) each(j, static_cast<double>(matrix.row(u)[j]));
    }
  };
  measure([&](std::size_t j, double x) { unit[j] = std::max(unit[j], std::abs(x)); });
  ranks.largest(unit);
  for (double& x : unit) x = x > 0 ? 1 / x : 1;
  measure([&](std::size_t j, double x) { mean[j] += unit[j] * x / n; });
  ranks.sum(mean);
  measure([&](std::size_t j, double x) {
    const double difference = unit[j] * x - mean[j];
    square[j] += difference * difference / n;
  });
  ranks.sum(square);
  for (std::int64_t u = 0; u < matrix.rows(); ++u) {
    for (std::size_t j = 0; j < unit.size(); ++j) {
      const double deviation = std::sqrt(square[j]);
      const double difference = unit[j] * static_cast<double>(matrix.row(u)[j]) - mean[j];
      matrix.row(u)[j] = static_cast<Real>(deviation > 1e-7 ? difference / deviation : 0);
    }
  }
}

Matrix with_products(std::int64_t rows, Matrix columns, const std::string& name, const Ranks& ranks) {
  const std::int64_t d = columns.cols();
  if (d > kMostInProducts)
    fail("{}: features=products is for at most {} columns; there are {}", name, kMostInProducts, d);
  standardise(rows, columns, ranks);
  const auto pairs = columns_of_products(d);
  Matrix result(columns.rows(), std::ssize(pairs));
  for (std::int64_t u = 0; u < columns.rows(); ++u)
    for (std::size_t k = 0; k < pairs.size(); ++k)
      result.row(u)[k] =
          columns(u, pairs[k].first) * columns(u, pairs[k].second);  // those of the columns are written below
  standardise(rows, result, ranks);
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
void scale_columns(std::int64_t rows, SparseMatrix& matrix, Among among, const Ranks& ranks) {
  const std::size_t measured = entries_of(rows, matrix);
  std::vector<double> largest(at(matrix.cols)), squares(at(matrix.cols)), entries(at(matrix.cols));
  for (std::size_t k = 0; k < measured; ++k) {
    double& most = largest[at(matrix.columns[k])];
    most = std::max(most, std::abs(static_cast<double>(matrix.values[k])));
  }
  ranks.largest(largest);
  const auto ratio = [&](std::size_t k) {
    const double most = largest[at(matrix.columns[k])];
    return most > 0 ? static_cast<double>(matrix.values[k]) / most : 0;
  };
  for (std::size_t k = 0; k < measured; ++k) {
    squares[at(matrix.columns[k])] += ratio(k) * ratio(k);
    ++entries[at(matrix.columns[k])];
  }
  ranks.sum(squares);
  ranks.sum(entries);
  const double all = ranks.sum(static_cast<double>(rows));
  for (std::size_t k = 0; k < matrix.values.size(); ++k) {
    const auto j = at(matrix.columns[k]);
    const double count = among == Among::rows ? all : entries[j];
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

bool mostly_zeros(std::int64_t rows, const Matrix& matrix, const Ranks& ranks) {
  std::int64_t zeros = 0;
  for (std::int64_t u = 0; u < rows; ++u) zeros += std::ranges::count(matrix.row(u), Real(0));
  return 2 * ranks.sum(static_cast<double>(zeros)) > ranks.sum(static_cast<double>(rows * matrix.cols()));
}

void change(const std::string& how, std::int64_t rows, Matrix& matrix, const Ranks& ranks) {
  if (how == "standardised") return standardise(rows, matrix, ranks);
  for (std::int64_t u = 0; u < matrix.rows(); ++u) {
    if (how == "row-sums") scale_to_sum(matrix.row(u));
    if (how != "binarised") continue;
    for (Real& x : matrix.row(u)) x = x != 0 ? Real(1) : Real(0);
  }
}

void change(const std::string& how, std::int64_t rows, SparseMatrix& matrix, const Ranks& ranks) {
  if (how == "standardised") scale_columns(rows, matrix, Among::rows, ranks);
  if (how == "row-lengths") scale_columns(rows, matrix, Among::entries, ranks);
  if (how == "binarised") matrix.values.assign(matrix.columns.size(), Real(1));
  if (how == "tfidf") weigh_by_rarity(rows, matrix, ranks);
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
          "How the features are seen",
          {.choices = {kFeatureViews.begin(), kFeatureViews.end()}}};
}

std::string resolve_features(const std::string& how, const Dataset& dataset, const Ranks& ranks) {
  if (how != "auto") return how;
  if (!dataset.features.present()) return "neighbourhood";
  const Matrix* dense = dataset.features.dense();
  return dense != nullptr && !mostly_zeros(dataset.nodes() - dataset.added, *dense, ranks) ? "standardised"
                                                                                           : "row-lengths";
}

std::vector<std::pair<std::int64_t, std::int64_t>> columns_of_products(std::int64_t d) {
  std::vector<std::pair<std::int64_t, std::int64_t>> result;
  for (std::int64_t i = 0; i < d; ++i) result.emplace_back(i, i);
  for (std::int64_t i = 0; i < d; ++i)
    for (std::int64_t j = i; j < d; ++j) result.emplace_back(i, j);
  return result;
}

NetworkInput network_input(const std::string& how, const Dataset& dataset, std::span<const NodeId> ids,
                           const Ranks& ranks) {
  const std::string resolved = resolve_features(how, dataset, ranks);
  find_named(std::span<const OptionChoice>(kFeatureViews), resolved, "features");
  const NodeId rows = dataset.nodes() - dataset.added;
  if (resolved == kProductFeatures) {
    const Matrix* columns = dataset.features.dense();
    if (columns == nullptr) fail("{}: features=products needs dense features", dataset.name);
    return NetworkInput(with_products(rows, *columns, dataset.name, ranks).view());
  }
  if (resolved == "neighbourhood" && (ranks.count() > 1 || !ids.empty()))
    fail(
        "{} has no features that are in its parts, and a neighbourhood is not in any; give it features, or "
        "train on "
        "the graph as a whole",
        dataset.name);
  if (resolved == "neighbourhood") return NetworkInput(neighbourhoods(dataset.graph, rows));
  if (resolved == kIdentityFeatures) return NetworkInput(identity(dataset.nodes(), ids, ranks));
  if (const Matrix* dense = dataset.features.dense()) {
    if (scales_rows(resolved)) {
      SparseMatrix matrix = without_zeros(*dense);
      change(resolved, rows, matrix, ranks);
      return NetworkInput(std::move(matrix));
    }
    Matrix matrix = *dense;
    change(resolved, rows, matrix, ranks);
    return NetworkInput(matrix.view());
  }
  if (const SparseMatrix* sparse = dataset.features.sparse()) {
    SparseMatrix matrix = *sparse;
    change(resolved, rows, matrix, ranks);
    return NetworkInput(std::move(matrix));
  }
  fail("{} has no features to be {}; set features=neighbourhood", dataset.name, resolved);
}

}  // namespace heatfront
